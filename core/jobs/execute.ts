import type { Call } from "../kernel/call.ts"
import { instanceIdSchema } from "../kernel/ids.ts"
import { secretVariables } from "../kernel/redaction/learned.ts"
import { auditEnd } from "../shells/audit-log/one-shots.ts"
import type { Declared } from "../validation/expectation.ts"
import { commandLiterals, type StartCommand } from "./command.ts"
import { concludeEnd, forgotten, withJob } from "./conclude.ts"
import { failStart } from "./fail-start.ts"
import { admitFenced } from "./fenced.ts"
import { handOver } from "./hand-over.ts"
import { type JobKey, jobOfKey } from "./job-key.ts"
import { failureOf } from "./outcome.ts"
import type { OutputBudget } from "./output/budget.ts"
import type { StartOutput } from "./output-schema.ts"
import type { Job } from "./record.ts"
import { replayStart } from "./replay.ts"
import { placeOfExecution, shownCwd } from "./resource-place.ts"
import type { JobRunner, RunFacts, StartSpec } from "./runner.ts"
import { startOutput } from "./start-output.ts"
import { enterJob, newJob, refuseJob } from "./start-row.ts"
import { asEnded, endOf } from "./states.ts"
import { waitForEnd } from "./wait.ts"

/** One command to run on behalf of a call, its input already checked. */
export interface Execution {
  readonly kind: Job["kind"]
  readonly command: StartCommand
  /** `.`: where commands run that name none. */
  readonly cwd: string
  /** Named resource it runs on; absent: the Project host. */
  readonly resource?: string
  readonly env: StartSpec["env"]
  readonly stdin?: string
  readonly timeoutMs: number
  readonly defaultTimeoutMs: number
  /** Hand over after this even if the deadline would allow to wait on. */
  readonly syncWaitMs?: number
  /** Hand over as soon as it waits in the line, or has run this long: only an immediate end is waited for. */
  readonly lookMs?: number
  readonly background: StartSpec["background"]
  readonly budget?: OutputBudget
  readonly purpose?: string
  /** What its caller declared of the result; absent where the tool classifies none. */
  readonly expectation?: Declared
  readonly key?: JobKey
}

/** What stays the same while a call and its Job live. */
export interface StartedCall {
  readonly call: Call<StartOutput>
  readonly runner: JobRunner
  readonly execution: Execution
  readonly job: Job
  readonly cwd: string
  readonly shell?: "sh" | "bash"
}

/**
 * Runs a command for a call (spec exec-and-jobs.md §1, §6.1): the row before the process, then the wait, then either its
 * end or the hand-over. A key that has a Job already answers that one. Throws the refusing kind, or the kind of an end that
 * is not success, with the output beside it.
 */
export async function execute(call: Call<StartOutput>, execution: Execution): Promise<StartOutput> {
  const { root } = call.requireProject()
  const { store, signals, ids } = call.ports
  const { key } = execution
  const runner = call.runner().jobs
  const known = key === undefined ? undefined : await store.read((tx) => jobOfKey(tx, call, key))
  if (known !== undefined) return replayStart({ call, runner, execution }, known)
  const env = [...profileOf(call), ...execution.env]
  const place = placeOfExecution(call, execution)
  const { cwd, shell } = await admitFenced(call, runner, { root, ...place, command: execution.command, env })
  const hostId = execution.kind === "detached" ? ids.instance() : runner.hostId
  const job = newJob(call, { execution, hostId, cwd: shownCwd(cwd) })
  const earlier = await store.write((tx) => enterJob(tx, call, { job, execution }))
  if (earlier !== undefined) return replayStart({ call, runner, execution }, earlier)
  signals.notify(`job:${job.jobId}`)
  const started = { call, runner, execution, job, cwd: shownCwd(cwd), ...(shell === undefined ? {} : { shell }) }
  return follow(started, await startProcess(started, { root, ...place, cwd, env }))
}

async function follow(started: StartedCall, begun: RunFacts): Promise<StartOutput> {
  const { call, runner, job, execution } = started
  // What is detached belongs to nobody's call once it runs, also not to its cancellation (spec exec-and-jobs.md §6.4).
  if (execution.kind === "detached" && begun.state !== "ended") return handOver(started, begun)
  const { end, facts } = await waitForEnd(call, runner, { begun, atMostMs: waitMs(call, execution, begun) })
  if (end === "hand_over" && facts !== undefined) return handOver(started, facts)
  if (end === "cancelled") return finish(started, await runner.stop(job.jobId, { cause: "caller", graceMs: 500 }))
  return finish(started, facts)
}

function waitMs(call: Call<StartOutput>, { syncWaitMs, lookMs }: Execution, begun: RunFacts): number {
  const untilHandover = call.deadline.handoverAt - call.ports.clock.monotonic()
  const wanted = lookMs !== undefined && begun.state === "queued" ? 0 : (lookMs ?? syncWaitMs)
  return Math.min(untilHandover, wanted ?? Number.POSITIVE_INFINITY)
}

async function startProcess(
  { call, runner, execution, job, shell }: StartedCall,
  place: Pick<StartSpec, "root" | "cwd" | "reach" | "env">,
): Promise<RunFacts> {
  const { command } = execution
  const spec: StartSpec = {
    jobId: job.jobId,
    ...place,
    command: command.kind === "shell" && shell !== undefined ? { ...command, shell } : command,
    ...(execution.stdin === undefined ? {} : { stdin: execution.stdin }),
    timeoutMs: execution.timeoutMs,
    background: execution.background,
    secrets: [...commandLiterals(command), ...secretVariables(place.env)],
  }
  try {
    if (execution.kind !== "detached") return await runner.start(spec)
    return await runner.startDetached(spec, instanceIdSchema.parse(job.hostId))
  } catch (error) {
    throw await failStart(call, job, error)
  }
}

/** A variable of the call stands after one of its Project's profile, and the last one counts (spec shells.md §7). */
function profileOf({ ports, project }: Call<StartOutput>): StartSpec["env"] {
  return project === undefined ? [] : (ports.runtime.projects.get(project.pk)?.env ?? [])
}

/** The call saw the end: it is committed together with the call's own, where the answer is success. */
async function finish(started: StartedCall, facts: RunFacts | undefined): Promise<StartOutput> {
  const { call, runner, job } = started
  const now = call.now()
  const value = facts === undefined ? undefined : endOf(facts, now)
  if (facts === undefined || value === undefined) throw forgotten(job)
  if (facts.refused !== undefined) {
    await refuseJob(call, job)
    throw withJob(facts.refused, job)
  }
  const ended = asEnded(job, value) ?? job
  const { output } = await startOutput(started, ended, facts)
  const failure = failureOf(ended, output)
  auditEnd(started, output)
  return concludeEnd({ call, runner, job }, { value, output, failure })
}
