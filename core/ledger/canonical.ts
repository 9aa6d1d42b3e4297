import type { StoredEvent, ToolCallFinished } from "./events.ts"

type Finished = ToolCallFinished & { readonly seq: number }

const isFinished = (event: StoredEvent): event is Finished => event.kind === "tool_call_finished"

/** Whether two finished calls are the recorder's and the business Session's view of the same end of one call. */
function areTwins(one: Finished, other: Finished): boolean {
  return (
    one.role !== other.role &&
    one.tool_name === other.tool_name &&
    one.status === other.status &&
    one.error?.kind === other.error?.kind &&
    one.call_id !== other.call_id
  )
}

/** The recorder's halves of exact twins: what the canonical view leaves out. */
function recorderTwins(events: readonly StoredEvent[]): ReadonlySet<Finished> {
  const groups = new Map<string, Finished[]>()
  for (const event of events.filter(isFinished)) {
    groups.set(event.invocation_id, [...(groups.get(event.invocation_id) ?? []), event])
  }
  const twins = new Set<Finished>()
  for (const [one, other, ...more] of groups.values()) {
    if (one === undefined || other === undefined || more.length > 0 || !areTwins(one, other)) continue
    twins.add(one.role === "recorder" ? one : other)
  }
  return twins
}

/**
 * The view of a whole retained ledger that semantic readers use (spec sessions.md §5.6): a call recorded in both roles
 * with equal tool, status and error counts once, as its business member; all else stays, in order. Correlation is no
 * authority, retry token or input.
 */
export function canonical(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const left = recorderTwins(events)
  return events.filter((event) => !isFinished(event) || !left.has(event))
}
