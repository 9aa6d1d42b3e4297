import { describe, expect, it } from "vitest"
import type { Job } from "../../../core/jobs/record.ts"
import { type JobRecoveryPorts, recoverJobs } from "../../../core/jobs/recovery.ts"
import type { JobRunner, RunFacts } from "../../../core/jobs/runner.ts"
import { settleJob } from "../../../core/jobs/settle.ts"
import { ToolError } from "../../../core/kernel/error.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import type { Runner } from "../../../core/runners/runner.ts"
import { aJob } from "../../contract/store-fixtures.ts"
import { type JobsUnderTest, openJobs, untilEnded } from "./jobs-under-test.ts"

/** The harness's own Runner, out of reach while `isAway`. */
function recoveryOf({ harness }: JobsUnderTest) {
  const real = harness.runners.get("local")
  if (real === undefined) throw new Error("no Runner")
  const state = { isAway: false }
  const jobs: JobRunner = {
    ...real.jobs,
    hostId: real.jobs.hostId,
    async inventory() {
      if (state.isAway) throw new ToolError("runner_unavailable", "The Runner cannot be reached. Try again later.")
      return real.jobs.inventory()
    },
  }
  const runner: Runner = { ...real, jobs }
  const ports: JobRecoveryPorts = {
    store: harness.store,
    ledger: createLedger({ ids: createIds(), redact: (text) => text }),
    signals: { notify: () => undefined },
    clock: harness.clock,
    runners: { get: () => runner },
  }
  return { state, ports, jobs: real.jobs }
}

async function insert({ harness }: JobsUnderTest, job: Job): Promise<Job> {
  await harness.store.write((tx) => tx.jobs.insert(job))
  return job
}

const rowOf = ({ harness }: JobsUnderTest, { jobId }: Pick<Job, "jobId">) =>
  harness.store.read((tx) => tx.jobs.byId(jobId))

describe("recovery of Jobs", () => {
  it("J14: a row that its living host never accepted was never started, once nobody can start it any more", async () => {
    await using jobs = await openJobs()
    const { ports, jobs: runner } = recoveryOf(jobs)
    const { startedAt: _, ...queued } = aJob({ status: "queued", executionState: "not_started", hostId: runner.hostId })
    const job = await insert(jobs, queued)
    expect(await recoverJobs(ports, [])).toBe(1)
    expect(await rowOf(jobs, job)).toMatchObject({
      status: "lost",
      executionState: "not_started",
      outcome: { kind: "lost", reason: "never_started" },
      recovered: true,
    })
  })

  it("a Job whose call still waits in a living server is left to it", async () => {
    await using jobs = await openJobs()
    const { ports } = recoveryOf(jobs)
    const call = jobs.shell("sleep 0.7; echo x")
    let active: readonly Job[] = []
    await expect
      .poll(async () => {
        active = await jobs.harness.store.read((tx) => tx.jobs.active({}))
        return active.length
      })
      .toBe(1)
    expect(await recoverJobs(ports, [])).toBe(0)
    expect((await call).output).toMatchObject({ status: "completed", stdout: "x\n" })
    expect(await rowOf(jobs, active[0]!)).toMatchObject({ status: "completed", recovered: false })
  })

  it("while the Runner is out of reach Jobs are recovering, a stop is kept for it, and contact shows what is true", async () => {
    await using jobs = await openJobs()
    const { ports, state } = recoveryOf(jobs)
    const [one, two] = [
      await jobs.start("run_job", { command: "sleep 30" }),
      await jobs.start("run_job", { command: "sleep 30" }),
    ]
    const [first, second] = [one.output, two.output].map(({ job_id }) => ({ jobId: job_id }))
    state.isAway = true
    const before = Date.now()
    expect(await recoverJobs(ports, [])).toBe(0)
    const away = await rowOf(jobs, first!)
    expect(away).toMatchObject({ status: "recovering" })
    expect(away?.recoveringSince).toBeGreaterThanOrEqual(before)
    expect((await jobs.harness.ok("list_jobs", { status: ["recovering"] })).total).toBe(2)
    state.isAway = false
    expect(await recoverJobs(ports, [])).toBe(0)
    expect(await rowOf(jobs, first!)).toMatchObject({ status: "running" })
    const stopped = await jobs.harness.ok("stop_job", { job_id: second!.jobId, confirm: true, grace_secs: 0 })
    expect(stopped).toMatchObject({ status: "stopped" })
    await jobs.harness.ok("stop_job", { job_id: first!.jobId, confirm: true, grace_secs: 0 })
  })

  it("an end that nobody followed is told as recovered, with its own time", async () => {
    await using jobs = await openJobs()
    const { ports, jobs: runner } = recoveryOf(jobs)
    const job = await insert(
      jobs,
      aJob({ hostId: runner.hostId, handedOver: true, status: "running", jobId: createIds().job() }),
    )
    await runner.start({
      jobId: job.jobId,
      root: jobs.root,
      cwd: ".",
      command: { kind: "shell", text: "exit 9" },
      env: [],
      timeoutMs: 5000,
      background: "end",
      secrets: [],
    })
    const facts = await runner.watch(job.jobId, { from: 0, until: "end" })
    expect(await recoverJobs(ports, [])).toBeLessThanOrEqual(1)
    expect(await rowOf(jobs, job)).toMatchObject({
      status: "failed",
      outcome: { kind: "exited", exit_code: 9 },
      finishedAt: facts?.finishedAt,
    })
  })

  it("a true end that comes after a Job was given up is kept beside what was told", async () => {
    await using jobs = await openJobs()
    const { ports, jobs: runner } = recoveryOf(jobs)
    const { output } = await jobs.start("run_job", { command: "sleep 0.5; exit 7" })
    const jobId = output.job_id
    const row = await rowOf(jobs, { jobId })
    const lost: Job = {
      ...row!,
      status: "lost",
      executionState: "outcome_unknown",
      finishedAt: 5,
      outcome: { kind: "lost", reason: "host_lost" },
    }
    expect(await jobs.harness.store.write((tx) => tx.jobs.update(lost, row!))).toBe(true)
    const facts: RunFacts | undefined = await runner.watch(jobId, { from: 0, until: "end" })
    expect(facts?.state).toBe("ended")
    await settleJob(ports, runner, jobId)
    expect(await jobs.harness.ok("job_status", { job_id: jobId })).toMatchObject({
      status: "lost",
      outcome: { kind: "lost", reason: "host_lost" },
      late_outcome: { kind: "exited", exit_code: 7 },
    })
    expect(await untilEnded(jobs.harness, jobId)).toMatchObject({ status: "lost" })
  })
})
