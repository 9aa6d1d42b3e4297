import type { RecoveryPorts } from "../../kernel/call.ts"
import type { Recovered } from "../../kernel/definition.ts"
import type { ToolError } from "../../kernel/error.ts"
import type { ErrorKind } from "../../kernel/error-kinds.ts"
import type { Evidence, Facts } from "../../ledger/events.ts"
import type { EditCallInput, EditOutput } from "./schema.ts"

const CONFLICTS: readonly ErrorKind[] = [
  "multiple_matches",
  "match_not_found",
  "occurrence_out_of_range",
  "overlapping_edits",
  "sha256_mismatch",
]

/** What of an edit call's input may be recorded: shape and counts, never a path's text or content. */
export function inputFacts({ changes, dry_run, include_diff }: EditCallInput): Facts {
  return {
    dry_run,
    include_diff,
    change_count: changes.length,
    edit_count: changes.reduce((sum, { edits }) => sum + (edits?.length ?? 0), 0),
    change_kinds: [...new Set(changes.map(({ kind }) => kind))],
  }
}

const outcomeOf = ({ dry_run, changed }: EditOutput): string => {
  if (dry_run) return "dry_run"
  return changed ? "applied" : "no_change"
}

/** What of an edit call's answer may be recorded (files-and-git.md §7). */
export function outputFacts(output: EditOutput): Facts {
  const { planned_count, applied_count } = output
  return { edit_outcome: outcomeOf(output), planned_count, applied_count }
}

/** Whether a failed edit left nothing changed; undefined for an error that was thrown before any effect. */
function rollbackOf(error: ToolError): boolean | undefined {
  const details: object = error.details ?? {}
  if (!("rollback_complete" in details)) return undefined
  return details.rollback_complete === true
}

/** What of a failed edit may be recorded (files-and-git.md §6). */
export function errorFacts(error: ToolError): Facts {
  const rollback = rollbackOf(error)
  return {
    edit_outcome: rollback === undefined ? "rejected" : rollback ? "rolled_back" : "partial",
    ...(CONFLICTS.includes(error.kind) ? { edit_conflict_kind: error.kind } : {}),
  }
}

/** Whether the disk differs after the call (files-and-git.md §7). */
export function editEvidence(result: { readonly output: EditOutput } | { readonly error: ToolError }): Evidence {
  if ("output" in result) return { state_changed: result.output.changed }
  return { state_changed: rollbackOf(result.error) === false }
}

/** How an edit call whose process died ended, from its journal (files-and-git.md §4.4). */
export async function recoverEdit(invocationId: string, { runners }: RecoveryPorts): Promise<Recovered | undefined> {
  for (const clientId of runners.ids()) {
    const outcome = await runners.get(clientId)?.fs.outcomeOf(invocationId)
    if (outcome === "applied") return { status: "succeeded", evidence: { state_changed: true } }
    if (outcome === "conflict" || outcome === "unsettled") return undefined
    if (outcome === "rolled_back") break
  }
  return { status: "failed", errorKind: "interrupted", evidence: { state_changed: false } }
}
