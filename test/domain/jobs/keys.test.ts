import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openJobs, untilEnded } from "./jobs-under-test.ts"

describe("run_job", () => {
  it("answers as soon as it runs, and shows an end that comes at once", async () => {
    await using jobs = await openJobs()
    const begun = performance.now()
    const { output } = await jobs.start("run_job", { command: "echo a; sleep 2; echo b" })
    expect(performance.now() - begun).toBeLessThan(1500)
    expect(output).toMatchObject({ status: "running", promoted_to_job: true, exit_code: null, terminal: false })
    expect(output).toHaveProperty("observation_token")
    const failed = await jobs.start("run_job", { command: "exit 3" })
    expect([failed.kind, failed.output.exit_code]).toEqual(["process_exit", 3])
    expect(await untilEnded(jobs.harness, output.job_id)).toMatchObject({ status: "completed" })
  })

  it("J29: above max_running_jobs a Job waits its turn, its life not running; a stopped one never starts", async () => {
    await using jobs = await openJobs({ hostLimits: { maxRunningJobs: 2 } })
    const started = []
    for (let n = 1; n <= 5; n += 1) {
      const { output } = await jobs.start("run_job", { command: `echo ${n} >> ran; sleep 1.2`, timeout_secs: 2 })
      started.push(output)
    }
    expect(started.map(({ status, queue_position }) => [status, queue_position])).toEqual([
      ["running", undefined],
      ["running", undefined],
      ["queued", 1],
      ["queued", 2],
      ["queued", 3],
    ])
    const status = await jobs.harness.ok("job_status", { job_id: started[3]!.job_id })
    expect(status).toMatchObject({ status: "queued", queue_position: 2, running_ms: 0, terminal: false })
    const fifth = await jobs.harness.ok("stop_job", { job_id: started[4]!.job_id, confirm: true })
    expect(fifth).toMatchObject({ status: "stopped", stop_request_accepted: true })
    expect(await jobs.harness.ok("job_status", { job_id: started[4]!.job_id })).toMatchObject({
      execution_state: "not_started",
      terminal: true,
    })
    for (const { job_id } of started.slice(0, 4)) {
      expect(await untilEnded(jobs.harness, job_id)).toMatchObject({ status: "completed" })
    }
    expect((await readFile(join(jobs.root, "ran"), "utf8")).trim().split("\n").sort()).toEqual(["1", "2", "3", "4"])
  })
})

describe("idempotency_key", () => {
  it("the same content answers the same Job in its present state; other content conflicts", async () => {
    await using jobs = await openJobs()
    const command = "echo x >> ran; echo out; sleep 1; exit 4"
    const first = await jobs.start("run_job", { command, idempotency_key: "K" })
    expect(first.output).not.toHaveProperty("replayed")
    const running = await jobs.start("run_job", { command, idempotency_key: "K" })
    expect(running.output).toMatchObject({
      job_id: first.output.job_id,
      replayed: true,
      status: "running",
      stdout: "out\n",
    })
    expect(running.output).toHaveProperty("observation_token")
    const other = await jobs.harness.fails("run_job", { project: "demo", command: "true", idempotency_key: "K" })
    expect(other).toMatchObject({ kind: "idempotency_conflict", details: { job_id: first.output.job_id } })
    await untilEnded(jobs.harness, first.output.job_id)
    const ended = await jobs.start("run_job", { command, idempotency_key: "K" })
    expect(ended).toMatchObject({
      kind: "process_exit",
      output: { job_id: first.output.job_id, replayed: true, status: "failed", exit_code: 4, stdout: "out\n" },
    })
    expect(await readFile(join(jobs.root, "ran"), "utf8")).toBe("x\n")
    const fresh = await jobs.start("run_job", { command: "true" })
    const again = await jobs.start("run_job", { command: "true" })
    expect(again.output.job_id).not.toBe(fresh.output.job_id)
  })

  it("a key is answered although the line is full or its folder is gone, and is free after a refusal", async () => {
    await using jobs = await openJobs({ hostLimits: { maxRunningJobs: 1, maxQueuedJobs: 0 } })
    const first = await jobs.start("run_job", { command: "sleep 5", idempotency_key: "K" })
    const again = await jobs.start("run_job", { command: "sleep 5", idempotency_key: "K" })
    expect(again.output).toMatchObject({ job_id: first.output.job_id, replayed: true })
    const other = { project: "demo", command: "true", idempotency_key: "L" }
    expect((await jobs.harness.fails("run_job", other)).kind).toBe("job_limit_reached")
    await jobs.harness.ok("stop_job", { job_id: first.output.job_id, confirm: true, grace_secs: 0 })
    expect((await jobs.start("run_job", { command: "true", idempotency_key: "L" })).output).toMatchObject({
      status: "completed",
    })
    const stopped = await jobs.start("run_job", { command: "sleep 5", idempotency_key: "K" })
    expect(stopped).toMatchObject({ kind: "cancelled", output: { replayed: true, status: "stopped" } })
  })

  it("a key whose output was evicted says so and does not show an empty one", async () => {
    await using jobs = await openJobs()
    const input = { command: "echo out", idempotency_key: "K" }
    const { output } = await jobs.start("run_job", input)
    await jobs.harness.store.write((tx) => tx.jobs.evictOutput(output.job_id))
    const again = await jobs.start("run_job", input)
    expect(again.output).toMatchObject({
      job_id: output.job_id,
      replayed: true,
      truncated: true,
      hint: expect.stringContaining("no longer kept"),
    })
  })

  it("J19: the same key from two servers at once starts one process", async () => {
    await using jobs = await openJobs()
    await using other = await openJobs({ beside: jobs.harness })
    for (let round = 0; round < 50; round += 1) {
      const input = { command: `echo ${round} >> ran`, idempotency_key: `round-${round}` }
      const [one, two] = await Promise.all([jobs.start("run_job", input), other.start("run_job", input)])
      expect(one.output.job_id).toBe(two.output.job_id)
    }
    await expect.poll(async () => (await readFile(join(jobs.root, "ran"), "utf8")).trim().split("\n").length).toBe(50)
  })
})
