import type { Call, CallPorts } from "../kernel/call.ts"
import type { InstanceId } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import { jobOwner } from "./access.ts"
import { changeJob } from "./commit.ts"
import { requireDetachedRoom } from "./detached-room.ts"
import type { Execution } from "./execute.ts"
import { jobOfKey } from "./job-key.ts"
import { NO_OUTPUT } from "./output/totals.ts"
import type { Job } from "./record.ts"
import { asEnded } from "./states.ts"

/** The row of an execution before its process exists; `cwd` is project-relative, `hostId` that of the host it is meant for. */
export function newJob(
  call: Call,
  of: { readonly execution: Execution; readonly hostId: InstanceId | string; readonly cwd: string },
): Job {
  const { project, session, ports } = call
  const { kind, purpose, expectation, timeoutMs, key, resource } = of.execution
  return {
    jobId: ports.ids.job(),
    kind,
    tool: call.tool,
    ownerFingerprint: jobOwner(call.caller),
    principalId: call.principal.id,
    ...(project === undefined ? {} : { projectPk: project.pk }),
    ...(session === undefined ? {} : { sessionId: session.sessionId }),
    callId: call.callId,
    invocationId: call.invocationId,
    ...(key === undefined ? {} : { idempotencyKey: key.value, inputDigest: key.digest }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(expectation === undefined ? {} : { expectation }),
    ...(resource === undefined ? { target: "local" as const } : { target: "ssh" as const, resource }),
    cwd: of.cwd,
    status: "queued",
    executionState: "not_started",
    handedOver: false,
    timeoutMs,
    hostId: of.hostId,
    createdAt: call.now(),
    recovered: false,
    outputGap: false,
    outputState: "available",
    revision: 1,
  }
}

/**
 * Inserts the row and notes it in the call's open rows, unless the key has a Job already: then that one is given back, and
 * of two servers at once one inserts (spec exec-and-jobs.md §6.1, §9). Throws `idempotency_conflict`, `job_limit_reached`.
 */
export async function enterJob(
  tx: Tx,
  call: Call,
  { job, execution }: { job: Job; execution: Execution },
): Promise<Job | undefined> {
  const earlier = execution.key === undefined ? undefined : await jobOfKey(tx, call, execution.key)
  if (earlier !== undefined) return earlier
  if (job.kind === "detached") requireDetachedRoom(await tx.jobs.countActive({ kind: "detached" }))
  await tx.jobs.insert(job)
  await call.hint(tx, { job_id: job.jobId })
  return undefined
}

/** What of a call the end of a failed start needs. */
export interface FailingCall extends Pick<Call, "now"> {
  readonly ports: Pick<CallPorts, "store" | "signals">
}

/** Ends the row of a start that was refused; what was provably not started leaves its key free. */
export async function refuseJob(call: FailingCall, { jobId }: Job): Promise<void> {
  const value = { finishedAt: call.now(), totals: NO_OUTPUT, outputGap: false }
  await call.ports.store.write((tx) => changeJob(tx, jobId, (row) => withoutKey(asEnded(row, value))))
  call.ports.signals.notify(`job:${jobId}`)
}

function withoutKey(job: Job | undefined): Job | undefined {
  if (job === undefined) return undefined
  const { idempotencyKey: _key, inputDigest: _digest, ...rest } = job
  return rest
}
