import { z } from "zod"

const MAX_LINES = 2 ** 31 - 1

const lineCount = (text: string) => z.int().min(0).max(MAX_LINES).describe(text).optional()

/** The `budget` field of tools that return output (shells.md §4.4): grep, then keep, then max_chars, per stream. */
export const budgetInput = z
  .strictObject({
    grep: z
      .strictObject({
        pattern: z.string().min(1).max(4096).describe("RE2 pattern, matched per line."),
        context: z.int().min(0).max(1000).default(0).describe("Lines around a match."),
      })
      .describe("Only lines that match.")
      .optional(),
    keep: z
      .strictObject({
        mode: z.enum(["all", "tail", "head", "head_tail"]).describe("Which end of the lines is kept."),
        n: lineCount("Lines of head or tail; of each where head_tail names none."),
        head: lineCount("head_tail: first lines."),
        tail: lineCount("head_tail: last lines."),
      })
      .describe("Of these lines, which to keep.")
      .optional(),
    max_chars: z.int().min(0).max(1_000_000).describe("Then most characters a stream.").optional(),
  })
  .describe("Shown per stream: lines matching grep (RE2), then keep n (head_tail: head, tail), then max_chars.")

/** A parsed `budget` field. */
export type BudgetInput = z.infer<typeof budgetInput>
