import { jobOwner } from "../jobs/access.ts"
import { concludeEnd, concludeHandOver, forgotten, withJob } from "../jobs/conclude.ts"
import { failStart } from "../jobs/fail-start.ts"
import type { OutputBudget } from "../jobs/output/budget.ts"
import type { Job } from "../jobs/record.ts"
import type { RunFacts } from "../jobs/runner.ts"
import { refuseJob } from "../jobs/start-row.ts"
import { asEnded, asHandedOver, asRunning, endOf } from "../jobs/states.ts"
import { encodeObservation } from "../jobs/tokens.ts"
import { waitForEnd } from "../jobs/wait.ts"
import type { Call } from "../kernel/call.ts"
import type { ToolError } from "../kernel/error.ts"
import { learnedLiterals, secretVariables } from "../kernel/redaction/learned.ts"
import type { Declared } from "../validation/expectation.ts"
import { noteLaterEnd } from "./audit-log/later-end.ts"
import { type ClaimRequest, claimShell } from "./claim.ts"
import { changeShell, type ShellSide } from "./commit.ts"
import type { ExecResult } from "./exec-schema.ts"
import { type ExecViewing, viewExec } from "./exec-view.ts"
import type { Shell } from "./record.ts"
import type { ShellClaim, ShellCommandSpec } from "./runner.ts"
import { afterCommand } from "./states.ts"

const CANCEL_GRACE_MS = 500

/** One command for a live shell, its input already checked. */
export interface ExecRequest
  extends ClaimRequest,
    Omit<ShellCommandSpec, "jobId" | "claimId" | "shellUid" | "secrets"> {
  readonly budget: OutputBudget | undefined
  /** Hand over after this even if the deadline would allow to wait on. */
  readonly syncWaitMs?: number
  readonly purpose?: string
  /** What its caller declared of the result; absent where the tool classifies none. */
  readonly expectation?: Declared
}

/** What the two families do differently. */
export interface FamilyRules<Output extends object> {
  /** With the shell claimed, before anything is written: throws what refuses the command. */
  checkClaim(claim: ShellClaim): Promise<void>
  /** The same for a call that waited for its turn meanwhile. */
  checkWaited(claim: ShellClaim): Promise<void>
  /** The answer, and the error it stands beside where the end is no success; `job` is terminal, or handed over. */
  answer(
    result: ExecResult,
    job: Job,
    facts: RunFacts,
  ): Promise<{ readonly output: Output; readonly failure?: ToolError | undefined }>
}

/** A shell, its Runner, and what is to run in it. */
export interface ShellExec<Output extends object> {
  readonly runner: ShellSide
  readonly shell: Shell
  readonly request: ExecRequest
  readonly rules: FamilyRules<Output>
}

interface StartedExec<Output extends object> extends ShellExec<Output> {
  readonly call: Call<Output>
  readonly job: Job
  readonly claim: ShellClaim
}

/**
 * Runs one command in a live shell for a call (spec shells.md §10, §15): the shell is claimed, the Job's row is committed,
 * then the command runs, and the call waits for its end or hands it over.
 */
export async function execInShell<Output extends object>(call: Call<Output>, exec: ShellExec<Output>): Promise<Output> {
  const { runner, shell, request, rules } = exec
  const claim = await claimShell(call, runner, { shell, request })
  const job = newJob(call, exec)
  try {
    await rules.checkWaited(claim)
    await rules.checkClaim(claim)
    await call.ports.store.write(async (tx) => {
      await tx.jobs.insert(job)
      await call.hint(tx, { job_id: job.jobId })
    })
  } catch (error) {
    await runner.shells.release(claim.claimId)
    throw error
  }
  call.ports.signals.notify(`job:${job.jobId}`)
  const started = { ...exec, call, job, claim }
  const begun = await start(started)
  const { jobs } = runner
  const { end, facts } = await waitForEnd(call, jobs, { begun, atMostMs: waitMs(call, request) })
  if (end === "hand_over" && facts !== undefined) return handOver(started, facts)
  if (end === "cancelled") {
    return finish(started, await jobs.stop(job.jobId, { cause: "caller", graceMs: CANCEL_GRACE_MS }))
  }
  return finish(started, facts)
}

function waitMs(call: Call, { syncWaitMs }: ExecRequest): number {
  const untilHandover = call.deadline.handoverAt - call.ports.clock.monotonic()
  return Math.min(untilHandover, syncWaitMs ?? Number.POSITIVE_INFINITY)
}

