import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { changeJob } from "../../../core/jobs/commit.ts"
import type { Job } from "../../../core/jobs/record.ts"
import { recoverStart } from "../../../core/jobs/recovery.ts"
import { asStopRequested } from "../../../core/jobs/states.ts"
import type { OpenCall } from "../../../core/ledger/store.ts"
import { type JobsUnderTest, openJobs } from "../../domain/jobs/jobs-under-test.ts"

const SCRIPT = fileURLToPath(new URL("dying-server.ts", import.meta.url))

/** Runs a command in a server of its own that dies; `until` tells when to kill one that does not die by itself. */
async function runAndDie(
  jobs: JobsUnderTest,
  session: string,
  fate: { readonly moment: string; readonly command: string; readonly until?: () => Promise<boolean> },
): Promise<void> {
  const { home, dataDir } = jobs.harness
  const server = spawn(process.execPath, [SCRIPT, home, dataDir, session, fate.moment, fate.command], {
    stdio: ["ignore", "inherit", "inherit"],
  })
  const exited = once(server, "exit")
  const { until } = fate
  if (until !== undefined) {
    while (!(await until())) await new Promise((resolve) => setTimeout(resolve, 50))
    server.kill("SIGKILL")
  }
  expect(await exited).toEqual([null, "SIGKILL"])
}

async function onlyJob(jobs: JobsUnderTest): Promise<Job> {
  const ids = /wc_job_[0-9a-f]{32}/.exec(jobs.harness.dump())
  const job = await jobs.harness.store.read((tx) => tx.jobs.byId(ids?.[0] as Job["jobId"]))
  if (job === undefined) throw new Error("no Job")
  return job
}

const fileExists = (path: string) => async () =>
  readFile(path).then(
    () => true,
    () => false,
  )

