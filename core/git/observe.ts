import type { z } from "zod"
import { parsePath } from "../files/paths.ts"
import { type FileCall, projectTree } from "../files/project-tree.ts"
import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import type { DiffFile, DiffRequest } from "./diff.ts"
import type { Git, GitTree } from "./git.ts"
import type { DiffInput, diffOutputSchema, statusInputSchema, statusOutputSchema } from "./git-schema.ts"
import type { GitRun } from "./run.ts"

/** What the git tools use of a call. */
export interface GitCall extends Omit<FileCall, "runner">, Pick<Call, "requireProject"> {
  runner(): { readonly git: Git }
}

const WHOLE_MS = 30_000
const LEAD_MS = 2000
/** The members of a page beside its files, and of the reply around it, as JSON. */
const PAGE_OVERHEAD = 1200
const SMALLEST_PAGE = 256

/** The repository that a call's Project works in. @throws as `projectTree`. */
export async function gitTree(call: Omit<GitCall, "runner">): Promise<GitTree> {
  const tree = await projectTree(call)
  return call.requireProject().gitAboveRoot ? { ...tree, gitAboveRoot: true } : tree
}

/** How long git may run within a call: 30 s, or what is left less 2 s. */
export function gitRun(call: Pick<GitCall, "deadline" | "signal">): GitRun {
  return { timeoutMs: Math.max(0, Math.min(WHOLE_MS, call.deadline.remaining() - LEAD_MS)), signal: call.signal }
}

/** The state of the repository (files-and-git.md §5.2 `git_status`). @throws those of `Git.status`. */
export async function readStatus(
  input: z.output<typeof statusInputSchema>,
  call: GitCall,
): Promise<z.output<typeof statusOutputSchema>> {
  const request = { ...gitRun(call), limit: input.limit, details: true }
  const status = await call.runner().git.status(await gitTree(call), request)
  return { ...status, files: status.files.map((file) => ({ ...file })) }
}

/** `base` and `head` belong to `range`, and to nothing else. */
function checkSides({ mode, base, head }: DiffInput): void {
  const given = [...(base === undefined ? [] : ["base"]), ...(head === undefined ? [] : ["head"])]
  if (mode !== "range" && given.length > 0) {
    throw new ToolError("invalid_arguments", "base and head belong to mode range; leave them out, or set the mode.", {
      details: { conflicting_fields: [...given, "mode"] },
    })
  }
  const missing = ["base", "head"].filter((field) => !given.includes(field))
  if (mode === "range" && missing.length > 0) {
    throw new ToolError("invalid_arguments", "Mode range compares two revisions; send base and head.", {
      details: { missing_fields: missing },
    })
  }
}

function fileOut({ hunks, ...file }: DiffFile): z.output<typeof diffOutputSchema>["files"][number] {
  if (hunks === undefined) return file
  return { ...file, hunks: hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] })) }
}

/**
 * One page of a comparison (files-and-git.md §5.2 `git_diff`). It fits the reply as it will be shown, with its secrets
 * masked: a page that had to be shortened later would lose what its continuation is already past.
 * @throws those of `Git.diff`, `invalid_path`.
 */
export async function readDiff(input: DiffInput, call: GitCall): Promise<z.output<typeof diffOutputSchema>> {
  checkSides(input)
  const tree = await gitTree(call)
  const redactor = call.ports.secrets.redactor()
  const room = call.budget.chars - PAGE_OVERHEAD
  let maxBytes = Math.max(SMALLEST_PAGE, Math.min(input.max_bytes, room))
  for (;;) {
    const page = await call.runner().git.diff(tree, diffRequest(input, call, maxBytes))
    const shown = JSON.stringify(redactor.redactValue(page.files).value)
    if (shown.length <= room || maxBytes <= SMALLEST_PAGE) return { ...page, files: page.files.map(fileOut) }
    maxBytes = Math.max(SMALLEST_PAGE, Math.floor(maxBytes / 2))
  }
}

const diffRequest = (input: DiffInput, call: GitCall, maxBytes: number): DiffRequest => ({
  ...gitRun(call),
  mode: input.mode,
  ...(input.base === undefined ? {} : { base: input.base }),
  ...(input.head === undefined ? {} : { head: input.head }),
  paths: input.paths.map((path) => parsePath(path)),
  includeUntracked: input.include_untracked,
  format: input.format,
  maxBytes,
  ...(input.continuation === undefined ? {} : { continuation: input.continuation }),
})
