import { z } from "zod"
import { textSchema } from "../../kernel/text-schema.ts"
import { TEXT_ENCODINGS } from "../encodings.ts"
import { targetFields } from "../read-schema.ts"
import { changesSchema } from "./changes.ts"

const count = z.number().int().min(0)
const path = textSchema(1, 512)
const sha256 = textSchema(64, 64)

/** Input of `apply_text_edits`. */
export const editInputSchema = z.strictObject({
  ...targetFields,
  changes: changesSchema,
  dry_run: z.boolean().default(false).describe("Check and plan only."),
  include_diff: z.boolean().default(false).describe("Return a unified diff of what changes."),
})

/** What a call of `apply_text_edits` asks for. */
export type EditCallInput = z.output<typeof editInputSchema>

/** One file of the answer. */
export const editedFileSchema = z.object({
  index: count.describe("Position of the change."),
  kind: z.enum(["edit", "create", "replace"]).describe("Kind of the change."),
  path: path.describe("Normalised path."),
  resolved_path: path.describe("Real path, when a link was followed.").optional(),
  changed: z.boolean().describe("Its bytes differ, or would."),
  old_sha256: sha256.describe("Hash before.").optional(),
  new_sha256: sha256.describe("Hash after.").optional(),
  size_bytes: count.describe("Bytes after.").optional(),
  encoding: z.enum(TEXT_ENCODINGS).describe("Encoding written.").optional(),
  newline: z.enum(["lf", "crlf", "mixed", "none"]).describe("Line ends after.").optional(),
  hard_links: count.describe("Names of the old inode, when several; the others keep the old bytes.").optional(),
  owner_changed: z.boolean().describe("Owner or group could not be kept.").optional(),
  edits: z
    .array(
      z.object({
        index: count.describe("Position of the edit."),
        matches: count.describe("Places replaced."),
        start_line: count.describe("First line of the first place, before."),
        end_line: count.describe("Last line of the last place, before."),
        new_line_count: count.describe("Lines of the new text."),
      }),
    )
    .max(20)
    .describe("What each edit did.")
    .optional(),
})

/** Output of `apply_text_edits`. */
export const editOutputSchema = z.object({
  dry_run: z.boolean().describe("Nothing was written."),
  planned_count: count.describe("Changes that alter something."),
  applied_count: count.describe("Changes that altered the disk."),
  changed: z.boolean().describe("The disk was altered."),
  would_change: z.boolean().describe("The plan alters something."),
  changed_paths: z.array(path).max(32).describe("Paths altered on disk."),
  warnings: z
    .array(textSchema(1, 600))
    .max(16)
    .describe("case_twin: a name differs in case alone from an existing one."),
  files: z.array(editedFileSchema).max(16).describe("One entry a change."),
  diff: z.string().describe("Unified diff.").optional(),
  diff_truncated: z.boolean().describe("The diff is not whole.").optional(),
})

/** What `apply_text_edits` answers. */
export type EditOutput = z.output<typeof editOutputSchema>
