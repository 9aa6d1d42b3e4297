import type { z } from "zod"

/**
 * What a caller may usefully do after an error (spec kernel.md §6): send other arguments, read again and decide,
 * send the identical call again, send it later, get other authority, or nothing.
 */
export const RECOVERIES = ["fix_input", "reobserve", "retry_same", "retry_later", "reauthorize", "none"] as const
/** One of `RECOVERIES`. */
export type Recovery = (typeof RECOVERIES)[number]

/** How far an execution got when a call ended in an error (spec kernel.md §6). */
export const EXECUTION_STATES = [
  "not_started",
  "running",
  "completed",
  "timed_out",
  "cancelled",
  "outcome_unknown",
] as const
/** One of `EXECUTION_STATES`. */
export type ExecutionState = (typeof EXECUTION_STATES)[number]

/** What is known of one kind (spec kernel.md §6). */
export interface ErrorRow {
  /** HTTP status when the call was refused before its handler was entered; from the handler on it is 200. */
  readonly http: number
  readonly recovery: Recovery
  /** The few kinds whose recovery depends on the effect or on a member of `details` list the other one here. */
  readonly alsoRecovery?: Recovery
  /** Closed shape of `details`; a kind without it has none. */
  readonly details?: z.ZodObject
}

/** States one row with its literal types. */
export const row = <const R extends ErrorRow>(definition: R): R => definition
