import { createIds } from "../../../core/kernel/ids.ts"
import type { ToolCallFinished } from "../../../core/ledger/events.ts"
import type { DraftEvent } from "../../../core/ledger/ledger.ts"

const ids = createIds()

type Draft = Omit<ToolCallFinished, "event_id">

/** A succeeded read as the kernel finishes it; `over` replaces members. */
export function finishedDraft(over: Partial<Draft> = {}): Draft {
  return {
    kind: "tool_call_finished",
    at: 1_000,
    door: "http",
    call_id: ids.call(),
    invocation_id: ids.invocation(),
    role: "business",
    tool_name: "read_files",
    effect: "observe",
    activity: "explore",
    started_seq: 1,
    duration_ms: 2,
    status: "succeeded",
    changed_paths: [],
    changed_total: 0,
    observed_paths: [],
    observed_total: 0,
    facts: {},
    ...over,
  }
}

/** The same with an id and a number, as it is read back. */
export function finishedEvent(seq: number, over: Partial<Draft> = {}): ToolCallFinished & { readonly seq: number } {
  return { ...finishedDraft(over), event_id: ids.event(), seq }
}

/** A start of a Session, the usual first event. */
export function startedDraft(title: string): DraftEvent {
  return {
    kind: "session_started",
    at: 1_000,
    door: "http",
    title,
    mode: "normal",
    guards: { deny_write_tools: false, deny_shell_tools: false },
    execution_context: {},
  }
}
