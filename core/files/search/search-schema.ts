import { z } from "zod"
import { textSchema } from "../../kernel/text-schema.ts"
import { batchFields } from "../batch-reply.ts"
import { itemErrorSchema } from "../item-error.ts"
import { targetFields } from "../read-schema.ts"

const count = z.int().min(0)
const globs = (what: string) => z.array(textSchema(1, 256).describe("Glob.")).max(32).default([]).describe(what)

/** Input of `search_project_texts` (files-and-git.md §3). */
export const searchInputSchema = z.strictObject({
  ...targetFields,
  queries: z
    .array(
      z.strictObject({
        pattern: textSchema(1, 1024).describe("RE2, matched line by line."),
        literal: z.boolean().default(false).describe("Take pattern as plain text."),
        ignore_case: z.boolean().default(false).describe("Match in any case."),
        path: textSchema(0, 4096).describe("Directory or file; default: the Project.").optional(),
        include_globs: globs("Only matching files; without / by base name."),
        exclude_globs: globs("Leave out matching files and directories."),
        include_ignored: z.boolean().default(false).describe("Also ignored files and bulk trees."),
        result_mode: z
          .enum(["matches", "files_with_matches", "count"])
          .default("matches")
          .describe("Lines, files, or lines per file."),
        limit: z.int().min(1).max(1000).default(100).describe("Most records."),
        offset: z.int().min(0).max(100_000).default(0).describe("Records to skip."),
        context_before: z.int().min(0).max(20).default(0).describe("Lines before a match."),
        context_after: z.int().min(0).max(20).default(0).describe("Lines after a match."),
        timeout_secs: z.int().min(1).max(120).default(20).describe("Returns what is found by then."),
      }),
    )
    .min(1)
    .max(8)
    .describe("Searches, answered in order."),
})

/** What a call of `search_project_texts` asks for. */
export type SearchInput = z.output<typeof searchInputSchema>

const matchSchema = z.object({
  path: textSchema(1, 512).describe("File."),
  line: count.describe("Line, from 1."),
  column: count.describe("Of the first match, in code points, from 1."),
  preview: z.string().describe("The line round the first match."),
  preview_cut: z.boolean().describe("Lines are shown in part.").optional(),
  before: z.array(z.string()).describe("Lines before.").optional(),
  after: z.array(z.string()).describe("Lines after.").optional(),
})

const fileSchema = z.object({
  path: textSchema(1, 512).describe("File."),
  match_count: count.describe("Matching lines.").optional(),
})

/** One search's answer: a page of records, or an error. */
export const searchItemSchema = z.object({
  index: count.describe("Position in the request."),
  success: z.boolean().describe("False: only error follows."),
  matches: z.array(matchSchema).describe("Matching lines in order of path and line.").optional(),
  files: z.array(fileSchema).describe("Matching files in order of path.").optional(),
  returned: count.describe("Records returned.").optional(),
  complete: z.boolean().describe("No record follows the last one.").optional(),
  truncation_reason: z.enum(["limit", "output_bytes", "timeout"]).describe("Why more may follow.").optional(),
  next_offset: count.describe("offset of the next page.").optional(),
  total_matches: count.describe("Matching lines in all, mode count.").optional(),
  backend: z.enum(["rg", "native"]).describe("Engine.").optional(),
  effective_timeout_secs: z.number().describe("Time the search had.").optional(),
  not_searched: z
    .array(z.enum(["sensitive", "ignored", "bulk", "guard"]))
    .max(4)
    .describe("Classes of files left out by rule.")
    .optional(),
  error: itemErrorSchema.describe("Why the search failed.").optional(),
})

/** Output of `search_project_texts`. */
export const searchOutputSchema = z.object({
  items: z.array(searchItemSchema).max(8).describe("Answers in request order."),
  ...batchFields,
})
