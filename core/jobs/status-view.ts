import { z } from "zod"
import { jobIdSchema, sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { exitOf } from "./outcome.ts"
import {
  backgroundSchema,
  executionStateSchema,
  jobStatusSchema,
  outcomeSchema,
  outcomeView,
  standing,
  survivorsSchema,
} from "./output-schema.ts"
import { JOB_KINDS, type Job, type StreamName, type StreamTotals } from "./record.ts"
import type { RunFacts } from "./runner.ts"
import { isTerminal } from "./states.ts"
import type { ListedJob } from "./store.ts"

const MAX_NAMED = 8
const time = z.number().int()
const count = z.number().int().min(0)
const streamTotals = z.object({ bytes_total: count, lines_total: count, dropped_bytes: count, masked: count })

/** The facts of one Job as lists show them (spec exec-and-jobs.md §7.4). */
export const listedJobSchema = z.object({
  job_id: jobIdSchema,
  kind: z.enum(JOB_KINDS),
  tool: z.string().max(64),
  status: jobStatusSchema,
  terminal: z.boolean(),
  outcome: outcomeSchema.optional(),
  exit_code: z.number().int().nullable().optional(),
  execution_state: executionStateSchema,
  project: textSchema(1, 64).optional(),
  session_id: sessionIdSchema.optional(),
  shell_id: z.string().max(160).optional(),
  summary: z.string().max(200).describe("Beginning of its command, while the host keeps it.").optional(),
  purpose: z.string().max(20).optional(),
  created_at: time,
  started_at: time.optional(),
  finished_at: time.optional(),
  running_ms: count,
  timeout_secs: count,
  queue_position: count.optional(),
  recovering_since: time.optional(),
  stop_requested_at: time.optional(),
  late_outcome: outcomeSchema.describe("A true end that was learned after it was given up.").optional(),
  recovered: z.boolean(),
  output_gap: z.boolean(),
  totals: z.object({ stdout: streamTotals, stderr: streamTotals }).optional(),
  output_state: z.enum(["available", "evicted"]),
})

/** What `job_status` answers. */
export const jobStatusOutputSchema = listedJobSchema.extend({
  background: backgroundSchema.describe("Kept processes that live."),
  survivors: survivorsSchema.describe("What could not be ended."),
})

type ListedJobView = z.infer<typeof listedJobSchema>
type JobStatusView = z.infer<typeof jobStatusOutputSchema>

/** What is known beside the row. */
export interface KnownOfJob extends Omit<ListedJob, "job"> {
  readonly facts: RunFacts | undefined
  /** Beginning of its command, where its host still knows it. */
  readonly summary: string | undefined
  readonly totals: Readonly<Record<StreamName, StreamTotals>> | undefined
  readonly now: number
}

/** A Job as lists show it; what does not apply is left out. */
export function listedJobView(job: Job, { facts, summary, totals, now, project, shellId }: KnownOfJob): ListedJobView {
  const terminal = isTerminal(job.status)
  return {
    ...standing(job),
    kind: job.kind,
    tool: job.tool,
    terminal,
    ...(terminal ? { exit_code: exitOf(job.outcome).exit_code } : {}),
    execution_state: job.executionState,
    ...(project === undefined ? {} : { project: project.slug }),
    ...(job.sessionId === undefined ? {} : { session_id: job.sessionId }),
    ...(shellId === undefined ? {} : { shell_id: shellId }),
    ...(summary === undefined ? {} : { summary }),
    ...(job.purpose === undefined ? {} : { purpose: job.purpose }),
    ...timesOf(job, now),
    timeout_secs: Math.round(job.timeoutMs / 1000),
    ...(facts?.queuePosition === undefined ? {} : { queue_position: facts.queuePosition }),
    ...(job.lateOutcome === undefined ? {} : { late_outcome: outcomeView(job.lateOutcome) }),
    recovered: job.recovered,
    output_gap: job.outputGap || facts?.outputGap === true,
    ...(totals === undefined ? {} : { totals }),
    output_state: job.outputState,
  }
}

function timesOf(job: Job, now: number) {
  const { createdAt, startedAt, finishedAt, stopRequestedAt, recoveringSince } = job
  return {
    created_at: createdAt,
    ...(startedAt === undefined ? {} : { started_at: startedAt }),
    ...(finishedAt === undefined ? {} : { finished_at: finishedAt }),
    running_ms: startedAt === undefined ? 0 : Math.max(0, (finishedAt ?? now) - startedAt),
    ...(job.status === "recovering" && recoveringSince !== undefined ? { recovering_since: recoveringSince } : {}),
    ...(stopRequestedAt === undefined ? {} : { stop_requested_at: stopRequestedAt }),
  }
}

/** A Job as `job_status` shows it. */
export function jobStatusView(job: Job, known: KnownOfJob): JobStatusView {
  const { facts } = known
  return {
    ...listedJobView(job, known),
    background: (facts?.background ?? []).slice(0, MAX_NAMED).map(({ pid, command }) => ({ pid, command })),
    survivors: [...(facts?.survivors ?? survivorsOf(job))].slice(0, MAX_NAMED),
  }
}

function survivorsOf({ outcome }: Job) {
  return outcome?.kind === "cancelled" || outcome?.kind === "timed_out" ? outcome.then.survivors : []
}
