import type { Call } from "../kernel/call.ts"
import { isToolError, restate, ToolError } from "../kernel/error.ts"
import { learnedLiterals, secretVariables } from "../kernel/redaction/learned.ts"
import { jobOwner } from "./access.ts"
import { changeJob, commitEnd } from "./commit.ts"
import { failureOf } from "./outcome.ts"
import type { OutputBudget } from "./output/budget.ts"
import type { StartOutput } from "./output-schema.ts"
import type { Job } from "./record.ts"
import type { JobRunner, RunFacts, StartSpec } from "./runner.ts"
import { settleJob } from "./settle.ts"
import { startOutput } from "./start-output.ts"
import { asEnded, asHandedOver, asRunning, endOf } from "./states.ts"
import { encodeObservation } from "./tokens.ts"
import { waitForEnd } from "./wait.ts"

/** One command to run on behalf of a call, its input already checked. */
export interface Execution {
  readonly kind: Job["kind"]
  readonly command: StartSpec["command"]
  readonly cwd: string
  readonly env: StartSpec["env"]
  readonly stdin?: string
  readonly timeoutMs: number
  readonly defaultTimeoutMs: number
  /** Hand over after this even if the deadline would allow to wait on. */
  readonly syncWaitMs?: number
  readonly background: StartSpec["background"]
  readonly budget?: OutputBudget
  readonly purpose?: string
}

/** What stays the same while a call and its Job live. */
export interface StartedCall {
  readonly call: Call<StartOutput>
  readonly runner: JobRunner
  readonly execution: Execution
  readonly job: Job
  readonly cwd: string
  readonly shell: "sh" | "bash"
}

/**
 * Runs a command for a call (spec exec-and-jobs.md §1, §6.1): the row before the process, then the wait, then either its
 * end or the hand-over. Throws the refusing kind, or the kind of an end that is not success, with the output beside it.
 */
export async function execute(call: Call<StartOutput>, execution: Execution): Promise<StartOutput> {
  const { root } = call.requireProject()
  const runner = call.runner().jobs
  const { cwd, shell } = await runner.admit({ root, cwd: execution.cwd, command: execution.command })
  const job = newJob(call, { execution, runner, cwd })
  const { store, signals } = call.ports
  await store.write(async (tx) => {
    await tx.jobs.insert(job)
    await call.hint(tx, { job_id: job.jobId })
  })
  signals.notify(`job:${job.jobId}`)
  const started = { call, runner, execution, job, cwd, shell }
  await startProcess(started, root)
  const { end, facts } = await waitForEnd(call, runner, { jobId: job.jobId, atMostMs: waitMs(call, execution) })
  if (end === "hand_over" && facts !== undefined) return handOver(started, facts)
  if (end === "cancelled") return finish(started, await runner.stop(job.jobId, { cause: "caller", graceMs: 500 }))
  return finish(started, facts)
}

function newJob(
  call: Call<StartOutput>,
  of: { readonly execution: Execution; readonly runner: JobRunner; readonly cwd: string },
): Job {
  const { project, session, ports } = call
  return {
    jobId: ports.ids.job(),
    kind: of.execution.kind,
    tool: call.tool,
    ownerFingerprint: jobOwner(call.caller),
    principalId: call.principal.id,
    ...(project === undefined ? {} : { projectPk: project.pk }),
    ...(session === undefined ? {} : { sessionId: session.sessionId }),
    callId: call.callId,
    invocationId: call.invocationId,
    ...(of.execution.purpose === undefined ? {} : { purpose: of.execution.purpose }),
    target: "local",
    cwd: of.cwd,
    status: "queued",
    executionState: "not_started",
    handedOver: false,
    timeoutMs: of.execution.timeoutMs,
    hostId: of.runner.hostId,
    createdAt: call.now(),
    recovered: false,
    outputGap: false,
    outputState: "available",
    revision: 1,
  }
}

function waitMs(call: Call<StartOutput>, execution: Execution): number {
  const untilHandover = call.deadline.handoverAt - call.ports.clock.monotonic()
  return Math.min(untilHandover, execution.syncWaitMs ?? Number.POSITIVE_INFINITY)
}

