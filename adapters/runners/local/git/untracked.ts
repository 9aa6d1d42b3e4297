import type { ByteSink, RootHandle } from "../../../../core/files/fs.ts"
import type { ProjectPath } from "../../../../core/files/paths.ts"
import type { DiffFile } from "../../../../core/git/diff.ts"
import type { HunkStart } from "../../../../core/git/patch-reader.ts"
import { isToolError } from "../../../../core/kernel/error.ts"

/** An untracked file as a comparison shows it: all of it is new. */
export interface UntrackedDiff {
  readonly file: DiffFile
  readonly hunk?: { readonly start: HunkStart; readonly lines: readonly string[] }
}

const SHOWN_BYTES = 1024 * 1024
const SNIFFED_BYTES = 8000
const NO_NEWLINE = "\\ No newline at end of file"

function collector(): ByteSink<Buffer> {
  const chunks: Buffer[] = []
  return {
    push: (chunk) => {
      chunks.push(Buffer.from(chunk))
    },
    end: () => Buffer.concat(chunks),
  }
}

function linesOf(bytes: Buffer): readonly string[] {
  const text = bytes.toString("utf8")
  if (text === "") return []
  const lines = text.split("\n").map((line) => `+${line}`)
  return text.endsWith("\n") ? lines.slice(0, -1) : [...lines, NO_NEWLINE]
}

function diffOf(path: string, bytes: Buffer): UntrackedDiff {
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return { file: { path, status: "untracked", binary: true } }
  const lines = linesOf(bytes)
  const insertions = lines.filter((line) => line.startsWith("+")).length
  const file: DiffFile = { path, status: "untracked", insertions, deletions: 0 }
  if (lines.length === 0) return { file }
  return { file, hunk: { start: { oldStart: 0, oldLines: 0, newStart: 1, newLines: insertions }, lines } }
}

/** Kinds after which a file is shown by its name only: it is too large, no regular file, or not there any more. */
const NAME_ONLY = new Set([
  "file_too_large",
  "not_regular_file",
  "not_found",
  "path_escapes_root",
  "symlink_loop",
  "file_access_denied",
  "changed_during_read",
  "sensitive_path",
  "protected_path",
])

/** Reads one untracked file through the Project's own rules; a link is shown by its name only. */
export async function readUntracked(root: RootHandle, path: ProjectPath, signal?: AbortSignal): Promise<UntrackedDiff> {
  const named: UntrackedDiff = { file: { path, status: "untracked" } }
  try {
    const options = { limitBytes: SHOWN_BYTES, sink: collector, ...(signal === undefined ? {} : { signal }) }
    const { resolved, content } = await root.read(path, options)
    return resolved.resolvedPath === path ? diffOf(path, content) : named
  } catch (error) {
    if (isToolError(error) && NAME_ONLY.has(error.kind)) return named
    throw error
  }
}
