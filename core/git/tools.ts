import { defineTool } from "../kernel/definition.ts"
import { diffInputSchema, diffOutputSchema, statusInputSchema, statusOutputSchema } from "./git-schema.ts"
import { readDiff, readStatus } from "./observe.ts"

/** `git_status` (files-and-git.md §5.2). */
export const gitStatusTool = defineTool({
  name: "git_status",
  title: "Git status",
  description:
    "State of the Project's repository: HEAD, upstream, running operation, counts, changed and untracked paths, stashes. Nothing is written, and no command of the repository's configuration runs.",
  category: "git",
  input: statusInputSchema,
  output: statusOutputSchema,
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["project:read"],
  target: { project: "required", session: "optional", chat: "optional" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "enumerate",
  deadline: "wait",
  surfaces: [],
  touches: () => ({ reads: ["."], writes: [] }),
  record: {
    output: (output) => ({
      change_summary: true,
      clean: output.clean,
      operation: output.operation,
      files_total: output.files_total,
      staged: output.counts.staged,
      unstaged: output.counts.unstaged,
      untracked: output.counts.untracked,
      conflicted: output.counts.conflicted,
    }),
    evidence: () => ({ state_changed: false }),
  },
  reduce: [{ at: "files", kind: "list", min: 0 }],
  verbatim: ["head.commit"],
  handler: readStatus,
})

/** `git_diff` (files-and-git.md §5.2). */
export const gitDiffTool = defineTool({
  name: "git_diff",
  title: "Git diff",
  description:
    "Compares HEAD, index, files or two revisions: hunks by pages, or counts with totals. Untracked files show as added. A continuation is refused once HEAD, the index or a changed file moved on.",
  category: "git",
  input: diffInputSchema,
  output: diffOutputSchema,
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["project:read"],
  target: { project: "required", session: "optional", chat: "optional" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "review",
  deadline: "wait",
  surfaces: ["coding"],
  touches: (input) => ({ reads: input.paths.length === 0 ? ["."] : input.paths, writes: [] }),
  record: {
    input: (input) => ({ mode: input.mode, format: input.format, path_count: input.paths.length }),
    output: (output) => ({
      file_count: output.files.length,
      has_more: output.has_more,
      diff_review: output.files.some((file) => file.hunks !== undefined),
    }),
    evidence: () => ({ state_changed: false }),
  },
  reduce: [{ at: "files", kind: "list", min: 0 }],
  verbatim: ["merge_base", "next_continuation"],
  handler: readDiff,
})

/** The git tools, in catalogue order. */
export const gitTools = [gitStatusTool, gitDiffTool] as const
