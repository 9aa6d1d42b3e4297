import { createRequire } from "node:module"
import type { Writable } from "node:stream"
import { type Logger, pino } from "pino"
import type pretty from "pino-pretty"
import type { Redactor } from "../../core/kernel/redaction/redactor.ts"
import type { CallFacts, Telemetry } from "../../core/kernel/telemetry.ts"

/** How lines are written (spec kernel.md §14). */
export interface PinoTelemetryOptions {
  readonly level: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent"
  /** `pretty` is for a person at a terminal. */
  readonly format: "json" | "pretty"
  /** The redactor as it is when a line is written: the last serializer. */
  readonly redactor: () => Redactor
  /** Where lines go; standard error by default, because standard output belongs to the protocol on stdio. */
  readonly destination?: Writable
}

const STDERR = 2

/** Telemetry as log lines: one `info` line a call, `error` with the stack only for what became `internal_error`. */
export function createPinoTelemetry(options: PinoTelemetryOptions): Telemetry {
  const logger = createLogger(options)
  const mask = <T extends object>(fields: T): object => {
    const { value } = options.redactor().redactValue(fields)
    return typeof value === "object" && value !== null ? value : {}
  }
  const maskText = (text: string): string => options.redactor().redactText(text).text
  return {
    call(facts) {
      logger.info(mask(lineOf(facts)), "call")
    },
    fault(error, { requestId, tool }) {
      logger.error(
        mask({ request_id: requestId, ...(tool === undefined ? {} : { tool }), err: describe(error) }),
        "fault",
      )
    },
    note(message, facts = {}) {
      logger.info(mask(facts), maskText(message))
    },
  }
}

/** Loaded where a person reads the lines; a server that hosts start does not wait for it. */
function prettyStream(destination: Writable | undefined) {
  const load: (name: "pino-pretty") => typeof pretty = createRequire(import.meta.url)
  return load("pino-pretty")({
    destination: destination ?? STDERR,
    sync: true,
    colorize: destination === undefined,
    singleLine: true,
  })
}

function createLogger({ level, format, destination }: PinoTelemetryOptions): Logger {
  const stream =
    format === "pretty" ? prettyStream(destination) : (destination ?? pino.destination({ dest: STDERR, sync: true }))
  const formatters = { level: (label: string) => ({ level: label }) }
  // Errors come described and masked; pino's own serializer would look at them again.
  return pino({ level, base: null, formatters, serializers: { err: (described: unknown) => described } }, stream)
}

/** Never inputs, outputs, headers, credentials, environment or roots: a call's facts hold none of them. */
function lineOf(facts: CallFacts): object {
  return {
    request_id: facts.requestId,
    ...(facts.callId === undefined ? {} : { call_id: facts.callId }),
    ...(facts.invocationId === undefined ? {} : { invocation_id: facts.invocationId }),
    ...(facts.tool === undefined ? {} : { tool: facts.tool }),
    door: facts.door,
    ...(facts.principal === undefined ? {} : { principal: facts.principal }),
    status: facts.success ? "succeeded" : "failed",
    ...(facts.errorKind === undefined ? {} : { error_kind: facts.errorKind }),
    ...(facts.executionState === undefined ? {} : { execution_state: facts.executionState }),
    duration_ms: Math.round(facts.durationMs * 1000) / 1000,
    ...(facts.replayed ? { replayed: true } : {}),
  }
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, message, stack = "", cause } = error
  return { type: name, message, stack, ...(cause === undefined ? {} : { cause: describe(cause) }) }
}
