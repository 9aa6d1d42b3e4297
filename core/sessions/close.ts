import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { type SessionId, sessionIdSchema } from "../kernel/ids.ts"
import { ackRequiredMember, openCountsSchema } from "../messages/view.ts"
import type { Tx } from "../store.ts"
import { readSession } from "./read.ts"
import { decideClose } from "./rules.ts"
import { otherOpenCalls } from "./summary.ts"

/** Output of `close_session` (spec sessions.md §6). */
export const closedSessionSchema = z.object({
  session_id: sessionIdSchema.describe("The closed Session."),
  lifecycle: z.literal("closed").describe("Closed is final."),
  already_closed: z.boolean().describe("It was closed before this call."),
  closed_at: z.number().int().describe("When it was closed, ms since 1970."),
  open_counts: openCountsSchema.describe("What is still open on its board; it stays so."),
  ack_required_open: ackRequiredMember,
  open_calls: z.number().int().min(0).describe("Calls still in flight in it, without this one."),
  running_jobs: z.number().int().min(0).describe("Its Jobs that go on."),
  shell: z
    .object({
      shell_id: z.string().max(64).describe("The shell."),
      state: z.enum(["closed", "closing"]).describe("closing: its processes have not ended yet."),
    })
    .describe("Its live shell, which this call closed.")
    .optional(),
})
/** A value of `closedSessionSchema`. */
export type ClosedSession = z.infer<typeof closedSessionSchema>

/** Closes a Session in the caller's transaction. What still runs is reported, not hidden, and prevents nothing. */
export async function closeSession(
  tx: Tx,
  call: Pick<Call, "invocationId" | "ports" | "door" | "now">,
  sessionId: SessionId,
): Promise<ClosedSession> {
  const { session, alreadyClosed } = decideClose(await readSession(tx, sessionId), call.now())
  const openCalls = (await otherOpenCalls(tx, sessionId, call)).length
  const open = await tx.messages.open(sessionId)
  const runningJobs = await tx.jobs.countActive({ sessionId })
  if (!alreadyClosed) {
    await tx.sessions.update(session)
    await call.ports.ledger.append(tx, sessionId, [
      {
        kind: "session_closed",
        at: session.closedAt,
        door: call.door,
        open_counts: open.counts,
        open_calls: openCalls,
        running_jobs: runningJobs,
      },
    ])
  }
  return {
    session_id: sessionId,
    lifecycle: "closed",
    already_closed: alreadyClosed,
    closed_at: session.closedAt,
    open_counts: { ...open.counts },
    ack_required_open: open.ackRequired,
    open_calls: openCalls,
    running_jobs: runningJobs,
  }
}
