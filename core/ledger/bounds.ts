import type { LedgerEvent, ToolCallFinished } from "./events.ts"
import { boundFacts } from "./facts.ts"
import { boundPaths } from "./paths.ts"

const MAX_PAYLOAD_BYTES = 32_768

const sizeOf = (event: LedgerEvent): number => Buffer.byteLength(JSON.stringify(event), "utf8")

/** The longest prefix of `list` with which `build` fits; sizes grow with the list, so halving finds it. */
function longestFit<T>(list: readonly T[], build: (kept: T[]) => LedgerEvent): T[] {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sizeOf(build(list.slice(0, middle))) <= MAX_PAYLOAD_BYTES) low = middle
    else high = middle - 1
  }
  return list.slice(0, low)
}

/** Validation evidence with fewer failure items, its totals untouched. */
function withFailures(event: ToolCallFinished, items: unknown[]): ToolCallFinished {
  const failures = event.validation?.failures
  if (typeof failures !== "object" || failures === null) return event
  return { ...event, validation: { ...event.validation, failures: { ...failures, items } } }
}

function failureItems(event: ToolCallFinished): readonly unknown[] {
  const failures = event.validation?.failures
  if (typeof failures !== "object" || failures === null || !("items" in failures)) return []
  return Array.isArray(failures.items) ? failures.items : []
}

/** A finished call of ≤ 32,768 bytes: observed paths go from the end, then changed paths, then failure items (spec sessions.md §5.4). */
function fitPayload(event: ToolCallFinished): ToolCallFinished {
  const hasNothingToDrop =
    event.observed_paths.length === 0 && event.changed_paths.length === 0 && event.validation === undefined
  if (hasNothingToDrop || sizeOf(event) <= MAX_PAYLOAD_BYTES) return event
  const fewerObserved = {
    ...event,
    observed_paths: longestFit(event.observed_paths, (observed_paths) => ({ ...event, observed_paths })),
  }
  if (sizeOf(fewerObserved) <= MAX_PAYLOAD_BYTES) return fewerObserved
  const fewerChanged = {
    ...fewerObserved,
    changed_paths: longestFit(event.changed_paths, (changed_paths) => ({ ...fewerObserved, changed_paths })),
  }
  if (sizeOf(fewerChanged) <= MAX_PAYLOAD_BYTES) return fewerChanged
  return withFailures(
    fewerChanged,
    longestFit(failureItems(fewerChanged), (items) => withFailures(fewerChanged, items)),
  )
}

function boundFinished(event: ToolCallFinished): ToolCallFinished {
  const changed = boundPaths(event.changed_paths, event.changed_total)
  const observes = event.activity === "explore"
  const observed = observes ? boundPaths(event.observed_paths, event.observed_total) : { paths: [], total: 0 }
  return fitPayload({
    ...event,
    facts: boundFacts(event.facts),
    changed_paths: [...changed.paths],
    changed_total: changed.total,
    observed_paths: [...observed.paths],
    observed_total: observed.total,
  })
}

/** An event within the bounds of spec sessions.md §5.4; only `explore` tools leave observed paths. */
export function boundEvent(event: LedgerEvent): LedgerEvent {
  if (event.kind === "tool_call_finished") return boundFinished(event)
  if (event.kind === "tool_call_started") return { ...event, facts: boundFacts(event.facts) }
  return event
}

/** Whether an event proves a content change of the repository (spec sessions.md §5.5): the sticky fact of its Session. */
export function isRepositoryEdit(event: LedgerEvent): boolean {
  return (
    event.kind === "tool_call_finished" &&
    event.status === "succeeded" &&
    event.evidence?.state_changed === true &&
    (event.activity === "edit" || event.activity === "validate")
  )
}
