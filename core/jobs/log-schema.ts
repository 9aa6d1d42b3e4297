import { z } from "zod"
import { jobIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { jobStatusSchema, observationTokenSchema, outcomeSchema } from "./output-schema.ts"

const count = z
  .number()
  .int()
  .min(0)
  .max(2 ** 47)

const matchSchema = z.object({
  line: count.optional().describe("Absent where it cannot be known behind dropped bytes."),
  byte: count,
  text: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
})

/** One stream as `job_log` shows it (spec exec-and-jobs.md §7.2); offsets are spool offsets. */
export const streamSchema = z.object({
  text: z.string().optional(),
  base64: z.string().optional(),
  from_byte: count,
  next_byte: count,
  from_line: count.optional(),
  next_line: count.optional(),
  line_cut: z
    .literal(true)
    .optional()
    .describe(
      "The last line shown is longer than a page: its rest is at next_byte (from_byte), the line after it is next_line.",
    ),
  bytes_total: count,
  lines_total: count,
  dropped_bytes: count,
  gap: z.object({ from_byte: count, to_byte: count }).optional(),
  matches: z.array(matchSchema).optional(),
  more: z.boolean(),
  complete: z.boolean(),
})
export type StreamView = z.infer<typeof streamSchema>

const tailSchema = streamSchema.omit({ base64: true, matches: true })

const logMembers = {
  status: jobStatusSchema,
  terminal: z.boolean(),
  outcome: outcomeSchema.optional(),
  exit_code: z.number().int().min(0).max(255).nullable().optional(),
  log_delta_status: z.enum(["baseline", "delta", "unchanged", "reset"]),
  stdout: streamSchema.optional(),
  stderr: streamSchema.optional(),
  observation_token: observationTokenSchema,
  output_state: z.enum(["available", "evicted"]),
}

/** What `job_log` answers. */
export const logOutputSchema = z.object({
  job_id: jobIdSchema,
  ...logMembers,
  wait_outcome: z.enum(["changed", "terminal", "timeout"]).optional(),
})
export type LogOutput = z.infer<typeof logOutputSchema>

/** What `observe_jobs` answers: one result an item, an unknown Job fails alone. */
export const observeOutputSchema = z.object({
  results: z
    .array(
      z.object({
        job_id: jobIdSchema,
        ok: z.boolean(),
        error_kind: z
          .string()
          .regex(/^[a-z_]{1,40}$/)
          .optional(),
        status: logMembers.status.optional(),
        terminal: z.boolean().optional(),
        outcome: logMembers.outcome,
        exit_code: logMembers.exit_code,
        log_delta_status: logMembers.log_delta_status.optional(),
        stdout: tailSchema.optional(),
        stderr: tailSchema.optional(),
        observation_token: logMembers.observation_token.optional(),
        output_state: logMembers.output_state.optional(),
      }),
    )
    .max(8),
  wait_outcome: z.enum(["changed", "terminal", "timeout"]).optional(),
})
export type ObserveOutput = z.infer<typeof observeOutputSchema>

const tokenSchema = textSchema(1, 192).describe("Token of an earlier answer: only what came after it.")
const waitSchema = z.int().min(1).max(60).describe("Seconds to wait for something new.")
const wakeSchema = z.enum(["change", "terminal"]).default("change").describe("What ends the wait.")

/** The input of `job_log`: one of five modes. */
export const logInputSchema = z.strictObject({
  job_id: jobIdSchema.describe("The Job."),
  tail_lines: z.int().min(1).max(2000).describe("Mode: last lines; default mode with 200.").optional(),
  from_line: z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31)
    .describe("Mode: from this line on, 1-based; negative counts from the end.")
    .optional(),
  max_lines: z.int().min(1).max(2000).describe("With from_line; default 500.").optional(),
  from_byte: z
    .int()
    .min(0)
    .max(2 ** 47)
    .describe("Mode: from this offset on; with grep_pattern, where to begin.")
    .optional(),
  max_bytes: z.int().min(1).max(1_048_576).describe("With from_byte; default 65536.").optional(),
  grep_pattern: textSchema(1, 4096).describe("Mode: lines that match this RE2 pattern.").optional(),
  context_lines: z.int().min(0).max(20).describe("With grep_pattern: lines around a match.").optional(),
  max_matches: z.int().min(1).max(500).describe("With grep_pattern; default 100.").optional(),
  after_observation_token: tokenSchema.optional(),
  stream: z.enum(["stdout", "stderr", "both"]).default("both").describe("from_line and from_byte need one."),
  view: z.enum(["clean", "raw"]).default("clean").describe("clean takes terminal control sequences out."),
  encoding: z.enum(["text", "base64"]).default("text").describe("base64 needs view raw."),
  wait_secs: waitSchema.describe("Seconds to wait for something new; with a token or from_byte only.").optional(),
  wake_on: wakeSchema,
})
export type LogInput = z.output<typeof logInputSchema>

/** The input of `observe_jobs`. */
export const observeInputSchema = z.strictObject({
  items: z
    .array(
      z.strictObject({
        job_id: jobIdSchema.describe("The Job."),
        after_observation_token: tokenSchema.optional(),
      }),
    )
    .min(1)
    .max(8)
    .describe("The Jobs, each once."),
  tail_lines: z.int().min(1).max(200).default(40).describe("Last lines of a Job without token."),
  wait_secs: waitSchema.optional(),
  wake_on: wakeSchema,
})
