import { describe, expect, it } from "vitest"
import { z } from "zod"
import type { Job } from "../../../core/jobs/record.ts"
import { aJob } from "../../contract/store-fixtures.ts"
import { alice, bob, grantFor, local } from "../../support/callers.ts"
import { type JobsUnderTest, openJobs, untilEnded } from "./jobs-under-test.ts"

const pageSchema = z.object({
  jobs: z.array(z.looseObject({ job_id: z.string(), status: z.string(), created_at: z.number() })),
  total: z.number(),
  next_cursor: z.string().optional(),
})

const list = async (jobs: JobsUnderTest, input: object = {}, how = {}) =>
  pageSchema.parse(await jobs.harness.ok("list_jobs", input, how))

async function walk(jobs: JobsUnderTest, input: object) {
  const pages = [await list(jobs, input)]
  for (;;) {
    const cursor = pages.at(-1)?.next_cursor
    if (cursor === undefined) return pages
    pages.push(await list(jobs, { ...input, cursor }))
  }
}

/** Rows of Alice's that were made by calls of hers, as templates of more. */
async function manyRows(jobs: JobsUnderTest, count: number, like: Job, change: (n: number) => Partial<Job>) {
  await jobs.harness.store.write(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const { jobId } = aJob()
      await tx.jobs.insert({ ...like, jobId, ...change(n) })
    }
  })
}

async function rowOf(jobs: JobsUnderTest, jobId: Job["jobId"]): Promise<Job> {
  const job = await jobs.harness.store.read((tx) => tx.jobs.byId(jobId))
  if (job === undefined) throw new Error("no such row")
  return job
}

describe("list_jobs", () => {
  it("J35: quick Jobs are left out unless asked for; a cursor walks all once, newest first", async () => {
    await using jobs = await openJobs()
    for (let n = 0; n < 3; n += 1) {
      const { output } = await jobs.shell("sleep 0.3", { sync_wait_secs: 0 })
      await untilEnded(jobs.harness, output.job_id)
    }
    const quick = await jobs.shell("true")
    // The other 149 are rows alone, many of one moment.
    await manyRows(jobs, 149, await rowOf(jobs, quick.output.job_id), (n) => ({ createdAt: 1000 + Math.floor(n / 40) }))
    expect(await list(jobs)).toMatchObject({ total: 3, jobs: [{}, {}, {}] })
    const first = await list(jobs, { include_quick: true, limit: 10 })
    expect(first.jobs).toHaveLength(10)
    expect(first.total).toBe(153)
    const pages = await walk(jobs, { include_quick: true, limit: 10 })
    const all = pages.flatMap((page) => page.jobs)
    expect(new Set(all.map((job) => job.job_id)).size).toBe(153)
    expect(all).toHaveLength(153)
    const times = all.map((job) => job.created_at)
    expect(times).toEqual([...times].sort((a, b) => b - a))
    const foreign = { limit: 10, cursor: first.next_cursor }
    expect(await jobs.harness.fails("list_jobs", foreign)).toMatchObject({
      kind: "invalid_arguments",
      details: { field: "cursor" },
    })
  })

  it("filters hold all at once: Project, Session, state; a Job whose call still waits is active", async () => {
    await using jobs = await openJobs()
    await jobs.harness.project("other")
    const session = await jobs.harness.session({ project: "demo" })
    const waiting = jobs.shell("sleep 1.5", { session_id: session })
    await expect.poll(async () => (await list(jobs, { status: ["active"] })).total).toBe(1)
    const { output } = await jobs.start("run_job", { command: "sleep 30", project: "other" })
    await expect.poll(async () => (await list(jobs, { status: ["running"] })).total).toBe(2)
    expect((await list(jobs, { project: "other" })).jobs).toMatchObject([
      { job_id: output.job_id, project: "other", kind: "job", tool: "run_job", summary: "sleep 30", terminal: false },
    ])
    expect((await list(jobs, { session_id: session })).jobs).toMatchObject([{ session_id: session, project: "demo" }])
    expect((await list(jobs, { session_id: session, project: "other" })).total).toBe(0)
    await waiting
    expect((await list(jobs, { session_id: session })).total).toBe(0)
    expect((await list(jobs, { session_id: session, include_quick: true, status: ["completed"] })).total).toBe(1)
    expect((await list(jobs, { status: ["completed", "lost"] })).total).toBe(0)
    await jobs.harness.ok("stop_job", { job_id: output.job_id, confirm: true, grace_secs: 0 })
    expect((await list(jobs, { status: ["stopped"] })).jobs).toMatchObject([
      { outcome: { kind: "cancelled", by: "stop_job" }, exit_code: null, terminal: true },
    ])
  })

  it("J36: a Job of alice is not found for bob in any tool, and not in his list", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("echo hers", { sync_wait_secs: 0 }, { as: alice })
    const { job_id } = output
    await untilEnded(jobs.harness, job_id)
    const calls: readonly (readonly [string, object])[] = [
      ["job_log", { job_id }],
      ["job_status", { job_id }],
      ["stop_job", { job_id, confirm: true }],
    ]
    for (const [tool, input] of calls) {
      expect([tool, (await jobs.harness.fails(tool, input, { as: bob })).kind]).toEqual([tool, "job_not_found"])
    }
    expect(await jobs.harness.ok("observe_jobs", { items: [{ job_id }] }, { as: bob })).toMatchObject({
      results: [{ ok: false, error_kind: "job_not_found" }],
    })
    expect((await list(jobs, { include_quick: true }, { as: bob })).total).toBe(0)
    expect((await list(jobs, { include_quick: true }, { as: alice })).total).toBe(1)
  })

  it("a Job of a Project that may not be accessed any more is neither found nor listed nor counted", async () => {
    await using jobs = await openJobs()
    await jobs.harness.project("other")
    const grant = grantFor(["demo", "other"])
    const { output } = await jobs.start("run_job", { command: "echo x", project: "other" }, { as: grant })
    await jobs.start("run_job", { command: "echo x" }, { as: grant })
    const narrow = { ...grant, projects: ["demo"] }
    expect((await list(jobs, { include_quick: true }, { as: grant })).total).toBe(2)
    expect(await list(jobs, { include_quick: true }, { as: narrow })).toMatchObject({
      total: 1,
      jobs: [{ project: "demo" }],
    })
    const refused = await jobs.harness.fails("job_status", { job_id: output.job_id }, { as: narrow })
    expect(refused.kind).toBe("job_not_found")
    expect((await list(jobs, { include_quick: true }, { as: local })).total).toBe(0)
  })

  it("J10: counts are those of the rows, whatever the filters", async () => {
    await using jobs = await openJobs()
    const made = await rowOf(jobs, (await jobs.shell("true")).output.job_id)
    const statuses = ["completed", "failed", "running", "queued", "lost"] as const
    await manyRows(jobs, 60, made, (n) => ({
      status: statuses[n % 5]!,
      handedOver: n % 3 === 0,
      createdAt: n % 7,
      hostId: "host-of-nobody",
    }))
    for (const include_quick of [true, false]) {
      for (const status of [undefined, ["completed"], ["active"], ["failed", "running", "lost"]]) {
        const input = { include_quick, limit: 7, ...(status === undefined ? {} : { status }) }
        const pages = await walk(jobs, input)
        const ids = pages.flatMap((page) => page.jobs.map((job) => job.job_id))
        expect(new Set(ids).size).toBe(ids.length)
        expect(pages.map((page) => page.total)).toEqual(pages.map(() => ids.length))
      }
    }
  })
})

