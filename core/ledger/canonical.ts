import type { StoredEvent } from "./events.ts"
import type { FinishedCall } from "./finished-call.ts"
import { finishedCalls } from "./finished-call.ts"

/** Whether two finished calls are the recorder's and the business Session's view of the same end of one call. */
function areTwins(one: FinishedCall, other: FinishedCall): boolean {
  return (
    one.role !== other.role &&
    one.toolName === other.toolName &&
    one.status === other.status &&
    one.errorKind === other.errorKind &&
    one.callId !== other.callId
  )
}

/** Calls by invocation, only those that have both roles: most calls have no second half and need no group. */
function recordedTwice(calls: readonly FinishedCall[]): Iterable<readonly FinishedCall[]> {
  const groups = new Map<string, FinishedCall[]>()
  for (const call of calls) if (call.role === "recorder") groups.set(call.invocationId, [])
  if (groups.size > 0) for (const call of calls) groups.get(call.invocationId)?.push(call)
  return groups.values()
}

/** Numbers of the recorder's halves of exact twins: what the canonical view leaves out. */
function recorderTwins(calls: readonly FinishedCall[]): ReadonlySet<number> {
  const twins = new Set<number>()
  for (const [one, other, ...more] of recordedTwice(calls)) {
    if (one === undefined || other === undefined || more.length > 0 || !areTwins(one, other)) continue
    twins.add(one.role === "recorder" ? one.seq : other.seq)
  }
  return twins
}

/** The canonical ones among all finished calls of a retained ledger (spec sessions.md §5.6). */
export function canonicalCalls(calls: readonly FinishedCall[]): readonly FinishedCall[] {
  const left = recorderTwins(calls)
  return left.size === 0 ? calls : calls.filter(({ seq }) => !left.has(seq))
}

/**
 * The view of a whole retained ledger that semantic readers use (spec sessions.md §5.6): a call recorded in both roles
 * with equal tool, status and error counts once, as its business member; all else stays, in order. Correlation is no
 * authority, retry token or input.
 */
export function canonical(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const left = recorderTwins(finishedCalls(events))
  return events.filter((event) => event.kind !== "tool_call_finished" || !left.has(event.seq))
}
