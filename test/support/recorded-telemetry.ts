import type { CallFacts, Telemetry } from "../../core/kernel/telemetry.ts"

/** Telemetry that a test reads back. */
export interface RecordedTelemetry extends Telemetry {
  readonly calls: CallFacts[]
  readonly faults: unknown[]
}

/** Keeps what it is told, in order. */
export function recordTelemetry(): RecordedTelemetry {
  const calls: CallFacts[] = []
  const faults: unknown[] = []
  return {
    calls,
    faults,
    call: (facts) => calls.push(facts),
    fault: (error) => faults.push(error),
    note: () => undefined,
  }
}
