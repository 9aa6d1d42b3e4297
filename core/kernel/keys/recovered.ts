import { z } from "zod"
import type { Recovered } from "../definition.ts"
import { ERROR_KINDS, type ErrorKind, errorKinds } from "../error-kinds.ts"
import { EXECUTION_STATES } from "../errors/row.ts"

/** What recovery notes in a call key's row (spec kernel.md §15). */
const recoveredSchema = z.object({
  status: z.enum(["succeeded", "failed"]),
  error_kind: z.string().optional(),
  execution_state: z.enum(EXECUTION_STATES).optional(),
  job_id: z.string().optional(),
})

export type RecoveredNote = z.infer<typeof recoveredSchema>

/** The note of a recovered outcome. */
export function noteOf({ status, errorKind, executionState, jobId }: Recovered): string {
  const note: RecoveredNote = {
    status,
    ...(errorKind === undefined ? {} : { error_kind: errorKind }),
    ...(executionState === undefined ? {} : { execution_state: executionState }),
    ...(jobId === undefined ? {} : { job_id: jobId }),
  }
  return JSON.stringify(note)
}

/** Reads a note back; a damaged one says that the outcome is unknown. */
export function readNote(text: string): RecoveredNote {
  try {
    const note = recoveredSchema.safeParse(JSON.parse(text))
    return note.success ? note.data : UNKNOWN
  } catch {
    return UNKNOWN
  }
}

const UNKNOWN: RecoveredNote = { status: "failed", error_kind: "outcome_unknown", execution_state: "outcome_unknown" }

/** A stored word as an error kind of this version; one that is not known any more is `outcome_unknown`. */
export function kindOf(word: string | undefined): ErrorKind {
  return errorKinds.find((kind) => kind === word && kind in ERROR_KINDS) ?? "outcome_unknown"
}
