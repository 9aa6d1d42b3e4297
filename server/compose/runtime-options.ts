import { createPinoTelemetry } from "../../adapters/telemetry/index.ts"
import type { LoadedConfig } from "../config/load-config.ts"
import type { RuntimeOptions } from "./runtime.ts"

/** What every command that runs a runtime is started with. */
export interface StartOptions extends Pick<RuntimeOptions, "tools" | "clock" | "ids" | "hostCommand"> {
  readonly dataDir: string
  readonly loaded: LoadedConfig
  readonly env: Readonly<Record<string, string | undefined>>
  readonly telemetry?: RuntimeOptions["telemetry"]
  /** Whether log lines go to a person's terminal. */
  readonly terminal: boolean
}

/** What a runtime takes from a loaded configuration; stdio and HTTP start alike. */
export function runtimeOptions({ loaded, telemetry, terminal, ...rest }: StartOptions): RuntimeOptions {
  const { config, sources } = loaded
  return {
    ...rest,
    config,
    authoritySource: sources.authority_mode,
    telemetry:
      telemetry ??
      ((redactor) =>
        createPinoTelemetry({
          level: config.log_level,
          format: config.log_format ?? (terminal ? "pretty" : "json"),
          redactor,
        })),
  }
}
