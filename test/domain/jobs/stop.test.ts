import { describe, expect, it } from "vitest"
import { openJobs, untilEnded } from "./jobs-under-test.ts"

describe("stop_job", () => {
  it("J27: needs confirmation, stops a running Job once, and leaves a finished one alone", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("sleep 99", { sync_wait_secs: 0 })
    const { job_id } = output
    expect(await jobs.harness.fails("stop_job", { job_id })).toMatchObject({ kind: "confirmation_required" })
    expect(await jobs.harness.ok("stop_job", { job_id, confirm: true, project: "demo" })).toMatchObject({
      job_id,
      status: "stopped",
      stop_request_accepted: true,
      already_finished: false,
      already_stop_requested: false,
      outcome: { kind: "cancelled", by: "stop_job" },
      survivors: [],
    })
    expect(await jobs.harness.ok("stop_job", { job_id, confirm: true })).toMatchObject({
      status: "stopped",
      already_finished: true,
      stop_request_accepted: false,
    })
    expect(await untilEnded(jobs.harness, job_id)).toMatchObject({ status: "stopped", exit_code: null })
  })

  it("another Project than the Job's is job_not_found", async () => {
    await using jobs = await openJobs()
    await jobs.harness.project("other")
    const { output } = await jobs.shell("sleep 99", { sync_wait_secs: 0 })
    const refused = await jobs.harness.fails("stop_job", { job_id: output.job_id, confirm: true, project: "other" })
    expect(refused.kind).toBe("job_not_found")
  })

  it("J28: a Job that ignores SIGTERM is gone without grace", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("trap '' TERM; sleep 300", { sync_wait_secs: 1 })
    const begun = performance.now()
    const stopped = await jobs.harness.ok("stop_job", { job_id: output.job_id, confirm: true, grace_secs: 0 })
    expect(performance.now() - begun).toBeLessThan(1500)
    expect(stopped).toMatchObject({ status: "stopped", survivors: [] })
  })

  it("J28: a second stop hurries the first one; none waits longer than 5 s", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("trap '' TERM; sleep 300", { sync_wait_secs: 1 })
    const { job_id } = output
    const begun = performance.now()
    const patient = await jobs.harness.ok("stop_job", { job_id, confirm: true, grace_secs: 30 })
    expect(performance.now() - begun).toBeLessThan(6500)
    expect(patient).toMatchObject({ status: "stop_requested", stop_request_accepted: true })
    const again = performance.now()
    const stopped = await jobs.harness.ok("stop_job", { job_id, confirm: true, grace_secs: 0 })
    expect(performance.now() - again).toBeLessThan(2000)
    expect(stopped).toMatchObject({ status: "stopped", already_stop_requested: true, survivors: [] })
  })

  it("stops a Job whose call still waits: the call answers cancelled", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const running = jobs.shell("echo here; sleep 60", { session_id: session })
    let jobId: string | undefined
    while (jobId === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      const [active] = await jobs.harness.store.read((tx) => tx.jobs.active({}))
      if (active?.status === "running") jobId = active.jobId
    }
    await jobs.harness.ok("stop_job", { job_id: jobId, confirm: true })
    expect(await running).toMatchObject({ kind: "cancelled", output: { status: "stopped", stdout: "here\n" } })
    expect((await jobs.harness.events(session)).filter((event) => event.kind === "job_finished")).toEqual([])
  })

  it("a command that writes more than output_limit_bytes is cancelled and keeps its output", async () => {
    await using jobs = await openJobs({ hostLimits: { outputLimitBytes: 5 } })
    expect(await jobs.shell("echo 123456; sleep 60")).toMatchObject({
      kind: "cancelled",
      state: "cancelled",
      output: { status: "cancelled", outcome: { kind: "cancelled", by: "output_limit" }, stdout: "123456\n" },
    })
  })

  it("a stop asked for in another server is carried out by the one that runs the Job", async () => {
    await using jobs = await openJobs()
    await using other = await openJobs({ beside: jobs.harness })
    const { output } = await jobs.shell("sleep 99", { sync_wait_secs: 1 })
    const stopped = await other.harness.ok("stop_job", { job_id: output.job_id, confirm: true })
    expect(stopped).toMatchObject({ status: "stopped", outcome: { kind: "cancelled", by: "stop_job" } })
  })
})
