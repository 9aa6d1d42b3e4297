import { z } from "zod"
import type { Call, CallPorts } from "../kernel/call.ts"
import { callIdSchema, type SessionId } from "../kernel/ids.ts"
import { callCountsSchema, readCounts } from "../ledger/counts.ts"
import { eventView, eventViewSchema } from "../ledger/event-view.ts"
import type { OpenCall } from "../ledger/store.ts"
import { ackRequiredMember, openCountsSchema } from "../messages/view.ts"
import type { Tx } from "../store.ts"
import { readSession } from "./read.ts"
import { projectOf, sessionView, sessionViewShape } from "./view.ts"

const MAX_OPEN_CALLS = 20
const count = (what: string) => z.number().int().min(0).describe(what)
const sequence = (what: string) => z.number().int().min(1).describe(what).optional()

const openCallSchema = z.object({
  call_id: callIdSchema.describe("The call."),
  tool_name: z.string().max(64).describe("Its tool."),
  role: z.enum(["recorder", "business"]).describe("Role of this Session in it.").optional(),
  seq: sequence("Event of its start."),
  started_at: z.number().int().describe("Start, ms since 1970."),
})

/** Output of `session_summary` (spec sessions.md §5.7, §6): the Session, what its ledger holds and no longer holds, the newest events. */
export const sessionSummarySchema = z.object({
  ...sessionViewShape,
  events_retained: count("Events that the ledger holds now."),
  events_evicted: count("Events that it no longer holds."),
  retention_truncated: z.boolean().describe("Events were evicted: counts describe the retained tail."),
  ledger_first_retained_sequence: sequence("Smallest number that is held."),
  events_returned: count("Events in this reply."),
  first_returned_sequence: sequence("Smallest number in this reply."),
  events_truncated: z.boolean().describe("Older held events exist: page on with before_seq."),
  counts: callCountsSchema,
  unreadable_events: count("Held events that cannot be read; they enter no count."),
  open_calls: z
    .object({
      total: count("Calls in flight, without this one."),
      items: z.array(openCallSchema).max(MAX_OPEN_CALLS).describe("The first of them."),
    })
    .describe("Calls in flight."),
  board: z
    .object({
      retained: count("Messages that its board holds."),
      open_counts: openCountsSchema.describe("What is open there."),
      ack_required_open: ackRequiredMember,
    })
    .describe("Its message board."),
  events: z.array(eventViewSchema).max(200).describe("Newest first."),
})
/** A value of `sessionSummarySchema`. */
export type SessionSummary = z.infer<typeof sessionSummarySchema>

function openCallView(open: OpenCall): z.infer<typeof openCallSchema> {
  return {
    call_id: open.callId,
    tool_name: open.tool,
    ...(open.role === undefined ? {} : { role: open.role }),
    ...(open.startedSeq === undefined ? {} : { seq: open.startedSeq }),
    started_at: open.startedAt,
  }
}

/** Calls in flight that are recorded in a Session, without the asking call itself. */
export async function otherOpenCalls(
  tx: Tx,
  sessionId: SessionId,
  call: Pick<Call, "invocationId">,
): Promise<readonly OpenCall[]> {
  const open = await tx.openCalls.ofSession(sessionId)
  return open.filter((row) => row.invocationId !== call.invocationId)
}

/** Reads a Session and its ledger in the caller's one read transaction. `limit` 0..200; only events with `seq < beforeSeq`. */
export async function summarise(
  tx: Tx,
  call: Pick<Call, "invocationId"> & { readonly ports: Pick<CallPorts, "ledger"> },
  asked: { readonly sessionId: SessionId; readonly limit: number; readonly beforeSeq?: number },
): Promise<SessionSummary> {
  const { sessionId, limit, beforeSeq } = asked
  const session = await readSession(tx, sessionId)
  const bounds = await tx.ledger.bounds(sessionId)
  const events = await call.ports.ledger.newest(tx, sessionId, limit, beforeSeq)
  const open = await otherOpenCalls(tx, sessionId, call)
  const board = await tx.messages.open(sessionId)
  const firstReturned = events.at(-1)?.seq
  const olderThan = firstReturned ?? beforeSeq ?? Number.POSITIVE_INFINITY
  const evicted = session.eventsObserved - bounds.retained
  return {
    ...sessionView(session, await projectOf(tx, session)),
    events_retained: bounds.retained,
    events_evicted: evicted,
    retention_truncated: evicted > 0,
    ...(bounds.first === undefined ? {} : { ledger_first_retained_sequence: bounds.first }),
    events_returned: events.length,
    ...(firstReturned === undefined ? {} : { first_returned_sequence: firstReturned }),
    events_truncated: bounds.first !== undefined && bounds.first < olderThan,
    counts: await readCounts(tx.ledger, sessionId),
    unreadable_events: await tx.ledger.unreadable(sessionId),
    open_calls: { total: open.length, items: open.slice(0, MAX_OPEN_CALLS).map(openCallView) },
    board: {
      retained: await tx.messages.retained(sessionId),
      open_counts: { ...board.counts },
      ack_required_open: board.ackRequired,
    },
    events: events.map(eventView),
  }
}
