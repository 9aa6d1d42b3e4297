import { z } from "zod"
import { executionStateSchema, observationTokenSchema, outcomeSchema, survivorsSchema } from "../jobs/output-schema.ts"
import { jobIdSchema } from "../kernel/ids.ts"
import { expectationSchema } from "../validation/expectation.ts"
import { RESTART_REASONS, SHELL_STATES } from "./record.ts"

const MAX_PATH = 4096
const MAX_SHOWN_COMMAND = 2001

const count = z.number().int()
const byStream = z.object({ stdout: count, stderr: count })
const signal = z.string().regex(/^SIG[A-Z0-9+-]{1,12}$/)
const budgetReport = z.object({ mode: z.string().max(40), lines_total: count, lines_kept: count })

/** Live children that a shell's command started, one entry a tree (spec shells.md §4.1). */
export const shellBackgroundSchema = z
  .array(z.object({ pid: count, command: z.string().max(80), holds_output: z.boolean() }))
  .max(8)

/** What was kept and lost when a shell went on in a new process (spec shells.md §5.6). */
export const restartSchema = z.object({
  reason: z.enum(RESTART_REASONS),
  exit_code: count.optional(),
  signal: signal.optional(),
  snapshot: z.enum(["exit", "idle", "none"]),
  commands_behind: count,
  lost: z.array(z.string().max(200)).max(8),
  cwd_lost: z.boolean().optional(),
})

const execShape = {
  stdout: z.string(),
  stderr: z.string(),
  exit_code: count.nullable(),
  duration_ms: z.number(),
  cwd: z.string().max(MAX_PATH),
  truncated: z.boolean(),
  timed_out: z.boolean(),
  job_id: jobIdSchema,
  execution_state: executionStateSchema,
  outcome: outcomeSchema.optional(),
  bytes_total: byStream,
  lines_total: byStream,
  signal: signal.optional(),
  queued_ms: z.number().optional(),
  promoted_to_job: z.literal(true).optional(),
  observation_token: observationTokenSchema.optional(),
  budget: z.object({ stdout: budgetReport.optional(), stderr: budgetReport.optional() }).optional(),
  hint: z.string().max(300).optional(),
  binary: z.object({ stdout: z.literal(true).optional(), stderr: z.literal(true).optional() }).optional(),
  background: shellBackgroundSchema.optional(),
  background_total: count.optional(),
  late_output: z
    .array(z.object({ job_id: jobIdSchema, bytes: count }))
    .max(8)
    .optional(),
  shell_restarted: restartSchema.optional(),
  survivors: survivorsSchema.optional(),
  survivors_total: count.optional(),
  int_trap_reset: z.literal(true).optional(),
  cwd_deleted: z.literal(true).optional(),
  output_gap: z.literal(true).optional(),
}

/** What both families answer of a command (spec shells.md §4.1). */
export const execResultSchema = z.object(execShape)
export type ExecResult = z.infer<typeof execResultSchema>

/** The ExecResult of a free shell. */
export const freeExecSchema = z.object({
  session_id: z.string().max(200),
  command: z.string().max(MAX_SHOWN_COMMAND),
  ...execShape,
})
export type FreeExec = z.infer<typeof freeExecSchema>

/** Life of a shell as callers see it. */
export const shellStateSchema = z.enum(SHELL_STATES)

/** The ExecResult of a bound shell. */
export const boundExecSchema = z.object({
  shell_id: z.string().max(64),
  shell_state: shellStateSchema,
  busy: z.boolean(),
  ...execShape,
  expectation: expectationSchema.optional(),
})
export type BoundExec = z.infer<typeof boundExecSchema>

/** What is cut first when a reply is too long. */
export const execReductions = [
  { at: "stdout", kind: "text", min: 300 },
  { at: "stderr", kind: "text", min: 300 },
  { at: "background", kind: "list", min: 0 },
  { at: "late_output", kind: "list", min: 0 },
  { at: "survivors", kind: "list", min: 0 },
  { at: "outcome.then.survivors", kind: "list", min: 0 },
  { at: "shell_restarted.lost", kind: "list", min: 0 },
  { at: "cwd", kind: "text", min: 200 },
] as const
