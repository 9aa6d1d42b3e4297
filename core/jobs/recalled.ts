import type { CallPorts } from "../kernel/call.ts"
import type { RecalledCall } from "../kernel/definition.ts"
import { jobIdSchema } from "../kernel/ids.ts"
import { expectationMember } from "./expectation.ts"
import { exitOf, failureOf, neverStarted } from "./outcome.ts"
import { NO_OUTPUT } from "./output/totals.ts"
import { outcomeView, type StartOutput } from "./output-schema.ts"
import type { Job, StreamName, StreamTotals } from "./record.ts"
import { isTerminal } from "./states.ts"

/** What the row of a Job tells in the form of a result; its output stands in `job_log`. */
export type RecalledExec = Pick<
  StartOutput,
  | "job_id"
  | "execution_state"
  | "outcome"
  | "exit_code"
  | "signal"
  | "stdout"
  | "stderr"
  | "truncated"
  | "timed_out"
  | "duration_ms"
  | "cwd"
  | "hint"
  | "promoted_to_job"
  | "output_gap"
> &
  Readonly<Record<"bytes_total" | "lines_total", Readonly<Record<StreamName, number>>>>

/** The Job of a recovered call as it stands now; `undefined` once its row is gone. */
export async function recalledJob(
  { store }: Pick<CallPorts, "store">,
  { jobId }: RecalledCall,
): Promise<Job | undefined> {
  const id = jobIdSchema.safeParse(jobId).data
  return id === undefined ? undefined : store.read((tx) => tx.jobs.byId(id))
}

/** A Job by its row alone; `now` is the wall clock (spec doors.md §2.5: a repeated key's answer, where recovery had told the end). */
export function recalledExec(job: Job, now: number): RecalledExec {
  const { outcome, startedAt, finishedAt = now, output = NO_OUTPUT } = job
  const terminal = isTerminal(job.status)
  const each = (member: keyof StreamTotals) => ({ stdout: output.stdout[member], stderr: output.stderr[member] })
  const bytes = each("bytes_total")
  return {
    job_id: job.jobId,
    execution_state: terminal ? job.executionState : "running",
    ...exitOf(outcome),
    ...(outcome === undefined ? {} : { outcome: outcomeView(outcome) }),
    stdout: "",
    stderr: "",
    bytes_total: bytes,
    lines_total: each("lines_total"),
    truncated: !terminal || bytes.stdout + bytes.stderr > 0,
    timed_out: outcome?.kind === "timed_out",
    duration_ms: startedAt === undefined ? 0 : Math.max(0, finishedAt - startedAt),
    cwd: job.cwd ?? ".",
    hint: "The server stopped during this call. job_log has the output of its Job, job_status how it stands.",
    ...(terminal ? {} : { promoted_to_job: true }),
    ...(job.outputGap ? { output_gap: true } : {}),
  }
}

/** What a start answers whose end was told by recovery. @throws the kind of an end that is not success. */
export async function recallStart(_input: object, found: RecalledCall): Promise<StartOutput | undefined> {
  const job = await recalledJob(found.ports, found)
  if (job === undefined) return undefined
  const terminal = isTerminal(job.status)
  const output: StartOutput = {
    ...recalledExec(job, found.ports.clock.now()),
    status: job.status,
    terminal,
    ...expectationMember(job),
    ...(job.recovered ? { recovered: true } : {}),
  }
  const failure = terminal && job.outcome === undefined ? neverStarted(output) : failureOf(job, output)
  if (failure !== undefined) throw failure
  return output
}
