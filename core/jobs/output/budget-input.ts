import { z } from "zod"

const MAX_LINES = 2 ** 31 - 1

const lineCount = (text: string) => z.int().min(0).max(MAX_LINES).describe(text).optional()

/** The `budget` field of tools that return output (shells.md §4.4): grep, then keep, then max_chars, per stream. */
export const budgetInput = z
  .strictObject({
    grep: z
      .strictObject({
        pattern: z.string().min(1).max(4096).describe("RE2 pattern, tried on each line."),
        context: z.int().min(0).max(1000).default(0).describe("Lines shown before and after each matching line."),
      })
      .describe("Keeps the lines that match.")
      .optional(),
    keep: z
      .strictObject({
        mode: z.enum(["all", "tail", "head", "head_tail"]).describe("Which end of the lines is kept."),
        n: lineCount("Lines to keep; 0 if missing."),
        head: lineCount("head_tail: lines of the beginning; n if missing."),
        tail: lineCount("head_tail: lines of the end; n if missing."),
      })
      .describe("Keeps lines by their place, after grep.")
      .optional(),
    max_chars: z
      .int()
      .min(0)
      .max(1_000_000)
      .describe("Most characters, after keep: half from the beginning, half from the end.")
      .optional(),
  })
  .describe("Which part of each stream is returned; the whole output stays readable with job_log.")

/** A parsed `budget` field. */
export type BudgetInput = z.infer<typeof budgetInput>
