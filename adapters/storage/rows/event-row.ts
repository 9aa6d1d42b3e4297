import type { Selectable } from "kysely"
import { z } from "zod"
import type { LedgerEvent, StoredEvent } from "../../../core/ledger/events.ts"
import { ledgerEventSchema } from "../../../core/ledger/events.ts"
import type { SessionEventsTable } from "../schema.ts"
import { bit } from "./bit.ts"

/** Members of an event that have a column of their own; `payload` holds the others, each fact once (spec sessions.md §8). */
const COLUMNS = [
  "event_id",
  "kind",
  "at",
  "door",
  "call_id",
  "invocation_id",
  "role",
  "tool_name",
  "status",
  "effect",
  "activity",
  "job_id",
] as const
const inColumn: ReadonlySet<string> = new Set(COLUMNS)

/** Every column of an event but its place. */
export type EventColumns = Omit<Selectable<SessionEventsTable>, "session_id" | "seq">

const textOf = (event: object, name: string): string | null => {
  const value: unknown = Reflect.get(event, name)
  return typeof value === "string" ? value : null
}

/** Where the column `execution_state` came from, kept in the payload as `execution_state_of`. */
const ownerSchema = z.enum(["error", "evidence", "both"])

/** The execution state that counts, and the event's remaining members with it taken out. */
function splitState(event: LedgerEvent) {
  if (event.kind === "job_finished") return { state: event.execution_state, rest: { execution_state: undefined } }
  if (event.kind !== "tool_call_finished") return { state: null, rest: {} }
  const { error, evidence } = event
  const state = error?.execution_state ?? evidence?.execution_state ?? null
  if (state === null) return { state, rest: { error: error && { recovery: error.recovery } } }
  const inError = error?.execution_state === state
  const inEvidence = evidence?.execution_state === state
  return {
    state,
    rest: {
      error: error && { recovery: error.recovery },
      evidence: evidence && (inEvidence ? { ...evidence, execution_state: undefined } : evidence),
      execution_state_of: inError ? (inEvidence ? "both" : "error") : "evidence",
    },
  }
}

/** The columns of an event that is being appended. */
export function eventColumns(event: LedgerEvent): EventColumns {
  const { state, rest } = splitState(event)
  const payload: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(event)) if (!inColumn.has(name)) payload[name] = value
  const validated = event.kind === "tool_call_finished" && event.validation !== undefined
  return {
    event_id: event.event_id,
    kind: event.kind,
    at: event.at,
    door: event.door,
    call_id: textOf(event, "call_id"),
    invocation_id: textOf(event, "invocation_id"),
    role: textOf(event, "role"),
    tool_name: textOf(event, "tool_name"),
    status: textOf(event, "status"),
    error_kind: event.kind === "tool_call_finished" ? (event.error?.kind ?? null) : null,
    execution_state: state,
    effect: textOf(event, "effect"),
    activity: textOf(event, "activity"),
    job_id: textOf(event, "job_id"),
    has_validation: bit(validated),
    payload: JSON.stringify({ ...payload, ...rest }),
  }
}

const payloadSchema = z.looseObject({
  error: z.looseObject({}).optional(),
  evidence: z.looseObject({}).optional(),
  execution_state_of: ownerSchema.optional(),
})

/** The members of a finished call that were split between column and payload, whole again. */
function joinState(
  row: Pick<EventColumns, "kind" | "error_kind" | "execution_state">,
  payload: z.infer<typeof payloadSchema>,
) {
  const { execution_state_of: owner, error, evidence, ...rest } = payload
  const state = { execution_state: row.execution_state }
  if (row.kind === "job_finished") return { ...rest, ...state }
  const ofError = owner === "error" || owner === "both"
  const ofEvidence = owner === "evidence" || owner === "both"
  return {
    ...rest,
    ...(error && { error: { ...error, kind: row.error_kind, ...(ofError && state) } }),
    ...(evidence && { evidence: { ...evidence, ...(ofEvidence && state) } }),
  }
}

function parsePayload(text: string): z.infer<typeof payloadSchema> | undefined {
  try {
    return payloadSchema.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The event of a row; one that fails its schema is `unreadable` (spec sessions.md §5.8), never an error. */
export function eventOf(row: EventColumns & { readonly seq: number }): StoredEvent {
  const payload = parsePayload(row.payload)
  const unreadable: StoredEvent = { kind: "unreadable", seq: row.seq, event_id: row.event_id }
  if (payload === undefined) return unreadable
  const columns: Record<string, unknown> = {}
  for (const name of COLUMNS) if (row[name] !== null) columns[name] = row[name]
  const event = ledgerEventSchema.safeParse({ ...joinState(row, payload), ...columns })
  return event.success ? { ...event.data, seq: row.seq } : unreadable
}
