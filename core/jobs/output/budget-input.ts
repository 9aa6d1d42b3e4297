import { z } from "zod"

const MAX_LINES = 2 ** 31 - 1

const lineCount = (text: string) => z.int().min(0).max(MAX_LINES).describe(text).optional()

/** The `budget` field of tools that return output (shells.md §4.4): grep, then keep, then max_chars, per stream. */
export const budgetInput = z
  .strictObject({
    grep: z
      .strictObject({
        pattern: z.string().min(1).max(4096).describe("RE2, per line."),
        context: z.int().min(0).max(1000).default(0).describe("Around."),
      })
      .describe("Matches.")
      .optional(),
    keep: z
      .strictObject({
        mode: z.enum(["all", "tail", "head", "head_tail"]).describe("End."),
        n: lineCount("Lines."),
        head: lineCount("First."),
        tail: lineCount("Last."),
      })
      .describe("Then lines.")
      .optional(),
    max_chars: z.int().min(0).max(1_000_000).describe("Then these.").optional(),
  })
  .describe("Shown.")

/** A parsed `budget` field. */
export type BudgetInput = z.infer<typeof budgetInput>