async function startProcess({ call, runner, execution, job, cwd, shell }: StartedCall, root: string): Promise<void> {
  const env = [...profileOf(call), ...execution.env]
  try {
    await runner.start({
      jobId: job.jobId,
      root,
      cwd,
      command: { ...execution.command, shell },
      ...(execution.stdin === undefined ? {} : { stdin: execution.stdin }),
      env,
      timeoutMs: execution.timeoutMs,
      background: execution.background,
      secrets: [...learnedLiterals(execution.command.text), ...secretVariables(env)],
    })
  } catch (error) {
    await refuse(call, job)
    throw withJob(error, job)
  }
}

/** A variable of the call stands after one of its Project's profile, and the last one counts (spec shells.md §7). */
function profileOf({ ports, project }: Call<StartOutput>): StartSpec["env"] {
  return project === undefined ? [] : (ports.runtime.projects.get(project.pk)?.env ?? [])
}

const NOTHING = { bytes_total: 0, lines_total: 0, dropped_bytes: 0, masked: 0 }

async function refuse(call: Call<StartOutput>, job: Job): Promise<void> {
  const value = { finishedAt: call.now(), totals: { stdout: NOTHING, stderr: NOTHING }, outputGap: false }
  await call.ports.store.write((tx) => changeJob(tx, job.jobId, (row) => asEnded(row, value)))
  call.ports.signals.notify(`job:${job.jobId}`)
}

/** A refused start is a Job too: its id travels with the refusal. */
function withJob(error: unknown, { jobId }: Job): unknown {
  if (!isToolError(error) || error.output !== undefined) return error
  return restate(error, {
    executionState: "not_started",
    output: { job_id: jobId, status: "failed", terminal: true, execution_state: "not_started" },
    cause: error,
  })
}

/** The call saw the end: it is committed together with the call's own, where the answer is success. */
async function finish(started: StartedCall, facts: RunFacts | undefined): Promise<StartOutput> {
  const { call, runner, job } = started
  const now = call.now()
  const value = facts === undefined ? undefined : endOf(facts, now)
  if (facts === undefined || value === undefined) throw forgotten(job)
  if (facts.refused !== undefined) {
    await refuse(call, job)
    throw withJob(facts.refused, job)
  }
  const ended = asEnded(job, value) ?? job
  const { output } = await startOutput(started, ended, facts)
  const failure = failureOf(ended, output)
  const end = { jobId: job.jobId, now, value }
  const { ledger, store, signals } = call.ports
  const settled = async (): Promise<void> => {
    signals.notify(`job:${job.jobId}`)
    await runner.ack([job.jobId])
  }
  if (failure !== undefined) {
    await evenWithoutStore(async () => {
      await store.write((tx) => commitEnd(tx, ledger, end))
      await settled()
    })
    throw failure
  }
  const committed = await evenWithoutStore(async () => {
    const told = await call.commit(async (tx) => {
      await commitEnd(tx, ledger, end)
      return output
    })
    await settled()
    return told
  })
  return committed ?? output
}

/**
 * The command ran, whatever the store says now: its true result is answered, and its supervisor commits the end later
 * (spec kernel.md §5).
 */
async function evenWithoutStore<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isToolError(error) && (error.kind === "storage_unavailable" || error.kind === "interrupted")) return undefined
    throw error
  }
}

/** The call stops waiting; the same execution goes on under its id. */
async function handOver(started: StartedCall, facts: RunFacts): Promise<StartOutput> {
  const { call, runner, job } = started
  const { startedAt } = facts
  const live = (row: Job): Job => asHandedOver(startedAt === undefined ? row : (asRunning(row, startedAt) ?? row))
  const { output, offsets } = await startOutput(started, live(job), facts)
  const key = await call.ports.store.instanceKey()
  const committed = await evenWithoutStore(() =>
    call.commit(async (tx) => {
      const row = await changeJob(tx, job.jobId, live)
      const revision = row?.job.revision ?? job.revision
      return { ...output, observation_token: encodeObservation(key, { jobId: job.jobId, revision, offsets }) }
    }),
  )
  call.ports.signals.notify(`job:${job.jobId}`)
  // It may have ended while the hand-over was committed, when nobody knew that its end has to be told.
  const later = await runner.facts(job.jobId)
  if (later?.state === "ended") await settleJob(call.ports, runner, job.jobId)
  return committed ?? output
}

function forgotten({ jobId }: Job): ToolError<"outcome_unknown"> {
  return new ToolError(
    "outcome_unknown",
    "The Runner does not know this execution any more. Look at its effects before it is run again.",
    { details: { reason: "process_gone", job_id: jobId }, executionState: "outcome_unknown" },
  )
}
