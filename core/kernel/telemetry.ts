import type { Door } from "../ledger/events.ts"
import type { ErrorKind } from "./error-kinds.ts"
import type { ExecutionState } from "./errors/row.ts"

/** Every call's bounded, non-secret facts, handed over last; a failure there never changes a result (spec kernel.md §4 step 10, §14). */
export interface CallFacts {
  readonly requestId: string
  readonly callId?: string
  readonly invocationId?: string
  /** The inner tool of a gateway call; absent when no tool was found. */
  readonly tool?: string
  readonly door: Door
  readonly principal?: string
  readonly success: boolean
  readonly errorKind?: ErrorKind
  readonly executionState?: ExecutionState
  readonly durationMs: number
  readonly replayed: boolean
}

export interface Telemetry {
  call(facts: CallFacts): void
  /** An exception that became `internal_error`: its text and stack go to the log only, redacted. */
  fault(error: unknown, context: { readonly requestId: string; readonly tool?: string }): void
  /** A state worth a line that no caller asked about (recovery, start, shutdown). */
  note(message: string, facts?: Readonly<Record<string, string | number | boolean>>): void
}
