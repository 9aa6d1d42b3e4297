import type { Selectable } from "kysely"
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
export type EventColumns = Omit<Selectable<SessionEventsTable>, "session_id" | "seq" | "rewritten">

const textOf = (event: object, name: string): string | null => {
  const value: unknown = Reflect.get(event, name)
  return typeof value === "string" ? value : null
}

/** The execution state that counts and its owner (`execution_state_of` in the payload), and what remains of the owner. */
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

type Members = Record<string, unknown>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Puts back into a freshly parsed payload what its columns hold; the event's schema judges the result. */
function joinColumns(payload: Members, row: EventColumns): Members {
  const { execution_state_of: owner, error, evidence } = payload
  const state = row.execution_state
  for (const name of COLUMNS) if (row[name] !== null) payload[name] = row[name]
  if (row.kind === "job_finished") payload.execution_state = state
  if (isMembers(error)) error.kind = row.error_kind
  if (owner === undefined) return payload
  if (owner !== "evidence" && isMembers(error)) error.execution_state = state
  if (owner !== "error" && isMembers(evidence)) evidence.execution_state = state
  delete payload.execution_state_of
  return payload
}

function parsePayload(text: string): Members | undefined {
  try {
    const payload: unknown = JSON.parse(text)
    return isMembers(payload) ? payload : undefined
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
  const event = ledgerEventSchema.safeParse(joinColumns(payload, row))
  return event.success ? { ...event.data, seq: row.seq } : unreadable
}
