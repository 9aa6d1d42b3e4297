import { match } from "ts-pattern"
import type { RecoveryPorts } from "../kernel/call.ts"
import type { Recovered } from "../kernel/definition.ts"
import { type InstanceId, jobIdSchema } from "../kernel/ids.ts"
import type { OpenCall } from "../ledger/store.ts"
import type { RunnerDirectory } from "../runners/runner.ts"
import { commitEnd } from "./commit.ts"
import { failureOf } from "./outcome.ts"
import type { Job } from "./record.ts"
import type { JobRunner, PastRun } from "./runner.ts"
import type { SettlePorts } from "./settle.ts"
import { isTerminal, type JobEnd } from "./states.ts"

const NOTHING = { bytes_total: 0, lines_total: 0, dropped_bytes: 0, masked: 0 }
const NO_OUTPUT = { stdout: NOTHING, stderr: NOTHING }

/**
 * Ends the Jobs of hosts that are gone with what their journals prove (spec exec-and-jobs.md §6.1, §6.2); returns how
 * many. A host is carried by the server of the same id: one of `dead`, or one that left. Idempotent, and safe in several servers at once: the first commit wins. It runs before calls are recovered, so
 * that these find the ends.
 */
export async function recoverJobs(
  ports: SettlePorts & { readonly runners: RunnerDirectory },
  dead: readonly InstanceId[],
): Promise<number> {
  const orphans = await ports.store.read(async (tx) => {
    const instances = await tx.instances.list()
    return tx.jobs.orphaned(instances.map((other) => other.instance).filter((id) => !dead.includes(id)))
  })
  let ended = 0
  for (const job of orphans) {
    const now = ports.clock.now()
    const value = await endOfOrphan(job, runnerOf(ports.runners), now)
    if (value === undefined) continue
    await ports.store.write((tx) => commitEnd(tx, ports.ledger, { jobId: job.jobId, now, value }))
    ports.signals.notify(`job:${job.jobId}`)
    ended += 1
  }
  return ended
}

/** Every Job so far is of the local Runner: the only one whose journals lie in this data directory. */
function runnerOf(runners: RunnerDirectory): JobRunner | undefined {
  return runners.get("local")?.jobs
}

async function endOfOrphan(job: Job, runner: JobRunner | undefined, now: number): Promise<JobEnd | undefined> {
  if (runner === undefined || job.hostId === undefined) return undefined
  return endOfPast(await runner.recall(job.hostId, job.jobId), now)
}

/** What a dead host's journal proves about the end of a Job; `undefined` while its host lives. */
export function endOfPast(past: PastRun, now: number): JobEnd | undefined {
  return match(past)
    .returnType<JobEnd | undefined>()
    .with({ state: "alive" }, () => undefined)
    .with({ state: "never_accepted" }, () => ({
      outcome: { kind: "lost", reason: "never_started" },
      finishedAt: now,
      totals: NO_OUTPUT,
      outputGap: false,
      recovered: true,
    }))
    .with({ state: "ended" }, ({ state: _, ...end }) => ({ ...end, recovered: true }))
    .with({ state: "supervisor_lost" }, ({ totals, startedAt }) => ({
      outcome: { kind: "unknown", reason: "supervisor_lost" },
      ...(startedAt === undefined ? {} : { startedAt }),
      finishedAt: now,
      totals,
      outputGap: true,
      recovered: true,
    }))
    .with({ state: "machine_restarted" }, ({ totals, startedAt }) => ({
      outcome: { kind: "lost", reason: "machine_restarted" },
      ...(startedAt === undefined ? {} : { startedAt }),
      finishedAt: now,
      totals,
      outputGap: true,
      recovered: true,
    }))
    .exhaustive()
}

/**
 * What became of a starting call whose server died (spec kernel.md §15). Row and hint are one transaction, so a call
 * without a hint started nothing.
 */
export async function recoverStart(open: OpenCall, ports: RecoveryPorts): Promise<Recovered | undefined> {
  const jobId = jobIdSchema.safeParse(open.hint?.job_id).data
  if (jobId === undefined) {
    return {
      status: "failed",
      errorKind: "interrupted",
      executionState: "not_started",
      evidence: { command_started: false, execution_state: "not_started" },
    }
  }
  const job = await ports.store.read((tx) => tx.jobs.byId(jobId))
  return job === undefined ? undefined : recoveredFrom(job)
}

function recoveredFrom(job: Job): Recovered {
  const { executionState, jobId } = job
  const evidence = evidenceOf(job)
  if (!isTerminal(job.status)) return { status: "succeeded", executionState: "running", evidence, jobId }
  const failure = failureOf(job, {})
  if (failure === undefined && job.outcome !== undefined)
    return { status: "succeeded", executionState, evidence, jobId }
  return { status: "failed", errorKind: failure?.kind ?? "spawn_failed", executionState, evidence, jobId }
}

/** Execution truth of a Job for the ledger (spec sessions.md §5.2). */
export function evidenceOf(
  job: Pick<Job, "executionState" | "startedAt" | "status">,
): NonNullable<Recovered["evidence"]> {
  return {
    command_started: job.startedAt !== undefined,
    command_completed: job.executionState === "completed",
    execution_state: job.executionState,
  }
}
