import { z } from "zod"
import { textSchema } from "../kernel/text-schema.ts"
import { slugSchema } from "../projects/slug.ts"
import { batchFields } from "./batch-reply.ts"
import { TEXT_ENCODINGS } from "./encodings.ts"
import { itemErrorSchema } from "./item-error.ts"

const MAX_POSITION = 1_000_000_000
const count = z.number().int().min(0)

/** The input fields that name a tool's target. */
export const targetFields = {
  project: slugSchema.describe("Project slug."),
  session_id: textSchema(1, 64).describe("Session worked in.").optional(),
}

/** Input of `read_files`. */
export const readInputSchema = z.strictObject({
  ...targetFields,
  items: z
    .array(
      z.strictObject({
        path: textSchema(0, 4096).describe("File path relative to the Project root."),
        start_line: z.int().min(1).max(MAX_POSITION).default(1).describe("First line, from 1."),
        limit: z.int().min(1).max(2000).default(2000).describe("Most lines to return."),
        start_char: z.int().min(0).max(MAX_POSITION).default(0).describe("Code points of start_line to skip."),
        encoding: z.enum(TEXT_ENCODINGS).describe("Text encoding; left out: detected.").optional(),
      }),
    )
    .min(1)
    .max(8)
    .describe("Pages to read, in order."),
  with_line_numbers: z.boolean().default(false).describe("Prefix each line with its number and a tab."),
})

/** What a call of `read_files` asks for. */
export type ReadInput = z.output<typeof readInputSchema>

/** One item of the answer: a page with the facts of its file, or an error. */
export const readItemSchema = z.object({
  index: count.describe("Position in the request."),
  path: textSchema(0, 512).describe("Normalised path."),
  success: z.boolean().describe("False: only error follows."),
  text: z.string().describe("The page.").optional(),
  format: z.enum(["plain", "numbered"]).describe("Whether lines are numbered.").optional(),
  encoding: z.enum(TEXT_ENCODINGS).describe("Encoding used.").optional(),
  bom: z.boolean().describe("A byte-order mark precedes the text.").optional(),
  newline: z.enum(["lf", "crlf", "mixed", "none"]).describe("Line ends of the file.").optional(),
  lossy: z.boolean().describe("Some bytes are shown as U+FFFD.").optional(),
  invalid_bytes: count.describe("Invalid UTF-8 bytes in the page.").optional(),
  sha256: textSchema(64, 64).describe("Hash of all bytes on disk.").optional(),
  size_bytes: count.describe("Bytes on disk.").optional(),
  total_lines: count.describe("Lines of the file.").optional(),
  start_line: count.describe("First line of the page.").optional(),
  end_line: count.describe("Last line; start_line - 1 when empty.").optional(),
  has_more: z.boolean().describe("The file goes on.").optional(),
  next: z
    .object({ start_line: count.describe("Line."), start_char: count.describe("Code points into it.") })
    .describe("Where the next page starts.")
    .optional(),
  line_cut: z.boolean().describe("The last line is continued by next.").optional(),
  resolved_path: textSchema(1, 512).describe("Real path, when a link was followed.").optional(),
  executable: z.boolean().describe("The file is executable.").optional(),
  redactions: count.describe("Secrets masked in text.").optional(),
  error: itemErrorSchema.describe("Why the item failed.").optional(),
})

/** Output of `read_files`. */
export const readOutputSchema = z.object({
  items: z.array(readItemSchema).max(8).describe("Items in request order."),
  ...batchFields,
})
