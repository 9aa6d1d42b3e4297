import { expect, it, vi } from "vitest"
import { createJobSupervisor } from "../../../core/jobs/supervisor.ts"
import { ToolError } from "../../../core/kernel/error.ts"
import { createIds, jobIdSchema } from "../../../core/kernel/ids.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import { boundShell } from "../shells/shell-under-test.ts"
import { openJobs, untilEnded } from "./jobs-under-test.ts"

/** What a carrier throws where the host died as it was asked. */
const died = () =>
  new ToolError("outcome_unknown", "The Runner host died while it did this. Look at what there is, then decide.", {
    details: { reason: "host_lost" },
    executionState: "outcome_unknown",
  })

it("a start that may have run is no refusal: its row goes on, and its true end is told", async () => {
  await using jobs = await openJobs()
  const runner = jobs.harness.runners.get("local")
  if (runner === undefined) throw new Error("no Runner")
  const start = runner.jobs.start.bind(runner.jobs)
  const asked = vi.spyOn(runner.jobs, "start").mockImplementation(async (spec) => {
    await start(spec)
    throw died()
  })
  const session_id = await jobs.harness.session({ project: "demo" })
  const input = { project: "demo", session_id, command: "sleep 0.5; exit 3" }
  const { result } = await jobs.harness.call("run_shell", input)
  asked.mockRestore()
  expect(result).toMatchObject({
    success: false,
    error: { kind: "outcome_unknown", execution_state: "outcome_unknown" },
    output: { terminal: false, execution_state: "outcome_unknown" },
  })
  const jobId = jobIdSchema.parse(result.output && Reflect.get(result.output, "job_id"))
  expect(await untilEnded(jobs.harness, jobId)).toMatchObject({ status: "failed", outcome: { exit_code: 3 } })
  expect(await jobs.harness.events(session_id)).toMatchObject([
    {},
    { kind: "tool_call_started" },
    { kind: "tool_call_finished", status: "failed", job_id: jobId, evidence: { execution_state: "outcome_unknown" } },
    { kind: "job_finished", job_id: jobId, exit_code: 3 },
  ])
})

it("the same of a command in a live shell", async () => {
  await using jobs = await openJobs()
  const runner = jobs.harness.runners.get("local")
  if (runner === undefined) throw new Error("no Runner")
  const shell = await boundShell(jobs.harness, "far")
  const exec = runner.shells.exec.bind(runner.shells)
  vi.spyOn(runner.shells, "exec").mockImplementationOnce(async (spec) => {
    await exec(spec)
    throw died()
  })
  const { result } = await shell.call("sleep 0.5; (exit 3)")
  expect(result).toMatchObject({ success: false, error: { kind: "outcome_unknown" }, output: { terminal: false } })
  const jobId = jobIdSchema.parse(result.output && Reflect.get(result.output, "job_id"))
  expect(await untilEnded(jobs.harness, jobId)).toMatchObject({ status: "failed", outcome: { exit_code: 3 } })
})

it("a supervisor whose Runner cannot be asked goes on following it", async () => {
  await using jobs = await openJobs()
  const real = jobs.harness.runners.get("local")?.jobs
  if (real === undefined) throw new Error("no Runner")
  let asked = 0
  const faults: unknown[] = []
  const supervisor = createJobSupervisor({
    store: jobs.harness.store,
    ledger: createLedger({ ids: createIds(), redact: (text) => text }),
    signals: { notify: () => undefined },
    clock: jobs.harness.clock,
    runners: [
      {
        ...real,
        hostId: real.hostId,
        async events(options) {
          asked += 1
          if (asked === 1) throw new ToolError("runner_unavailable", "The Runner cannot be reached. Try again later.")
          return real.events(options)
        },
      },
    ],
    report: (error) => faults.push(error),
  })
  supervisor.start()
  await expect.poll(() => asked, { timeout: 15_000 }).toBeGreaterThan(1)
  await supervisor.close()
  expect(faults).toEqual([])
})
