import { z } from "zod"
import { targetFields } from "../files/read-schema.ts"
import { textSchema } from "../kernel/text-schema.ts"

const count = z.int().min(0)
const objectId = textSchema(7, 64)
const path = z.string().describe("Path.")
const state = z.enum([
  "unmodified",
  "modified",
  "added",
  "deleted",
  "renamed",
  "copied",
  "type_changed",
  "unmerged",
  "untracked",
])

/** Input of `git_status` (files-and-git.md §5.2). */
export const statusInputSchema = z.strictObject({
  ...targetFields,
  limit: z.int().min(1).max(1000).default(200).describe("Most files to list; the counts are of all."),
})

const statusFileSchema = z.object({
  path,
  old_path: z.string().describe("Name before a rename.").optional(),
  index: state.describe("HEAD to index."),
  worktree: state.describe("Index to file."),
  conflict: z
    .enum([
      "both_deleted",
      "added_by_us",
      "deleted_by_them",
      "added_by_them",
      "deleted_by_us",
      "both_added",
      "both_modified",
    ])
    .describe("Sides of a conflict.")
    .optional(),
  submodule: z.boolean().describe("A submodule.").optional(),
  sensitive: z.boolean().describe("Content is held back.").optional(),
  filter_suppressed: z.boolean().describe("Its filter is never run; the state is unsure.").optional(),
  addressable: z.boolean().describe("False: no tool reaches the name.").optional(),
})

/** Output of `git_status`. */
export const statusOutputSchema = z.object({
  head: z
    .object({
      commit: objectId.describe("Full id.").optional(),
      branch: textSchema(1, 256).describe("Branch.").optional(),
      detached: z.boolean().describe("No branch."),
      unborn: z.boolean().describe("No commit yet."),
      subject: textSchema(0, 200).describe("First line of the message.").optional(),
    })
    .describe("Where HEAD is."),
  upstream: z
    .object({
      status: z.enum(["available", "absent", "gone"]).describe("State."),
      name: textSchema(1, 256).describe("Name.").optional(),
      ahead: count.describe("Commits only here.").optional(),
      behind: count.describe("Commits only there.").optional(),
    })
    .describe("The branch followed."),
  operation: z
    .enum(["none", "merge", "rebase", "cherry_pick", "revert", "bisect", "am"])
    .describe("What git is in the middle of."),
  clean: z.boolean().describe("Nothing changed, nothing untracked, of what was checked."),
  submodules_unchecked: count.describe("Submodules: their files are never checked.").optional(),
  counts: z
    .object({
      staged: count.describe("In the index."),
      unstaged: count.describe("In files."),
      untracked: count.describe("Unknown to git."),
      conflicted: count.describe("Unmerged."),
    })
    .describe("Numbers of paths."),
  files: z.array(statusFileSchema).describe("Changed paths in git's order."),
  files_total: count.describe("Changed paths in all."),
  files_truncated: z.boolean().describe("Paths are missing."),
  stash_count: count.describe("Stashes."),
})

/** Input of `git_diff`. */
export const diffInputSchema = z.strictObject({
  ...targetFields,
  mode: z
    .enum(["worktree", "staged", "head", "range"])
    .default("head")
    .describe("worktree: index to files; staged: HEAD to index; head: HEAD to files; range: merge base to head."),
  base: textSchema(1, 200).describe("Older revision, for range.").optional(),
  head: textSchema(1, 200).describe("Newer revision, for range.").optional(),
  paths: z
    .array(textSchema(0, 4096).describe("Literal path of a file or directory."))
    .max(50)
    .default([])
    .describe("Only these."),
  include_untracked: z.boolean().default(true).describe("Also untracked files, in worktree and head."),
  format: z.enum(["hunks", "stat"]).default("hunks").describe("stat: counts only, with the totals."),
  max_bytes: z.int().min(4096).max(98_304).default(32_768).describe("Bytes of one page."),
  continuation: textSchema(1, 512).describe("next_continuation of the page before.").optional(),
})

/** What a call of `git_diff` asks for. */
export type DiffInput = z.output<typeof diffInputSchema>

const hunkSchema = z.object({
  old_start: count.describe("First old line."),
  old_lines: count.describe("Old lines."),
  new_start: count.describe("First new line."),
  new_lines: count.describe("New lines."),
  lines: z.array(z.string()).describe("Lines with a space, +, - or \\ before them."),
  cut: z.boolean().describe("Goes on on the next page.").optional(),
  line_cut: z.boolean().describe("A line is shown in part.").optional(),
})

const diffFileSchema = z.object({
  path,
  old_path: z.string().describe("Name before a rename.").optional(),
  status: state.describe("Kind of change."),
  insertions: count.describe("Lines added, where counted.").optional(),
  deletions: count.describe("Lines removed, where counted.").optional(),
  binary: z.boolean().describe("No text.").optional(),
  mode_change: z
    .object({ from: textSchema(6, 6).describe("Old mode."), to: textSchema(6, 6).describe("New mode.") })
    .describe("File modes.")
    .optional(),
  withheld: z.enum(["sensitive"]).describe("Content is held back.").optional(),
  filter_suppressed: z.boolean().describe("Its filter is never run.").optional(),
  submodule: z.boolean().describe("A submodule.").optional(),
  addressable: z.boolean().describe("False: no tool reaches the name.").optional(),
  hunks: z.array(hunkSchema).describe("Changed lines.").optional(),
})

/** Output of `git_diff`. */
export const diffOutputSchema = z.object({
  merge_base: objectId.describe("Where range starts.").optional(),
  files: z.array(diffFileSchema).describe("Changed paths, untracked ones last."),
  has_more: z.boolean().describe("A page follows."),
  next_continuation: textSchema(1, 512).describe("Token of the next page.").optional(),
  files_total: count.describe("Of the whole, with stat.").optional(),
  insertions: count.describe("Of the whole, with stat.").optional(),
  deletions: count.describe("Of the whole, with stat.").optional(),
})
