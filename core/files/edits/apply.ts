import { type FileCall, projectTree } from "../project-tree.ts"
import type { OperationResult } from "./batch.ts"
import { checkChanges } from "./changes.ts"
import { planDiff } from "./diff.ts"
import { operationsOf, type PlannedChange, planChanges } from "./plan.ts"
import type { EditCallInput, EditOutput } from "./schema.ts"

const LOCK_WAIT_MS = 10_000
const LEAD_MS = 2000

type FileEntry = EditOutput["files"][number]

function fileEntry(change: PlannedChange, result: OperationResult | undefined): FileEntry {
  const { index, kind, path, resolvedPath, changed, oldSha256, newSha256, encoding, newline, hardLinks, edits } = change
  return {
    index,
    kind,
    path,
    ...(resolvedPath === path ? {} : { resolved_path: resolvedPath }),
    changed,
    ...(oldSha256 === undefined ? {} : { old_sha256: oldSha256 }),
    new_sha256: newSha256,
    size_bytes: change.content.length,
    encoding,
    newline,
    ...(hardLinks > 1 ? { hard_links: hardLinks } : {}),
    ...(result?.ownerChanged === true ? { owner_changed: true } : {}),
    ...(edits === undefined ? {} : { edits: edits.map((facts) => ({ ...facts })) }),
  }
}

function outputOf(
  input: EditCallInput,
  planned: readonly PlannedChange[],
  results: readonly OperationResult[],
): EditOutput {
  const altering = planned.filter(({ changed }) => changed)
  const applied = input.dry_run ? [] : altering
  const diff = input.include_diff ? planDiff(planned) : undefined
  return {
    dry_run: input.dry_run,
    planned_count: altering.length,
    applied_count: applied.length,
    changed: applied.length > 0,
    would_change: altering.length > 0,
    changed_paths: applied.map(({ path }) => path),
    warnings: planned.flatMap(({ warning, path }) => (warning === undefined ? [] : [`${warning}: ${path}`])),
    files: planned.map((change) => fileEntry(change, results[altering.indexOf(change)])),
    ...(diff === undefined ? {} : { diff: diff.diff }),
    ...(diff?.truncated === true ? { diff_truncated: true } : {}),
  }
}

/**
 * Plans a batch of changes and applies all of them or none (files-and-git.md §4.1, §4.4).
 * @throws ToolError the first failing change's, `workspace_busy`, `storage_full`, `edit_failed`, `workspace_missing`.
 */
export async function applyTextEdits(input: EditCallInput, call: FileCall): Promise<EditOutput> {
  const changes = checkChanges(input.changes)
  const tree = await projectTree(call)
  const { fs } = call.runner()
  let planned = await fs.withRoot(tree, (root) => planChanges(root, changes))
  const operations = operationsOf(planned)
  if (input.dry_run || operations.length === 0) return outputOf(input, planned, [])
  const { results } = await fs.applyBatch(tree, {
    callId: call.callId,
    invocationId: call.invocationId,
    plan: { operations },
    async replan(root) {
      planned = await planChanges(root, changes)
      return { operations: operationsOf(planned) }
    },
    lockWaitMs: Math.max(0, Math.min(LOCK_WAIT_MS, call.deadline.remaining() - LEAD_MS)),
  })
  return outputOf(input, planned, results)
}
