import type { BatchOperation, BatchPlan } from "../../../../core/files/edits/batch.ts"
import type { RootHandle } from "../../../../core/files/fs.ts"
import { isToolError, ToolError } from "../../../../core/kernel/error.ts"
import type { PathAccess } from "./access.ts"
import { hashOnly } from "./bytes.ts"
import { stampOf } from "./stamp.ts"

const REHASH_BYTES = 1024 * 1024

async function isSourceCurrent(access: PathAccess, root: RootHandle, operation: BatchOperation): Promise<boolean> {
  if (operation.kind === "create") {
    await root.freeName(operation.path)
    return true
  }
  const { stamp, sha256 } = operation.source
  if (stamp.sizeBytes > REHASH_BYTES) {
    const { at } = access.find(operation.path, "write")
    return "stat" in at && stampOf(at.stat).version === stamp.version
  }
  const now = await root.read(operation.path, { limitBytes: REHASH_BYTES, forWrite: true, sink: hashOnly })
  return now.sha256 === sha256
}

const changed = (): ToolError =>
  new ToolError("changed_during_read", "A file kept changing while its edit was planned; send the same call again.")

/**
 * Why a plan no longer holds, or undefined when every source is still what it was planned from: hashed again, or over
 * 1 MiB compared by its stamp, since time stamps alone are too coarse for small files (files-and-git.md §4.4).
 */
export async function findStale(access: PathAccess, root: RootHandle, plan: BatchPlan): Promise<ToolError | undefined> {
  try {
    for (const operation of plan.operations) {
      if (!(await isSourceCurrent(access, root, operation))) return changed()
    }
    return undefined
  } catch (error) {
    if (isToolError(error)) return error
    throw error
  }
}
