import { expect } from "vitest"
import type { StoredEvent } from "../../../core/ledger/events.ts"
import type { CallFinish, Harness } from "../../support/harness.ts"

const AFTER_CLOSE: ReadonlySet<string> = new Set(["tool_call_finished", "job_finished", "validation_job_terminal"])

/** What must hold of a Session at any time (spec sessions.md §9), told from its ledger and its summary. */
export async function checkSession(kernel: Harness, session_id: string, retained: number): Promise<void> {
  const summary = await kernel.ok("session_summary", { session_id, limit: 3 })
  const events = await kernel.events(session_id)
  const total = Number(summary.events_total)
  const first = Math.max(1, total - retained + 1)
  // S-I1, S-I10
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: total - first + 1 }, (_, index) => first + index))
  expect(total - Number(summary.events_retained)).toBe(summary.events_evicted)
  checkPairs(events, first)
  checkClose(events, summary)
  checkMode(events, summary)
  // S-I5
  expect(summary.counts).toMatchObject({ tool_calls: invocations(events) })
}

/** S-I2: one start, at most one finish, the finish after the start. */
function checkPairs(events: readonly StoredEvent[], first: number): void {
  const starts = new Map<string, number>()
  const finishes = new Map<string, number>()
  for (const event of events) {
    if (event.kind === "tool_call_started") {
      expect(starts.has(event.call_id)).toBe(false)
      starts.set(event.call_id, event.seq)
    }
    if (event.kind === "tool_call_finished") {
      expect(finishes.has(event.call_id)).toBe(false)
      finishes.set(event.call_id, event.seq)
      expect(event.started_seq).toBeLessThan(event.seq)
      expect(starts.get(event.call_id)).toBe(event.started_seq >= first ? event.started_seq : undefined)
    }
  }
}

/** S-I3: after the close only what ends. */
function checkClose(events: readonly StoredEvent[], summary: Record<string, unknown>): void {
  const close = events.findIndex(({ kind }) => kind === "session_closed")
  if (close === -1) return
  expect(summary.lifecycle).toBe("closed")
  expect(events.slice(close + 1).filter(({ kind }) => !AFTER_CLOSE.has(kind))).toEqual([])
}

/** S-I4: read_only means both guards, and mode and guards are those of the newest event that may set them. */
function checkMode(events: readonly StoredEvent[], { mode, guards }: Record<string, unknown>): void {
  if (mode === "read_only") expect(guards).toEqual({ deny_write_tools: true, deny_shell_tools: true })
  const setting = events.findLast(({ kind }) => kind === "task_instruction" || kind === "session_started")
  if (setting?.kind === "task_instruction")
    expect({ mode, guards }).toEqual({ mode: setting.effective_mode, guards: setting.guards })
  if (setting?.kind === "session_started")
    expect({ mode, guards }).toEqual({ mode: setting.mode, guards: setting.guards })
}

/** How many calls a ledger tells of, reckoned another way than the product does: by invocation, equal halves once. */
function invocations(events: readonly StoredEvent[]): number {
  const finished = events.filter((event): event is CallFinish => event.kind === "tool_call_finished")
  const groups = Map.groupBy(finished, ({ invocation_id }) => invocation_id)
  let calls = 0
  for (const group of groups.values()) {
    const [one, other] = group
    const equal =
      group.length === 2 &&
      one?.role !== other?.role &&
      one?.status === other?.status &&
      one?.error?.kind === other?.error?.kind
    calls += equal ? 1 : group.length
  }
  return calls
}