describe("job_status", () => {
  it("tells the facts of a Job without its output", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const begun = Date.now()
    const { output } = await jobs.start("run_job", {
      command: "MY_TOKEN=sup3r-s3cret; echo out; sleep 0.6; exit 3",
      session_id: session,
      purpose: "test",
      timeout_secs: 60,
    })
    const { job_id } = output
    const running = await jobs.harness.ok("job_status", { job_id })
    expect(running).toMatchObject({
      job_id,
      kind: "job",
      tool: "run_job",
      status: "running",
      terminal: false,
      execution_state: "running",
      project: "demo",
      session_id: session,
      summary: "MY_TOKEN=[redacted:MY_TOKEN]; echo out; sleep 0.6; exit 3",
      purpose: "test",
      timeout_secs: 60,
      recovered: false,
      output_gap: false,
      totals: { stdout: { bytes_total: 4, lines_total: 1 } },
      output_state: "available",
      background: [],
      survivors: [],
    })
    for (const absent of ["outcome", "exit_code", "finished_at", "stdout", "queue_position", "recovering_since"])
      expect(running).not.toHaveProperty(absent)
    await untilEnded(jobs.harness, job_id)
    const ended = await jobs.harness.ok("job_status", { job_id })
    expect(ended).toMatchObject({
      status: "failed",
      terminal: true,
      // The row has no byte of a command: the host still knows it.
      summary: "MY_TOKEN=[redacted:MY_TOKEN]; echo out; sleep 0.6; exit 3",
      outcome: { kind: "exited", exit_code: 3 },
      exit_code: 3,
      execution_state: "completed",
      totals: { stdout: { bytes_total: 4, lines_total: 1, dropped_bytes: 0, masked: 0 } },
    })
    expect(Number(ended.created_at)).toBeGreaterThanOrEqual(begun)
    expect(Number(ended.finished_at) - Number(ended.started_at)).toBe(ended.running_ms)
  })

  it("names kept background processes while they live", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("sleep 60 & sleep 0.4 & echo up", { background: "keep" })
    const { job_id } = output
    const named = async () => Object((await jobs.harness.ok("job_status", { job_id })).background).length
    await expect.poll(named).toBe(1)
    expect(await jobs.harness.ok("job_status", { job_id })).toMatchObject({
      status: "completed",
      background: [{ command: "sleep 60" }],
    })
    await jobs.harness.ok("stop_job", { job_id, confirm: true })
    expect(await jobs.harness.ok("job_status", { job_id })).toMatchObject({ status: "completed", background: [] })
  })
})
