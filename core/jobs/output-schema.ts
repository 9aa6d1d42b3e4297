import { z } from "zod"
import { EXECUTION_STATES } from "../kernel/errors/row.ts"
import { jobIdSchema } from "../kernel/ids.ts"
import { expectationSchema } from "../validation/expectation.ts"
import { JOB_STATUSES, type Job, type Outcome } from "./record.ts"

const count = z.number().int()
const word = z.string().regex(/^[a-z_]{1,40}$/)
const signal = z.string().regex(/^SIG[A-Z0-9+-]{1,12}$/)

/** An observation token as it is handed out (spec exec-and-jobs.md §7.3). */
export const observationTokenSchema = z.string().regex(/^jo1_[A-Za-z0-9_-]{1,180}$/)
const byStream = z.object({ stdout: count, stderr: count })
const command = z.string().max(80)
const survivor = z.object({ pid: count, started_at: z.number(), command })
const then = z.object({
  exit_code: count.optional(),
  signal: signal.optional(),
  survivors: z.array(survivor).max(8),
})

/** Processes that our signals could not end (spec exec-and-jobs.md §8.2). */
export const survivorsSchema = z.array(survivor).max(8)

/** The statuses of a Job as callers see them (spec exec-and-jobs.md §5.2). */
export const jobStatusSchema = z.enum(JOB_STATUSES)

/** How far an execution got (spec kernel.md §6). */
export const executionStateSchema = z.enum(EXECUTION_STATES)

/** The true end of an execution (spec exec-and-jobs.md §4). */
export const outcomeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), exit_code: count }),
  z.object({ kind: z.literal("signaled"), signal: signal, core_dumped: z.boolean().optional() }),
  z.object({ kind: z.literal("timed_out"), after_ms: z.number(), then }),
  z.object({ kind: z.literal("cancelled"), by: word, then }),
  z.object({ kind: z.literal("lost"), reason: word }),
  z.object({ kind: z.literal("unknown"), reason: word }),
])

/** A live child, one entry a tree. */
export const backgroundSchema = z.array(z.object({ pid: count, command })).max(8)

const budgetReport = z.object({ mode: z.string().max(40), lines_total: count, lines_kept: count })

/** What a start answers (spec exec-and-jobs.md §3). */
export const startOutputSchema = z.object({
  job_id: jobIdSchema,
  status: jobStatusSchema,
  terminal: z.boolean(),
  execution_state: executionStateSchema,
  outcome: outcomeSchema.optional(),
  exit_code: count.nullable(),
  signal: signal.optional(),
  stdout: z.string(),
  stderr: z.string(),
  bytes_total: byStream.optional(),
  lines_total: byStream.optional(),
  truncated: z.boolean(),
  timed_out: z.boolean(),
  duration_ms: z.number(),
  cwd: z.string().max(4096),
  effective_timeout_secs: count.optional(),
  queued_ms: z.number().optional(),
  promoted_to_job: z.literal(true).optional(),
  observation_token: observationTokenSchema.optional(),
  executor: z.object({ kind: z.enum(["local", "ssh"]), label: z.string().max(80) }).optional(),
  shell: z.enum(["sh", "bash"]).optional(),
  queue_position: count.optional(),
  expectation: expectationSchema.optional(),
  budget: z.object({ stdout: budgetReport.optional(), stderr: budgetReport.optional() }).optional(),
  hint: z.string().max(300).optional(),
  binary: z.object({ stdout: z.literal(true).optional(), stderr: z.literal(true).optional() }).optional(),
  ended_background: backgroundSchema.optional(),
  ended_background_total: count.optional(),
  background: backgroundSchema.optional(),
  background_total: count.optional(),
  survivors: survivorsSchema.optional(),
  survivors_total: count.optional(),
  replayed: z.literal(true).optional(),
  recovered: z.literal(true).optional(),
  output_gap: z.literal(true).optional(),
  tracking: z.enum(["cgroup", "session"]).optional(),
})
export type StartOutput = z.infer<typeof startOutputSchema>

/** An outcome as callers see it: at most 8 survivors. */
export function outcomeView(outcome: Outcome): z.infer<typeof outcomeSchema> {
  if (outcome.kind !== "timed_out" && outcome.kind !== "cancelled") return outcome
  const then = { ...outcome.then, survivors: outcome.then.survivors.slice(0, 8) }
  return { ...outcome, then }
}

/** The members that say where a Job stands, as every reading tool shows them. */
export function standing(job: Pick<Job, "jobId" | "status" | "outcome">): {
  readonly job_id: Job["jobId"]
  readonly status: Job["status"]
  readonly outcome?: z.infer<typeof outcomeSchema>
} {
  return {
    job_id: job.jobId,
    status: job.status,
    ...(job.outcome === undefined ? {} : { outcome: outcomeView(job.outcome) }),
  }
}
