import { z } from "zod"
import type { StoredEvent } from "./events.ts"
import {
  contextUpdatedSchema,
  jobFinishedSchema,
  sessionClosedSchema,
  sessionStartedSchema,
  taskInstructionSchema,
  toolCallFinishedSchema,
  toolCallStartedSchema,
} from "./events.ts"

const MAX_SHOWN_PATHS = 8
const seq = z.number().int().min(1).describe("Number of the event in its Session.")

/** Members that definitions name: an open object in the published schema. */
const open = z.looseObject({})

/** One ledger event in outputs, told apart by `kind`; a row that cannot be read is `unreadable` (spec sessions.md §5.8). */
export const eventViewSchema = z.discriminatedUnion("kind", [
  z.object({ ...sessionStartedSchema.shape, seq }),
  z.object({ ...taskInstructionSchema.shape, seq }),
  z.object({ ...contextUpdatedSchema.shape, seq }),
  z.object({ ...sessionClosedSchema.shape, seq }),
  z.object({ ...toolCallStartedSchema.shape, facts: open, seq }),
  z.object({
    ...toolCallFinishedSchema.shape,
    facts: open,
    validation: open.optional(),
    seq,
  }),
  z.object({ ...jobFinishedSchema.shape, output: open, seq }),
  z.object({ kind: z.literal("unreadable"), seq, event_id: z.string().max(64) }),
])
/** A value of `eventViewSchema`. */
export type EventView = z.infer<typeof eventViewSchema>

/** A stored event as `session_summary` shows it: at most 8 changed and 8 observed paths, totals whole (spec sessions.md §6). */
export function eventView(event: StoredEvent): EventView {
  if (event.kind !== "tool_call_finished") return event
  return {
    ...event,
    changed_paths: event.changed_paths.slice(0, MAX_SHOWN_PATHS),
    observed_paths: event.observed_paths.slice(0, MAX_SHOWN_PATHS),
  }
}
