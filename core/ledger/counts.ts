import { z } from "zod"
import type { SessionId } from "../kernel/ids.ts"
import { canonicalCalls } from "./canonical.ts"
import type { CallEnd, CallGroup, FinishedCall } from "./finished-call.ts"
import type { LedgerStore } from "./store.ts"

const many = (what: string) => z.number().int().min(0).describe(what)

/** What the retained calls of a Session were and how they ended (spec sessions.md §5.6). */
export const callCountsSchema = z
  .object({
    tool_calls: many("Calls in the retained ledger, each counted once."),
    succeeded: many("Calls that succeeded."),
    failed: many("Calls that failed, refused and unknown ones included."),
    outcome_unknown: many("Failed calls of which nobody knows the outcome."),
    refused: many("Failed calls that never started."),
    by_effect: z
      .object({
        observe: many("Reading calls."),
        mutate: many("Changing calls."),
        execute: many("Executing calls."),
      })
      .describe("Calls by effect."),
    by_activity: z
      .object({
        explore: many("Reads and searches."),
        enumerate: many("Listings and status."),
        review: many("Diffs and reviews."),
        edit: many("Edits."),
        vcs: many("Version control writes."),
        execute: many("Commands."),
        validate: many("Validators."),
        session: many("Session records."),
        other: many("All else."),
      })
      .describe("Calls by activity."),
  })
  .describe("Counts over the retained ledger.")
/** A value of `callCountsSchema`. */
export type CallCounts = z.infer<typeof callCountsSchema>

const isUnknown = ({ errorKind, executionState }: CallEnd): boolean =>
  errorKind === "outcome_unknown" || executionState === "outcome_unknown"

/** Counts the canonical ones of all readable finished calls of a retained ledger (spec sessions.md §5.6, §5.8). */
export function countCalls(calls: readonly FinishedCall[]): CallCounts {
  return countGroups(canonicalCalls(calls).map((call) => ({ ...call, count: 1 })))
}

/** The counts of a Session's retained ledger, by groups of like calls; only where both roles occur call by call. */
export async function readCounts(ledger: LedgerStore, sessionId: SessionId): Promise<CallCounts> {
  const groups = await ledger.callGroups(sessionId)
  const mayHoldTwins = groups.some(({ role }) => role === "recorder") && groups.some(({ role }) => role === "business")
  return mayHoldTwins ? countCalls(await ledger.finishedCalls(sessionId)) : countGroups(groups)
}

function countGroups(groups: readonly CallGroup[]): CallCounts {
  const counts: CallCounts = {
    tool_calls: 0,
    succeeded: 0,
    failed: 0,
    outcome_unknown: 0,
    refused: 0,
    by_effect: { observe: 0, mutate: 0, execute: 0 },
    by_activity: {
      explore: 0,
      enumerate: 0,
      review: 0,
      edit: 0,
      vcs: 0,
      execute: 0,
      validate: 0,
      session: 0,
      other: 0,
    },
  }
  for (const { count, ...call } of groups) {
    counts.tool_calls += count
    counts.by_effect[call.effect] += count
    counts.by_activity[call.activity] += count
    counts[call.status] += count
    if (call.status === "succeeded") continue
    if (isUnknown(call)) counts.outcome_unknown += count
    if (call.executionState === "not_started") counts.refused += count
  }
  return counts
}
