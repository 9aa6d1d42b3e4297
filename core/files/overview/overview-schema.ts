import { z } from "zod"
import { textSchema } from "../../kernel/text-schema.ts"
import { targetFields } from "../read-schema.ts"

const count = z.int().min(0)
const path = z.string().describe("Path from the Project root.")

/** Input of `project_overview` (files-and-git.md §2.6). */
export const overviewInputSchema = z.strictObject({
  ...targetFields,
  path: textSchema(0, 4096).describe("Directory to look at; left out: the Project root.").optional(),
  max_depth: z.int().min(1).max(4).default(2).describe("Levels of directories."),
  limit: z.int().min(20).max(500).default(200).describe("Most names to look at."),
})

/** Most warnings of one overview. */
export const MAX_WARNINGS = 8

/** Output of `project_overview`. */
export const overviewOutputSchema = z.object({
  project_types: z
    .array(z.object({ type: textSchema(1, 32).describe("Kind."), evidence_path: path }))
    .describe("What the names say it is."),
  manifests: z.array(path).describe("Files that list its parts."),
  key_files: z.array(path).describe("Files for newcomers."),
  roots: z
    .array(z.object({ path, role: z.enum(["source", "test", "docs", "config"]).describe("Purpose.") }))
    .describe("Directories with a purpose."),
  top_level: z
    .array(
      z.object({
        name: z.string().describe("Name."),
        kind: z.enum(["file", "directory", "symlink", "other"]).describe("Kind."),
        sensitive: z.boolean().describe("Content is held back.").optional(),
        addressable: z.boolean().describe("False: no tool reaches the name.").optional(),
      }),
    )
    .describe("Names at path."),
  suggested_next_reads: z.array(path).describe("Files worth reading first."),
  warnings: z.array(textSchema(1, 1000)).max(MAX_WARNINGS).describe("What a person should look at.").optional(),
  git: z
    .object({
      available: z.boolean().describe("The Project has a repository."),
      branch: textSchema(1, 256).describe("Branch.").optional(),
      head: textSchema(7, 64).describe("Full commit id.").optional(),
      clean: z.boolean().describe("Nothing changed, nothing untracked.").optional(),
    })
    .describe("The repository."),
  path_confinement: z.enum(["anchored", "checked"]).describe("How paths are kept inside the root."),
  scan: z
    .object({
      entries: count.describe("Names met."),
      truncated: z.boolean().describe("More exist within the depth."),
      skipped: z
        .object({
          bulk: count.describe("Bulk trees not entered."),
          ignored: count.describe("Ignored directories not entered."),
          guard: count.describe("Names the folder guard hides."),
        })
        .describe("What was left out."),
    })
    .describe("What the answer rests on."),
})