describe("Jobs of a server that died", () => {
  it("J14: killed between the row and the start, the Job is lost and provably never started", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    await runAndDie(jobs, session, { moment: "after-row", command: "touch ran" })
    await jobs.harness.startUpkeep()
    expect(await onlyJob(jobs)).toMatchObject({
      status: "lost",
      executionState: "not_started",
      outcome: { kind: "lost", reason: "never_started" },
      recovered: true,
    })
    const [, finished] = (await jobs.harness.callEvents(session)).filter((event) => event.tool_name === "run_shell")
    expect(finished).toMatchObject({
      status: "failed",
      error: { kind: "outcome_unknown", execution_state: "not_started" },
      evidence: { command_started: false },
      recovered: true,
    })
    await expect(readFile(join(jobs.root, "ran"))).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("K35: killed while the command runs, its end is unknown and told once by two recovering servers", async () => {
    await using jobs = await openJobs()
    await using other = await openJobs({ beside: jobs.harness })
    const session = await jobs.harness.session({ project: "demo" })
    const until = fileExists(join(jobs.root, "ran"))
    await runAndDie(jobs, session, {
      moment: "running",
      command: "echo out; sleep 0.5; touch ran; sleep 2; echo tail; exit 4",
      until,
    })
    await Promise.all([jobs.harness.startUpkeep(), other.harness.startUpkeep()])
    const job = await onlyJob(jobs)
    expect(job).toMatchObject({
      status: "lost",
      executionState: "outcome_unknown",
      outcome: { kind: "unknown", reason: "supervisor_lost" },
      outputGap: true,
      recovered: true,
      output: { stdout: { bytes_total: 4, lines_total: 1 } },
    })
    const log = await other.harness.ok("job_log", { job_id: job.jobId })
    expect(log).toMatchObject({ status: "lost", exit_code: null, stdout: { text: "out\n" } })
    const events = (await jobs.harness.callEvents(session)).filter((event) => event.tool_name === "run_shell")
    expect(events).toHaveLength(2)
    expect(events[1]).toMatchObject({
      status: "failed",
      error: { kind: "outcome_unknown" },
      job_id: job.jobId,
      recovered: true,
    })
  })

  it("J13: an end that was journalled and not committed is the true end", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const begun = Date.now()
    await runAndDie(jobs, session, { moment: "before-end", command: "seq 1000; exit 9" })
    const died = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 300))
    await jobs.harness.startUpkeep()
    const job = await onlyJob(jobs)
    expect(job).toMatchObject({
      status: "failed",
      outcome: { kind: "exited", exit_code: 9 },
      recovered: true,
      outputGap: false,
      output: { stdout: { bytes_total: 3893, lines_total: 1000, dropped_bytes: 0 } },
    })
    expect(job.finishedAt).toBeGreaterThan(begun)
    expect(job.finishedAt).toBeLessThanOrEqual(died)
    const [, finished] = (await jobs.harness.callEvents(session)).filter((event) => event.tool_name === "run_shell")
    expect(finished).toMatchObject({
      status: "failed",
      error: { kind: "process_exit" },
      job_id: job.jobId,
      recovered: true,
    })
  })

  it("a stop that was accepted is carried out when the host is found dead", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const until = async () => {
      const [job] = await jobs.harness.store.read((tx) => tx.jobs.active({}))
      if (job?.status !== "running" || !job.handedOver) return false
      await jobs.harness.store.write((tx) => changeJob(tx, job.jobId, (row) => asStopRequested(row, "stop_job", 1)))
      return true
    }
    await runAndDie(jobs, session, { moment: "handed-over", command: "sleep 300", until })
    await jobs.harness.startUpkeep()
    const job = await onlyJob(jobs)
    expect(job).toMatchObject({
      status: "stopped",
      executionState: "cancelled",
      outcome: { kind: "cancelled", by: "stop_job" },
      recovered: true,
    })
    const left = await jobs.shell(`grep -al ${job.jobId} /proc/[0-9]*/environ; true`)
    expect(left.output.stdout).toBe("")
  })

  it("stop_job ends what a dead host left, before anybody recovered it", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const until = async () => (await jobs.harness.store.read((tx) => tx.jobs.active({}))).some((job) => job.handedOver)
    await runAndDie(jobs, session, { moment: "handed-over", command: "sleep 300", until })
    const { jobId } = await onlyJob(jobs)
    expect(await jobs.harness.ok("stop_job", { job_id: jobId, confirm: true })).toMatchObject({
      status: "stopped",
      stop_request_accepted: true,
      outcome: { kind: "cancelled", by: "stop_job" },
      survivors: [],
    })
    const left = await jobs.shell(`grep -al ${jobId} /proc/[0-9]*/environ; true`)
    expect(left.output.stdout).toBe("")
    const told = (await jobs.harness.events(session)).filter((event) => event.kind === "job_finished")
    expect(told).toMatchObject([{ outcome: "cancelled", execution_state: "cancelled" }])
  })

  it("a call whose end was told by recovery while its command ran: the Job's end reaches the Session too", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const running = jobs.shell("sleep 2; exit 3", { session_id: session, result_expectation: "failure" })
    let jobId: Job["jobId"] | undefined
    while (jobId === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      jobId = (await jobs.harness.store.read((tx) => tx.jobs.active({})))[0]?.jobId
    }
    const { store, runners } = jobs.harness
    const open = { hint: { job_id: jobId } } as unknown as OpenCall
    expect(await recoverStart(open, { store, runners })).toMatchObject({
      status: "succeeded",
      executionState: "running",
      expectation: { declared: "failure", classification: "none", satisfied: null },
    })
    await running
    const told = (await jobs.harness.events(session)).filter((event) => event.kind === "job_finished")
    const expectation = { declared: "failure", classification: "matched_expected_failure", satisfied: true }
    expect(told).toMatchObject([{ job_id: jobId, outcome: "exited", exit_code: 3, expectation }])
    expect(await recoverStart(open, { store, runners })).toMatchObject({ errorKind: "process_exit", expectation })
  })

  it("J15: a handed-over Job of a dead host ends as unknown, with one job_finished in its Session", async () => {
    await using jobs = await openJobs()
    await using other = await openJobs({ beside: jobs.harness })
    const session = await jobs.harness.session({ project: "demo" })
    const handedOver = async () =>
      (await jobs.harness.store.read((tx) => tx.jobs.active({}))).some((job) => job.handedOver)
    await runAndDie(jobs, session, { moment: "handed-over", command: "sleep 20", until: handedOver })
    await Promise.all([jobs.harness.startUpkeep(), other.harness.startUpkeep()])
    const events = await jobs.harness.events(session)
    expect(events.filter((event) => event.kind === "job_finished")).toMatchObject([
      { outcome: "unknown", execution_state: "outcome_unknown", tool_name: "run_shell" },
    ])
    const { jobId } = await onlyJob(jobs)
    const stopped = await jobs.harness.ok("stop_job", { job_id: jobId, confirm: true })
    expect(stopped).toMatchObject({ status: "lost", already_finished: true })
    const left = await jobs.shell(`grep -al ${jobId} /proc/[0-9]*/environ; true`)
    expect(left.output.stdout).toBe("")
  })
})
