import type { StoredEvent, ToolCallFinished } from "./events.ts"

/** What counts are made of: what a finished call was and how it ended (spec sessions.md §5.6). */
export interface CallEnd {
  readonly role: ToolCallFinished["role"]
  readonly toolName: string
  readonly status: ToolCallFinished["status"]
  readonly errorKind?: string
  /** How its execution ended, as its error says or else its evidence. */
  readonly executionState?: string
  readonly effect: ToolCallFinished["effect"]
  readonly activity: ToolCallFinished["activity"]
}

/** One finished call with what tells the halves of a call that was recorded in both roles. */
export interface FinishedCall extends CallEnd {
  readonly seq: number
  readonly callId: string
  readonly invocationId: string
}

/** So many finished calls that ended alike. */
export interface CallGroup extends CallEnd {
  readonly count: number
}

/** The finished call of an event; none for another or an unreadable event. */
export function finishedCallOf(event: StoredEvent): FinishedCall | undefined {
  if (event.kind !== "tool_call_finished") return undefined
  const executionState = event.error?.execution_state ?? event.evidence?.execution_state
  return {
    seq: event.seq,
    callId: event.call_id,
    invocationId: event.invocation_id,
    role: event.role,
    toolName: event.tool_name,
    status: event.status,
    ...(event.error === undefined ? {} : { errorKind: event.error.kind }),
    ...(executionState === undefined ? {} : { executionState }),
    effect: event.effect,
    activity: event.activity,
  }
}

/** The finished calls among events, in their order. */
export function finishedCalls(events: readonly StoredEvent[]): readonly FinishedCall[] {
  return events.flatMap((event) => finishedCallOf(event) ?? [])
}
