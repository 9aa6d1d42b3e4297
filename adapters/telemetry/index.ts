export { createPinoTelemetry, type PinoTelemetryOptions } from "./pino-telemetry.ts"