function newJob<Output extends object>(call: Call<Output>, { runner, shell, request }: ShellExec<Output>): Job {
  return {
    jobId: call.ports.ids.job(),
    kind: "shell_command",
    tool: call.tool,
    ownerFingerprint: jobOwner(call.caller),
    principalId: call.principal.id,
    ...(shell.projectPk === undefined ? {} : { projectPk: shell.projectPk }),
    ...(shell.sessionId === undefined ? {} : { sessionId: shell.sessionId }),
    callId: call.callId,
    invocationId: call.invocationId,
    ...(request.purpose === undefined ? {} : { purpose: request.purpose }),
    ...(request.expectation === undefined ? {} : { expectation: request.expectation }),
    shellUid: shell.shellUid,
    target: shell.target.kind,
    ...(shell.target.kind === "ssh" && shell.target.resource !== undefined ? { resource: shell.target.resource } : {}),
    status: "queued",
    executionState: "not_started",
    handedOver: false,
    timeoutMs: request.timeoutMs,
    hostId: runner.jobs.hostId,
    createdAt: call.now(),
    recovered: false,
    outputGap: false,
    outputState: "available",
    revision: 1,
  }
}

async function start<Output extends object>(started: StartedExec<Output>): Promise<RunFacts> {
  const { call, runner, job, claim, request } = started
  const { text, stdin, streams, tty, env, resetCwd, timeoutMs } = request
  try {
    return await runner.shells.exec({
      jobId: job.jobId,
      claimId: claim.claimId,
      shellUid: claim.shellUid,
      text,
      ...(stdin === undefined ? {} : { stdin }),
      streams,
      tty,
      env,
      resetCwd,
      timeoutMs,
      secrets: [...learnedLiterals(text), ...secretVariables(env)],
    })
  } catch (error) {
    await runner.shells.release(claim.claimId)
    throw await failStart(call, job, error)
  }
}

function viewingOf<Output extends object>({ call, runner, request, claim }: StartedExec<Output>): ExecViewing {
  return {
    call,
    runner: runner.jobs,
    budget: request.budget,
    queuedMs: claim.queuedMs,
    cwd: claim.facts.cwd,
    timeoutMs: request.timeoutMs,
  }
}

async function finish<Output extends object>(
  started: StartedExec<Output>,
  facts: RunFacts | undefined,
): Promise<Output> {
  const { call, runner, job, shell, rules } = started
  const now = call.now()
  const value = facts === undefined ? undefined : endOf(facts, now)
  if (facts === undefined || value === undefined) throw forgotten(job)
  if (facts.refused !== undefined) {
    await refuseJob(call, job)
    throw withJob(facts.refused, job)
  }
  const ended = asEnded(job, value) ?? job
  const { result } = await viewExec(viewingOf(started), ended, facts)
  const { output, failure } = await rules.answer(result, ended, facts)
  call.ports.shells.log.note(shell, { event: "exec", command: started.request.text, result })
  return concludeEnd(
    { call, runner: runner.jobs, job },
    { value, output, failure, also: (tx) => changeShell(tx, shell, (row) => afterCommand(row, facts, now)) },
  )
}

/** The call stops waiting; the command goes on in the shell, which stays busy (spec shells.md §5.7). */
async function handOver<Output extends object>(started: StartedExec<Output>, facts: RunFacts): Promise<Output> {
  const { call, runner, job, rules } = started
  const { startedAt } = facts
  const live = (row: Job): Job => asHandedOver(startedAt === undefined ? row : (asRunning(row, startedAt) ?? row))
  const { result, offsets } = await viewExec(viewingOf(started), live(job), facts)
  const { output } = await rules.answer(result, live(job), facts)
  auditHandOver(started, facts, result)
  const key = await call.ports.store.instanceKey()
  return concludeHandOver(
    { call, runner: runner.jobs, job },
    {
      live,
      output: (revision) =>
        revision === undefined
          ? output
          : { ...output, observation_token: encodeObservation(key, { jobId: job.jobId, revision, offsets }) },
    },
  )
}

/** The log has the command as it stands, and once more with its end. */
function auditHandOver<Output extends object>(
  started: StartedExec<Output>,
  { revision: from }: RunFacts,
  result: ExecResult,
): void {
  const { call, runner, job, shell, request } = started
  const { log } = call.ports.shells
  log.note(shell, { event: "exec", command: request.text, result })
  noteLaterEnd(log, {
    ended: () => runner.jobs.watch(job.jobId, { from, until: "end" }),
    async note(facts) {
      const value = endOf(facts, call.now())
      const end = await viewExec(viewingOf(started), (value && asEnded(job, value)) ?? job, facts)
      log.note(shell, { event: "exec", command: request.text, result: end.result })
    },
  })
}
