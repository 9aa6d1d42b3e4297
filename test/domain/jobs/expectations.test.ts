import { readdir } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { openJobs, untilEnded } from "./jobs-under-test.ts"

describe("declared expectations of starts", () => {
  it("accepted codes satisfy the ledger and change nothing of the result", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const run = async (executable: string, args: readonly string[], more: object) =>
      jobs.start("run_process", { session_id: session, executable, args, ...more })
    const one = await run("false", [], { accepted_exit_codes: [1, 0, 1] })
    expect(one.kind).toBe("process_exit")
    expect(one.output).toMatchObject({
      exit_code: 1,
      status: "failed",
      expectation: {
        declared: null,
        accepted_exit_codes: [0, 1],
        classification: "matched_expected_result",
        satisfied: true,
      },
    })
    const two = await run("ls", ["--no-such-option"], { accepted_exit_codes: [0, 1], result_expectation: "observe" })
    const three = await run("true", [], { accepted_exit_codes: [1] })
    expect([three.kind, three.output.exit_code]).toEqual([undefined, 0])
    for (const { output } of [two, three]) {
      expect(output["expectation"]).toMatchObject({ classification: "expectation_mismatch", satisfied: false })
    }
    const finished = (await jobs.harness.events(session)).filter(({ kind }) => kind === "tool_call_finished")
    expect(finished).toMatchObject([
      { status: "failed", exit_code: 1, expectation: { classification: "matched_expected_result", satisfied: true } },
      { status: "failed", exit_code: 2, expectation: { declared: "observe", classification: "expectation_mismatch" } },
      { status: "succeeded", exit_code: 0, expectation: { classification: "expectation_mismatch", satisfied: false } },
    ])
  })

  it("a success that was not wanted, a timeout that was only to be observed, and what nobody declared", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const shell = (command: string, more: object) => jobs.shell(command, { session_id: session, ...more })
    await shell("true", { result_expectation: "failure", assertion_name: "login is refused" })
    await shell("sleep 20", { result_expectation: "observe", timeout_secs: 1 })
    const plain = await shell("exit 3", {})
    expect(plain.output).not.toHaveProperty("expectation")
    const missing = { project: "demo", session_id: session, executable: "nope-xyz", result_expectation: "failure" }
    expect(await jobs.harness.fails("run_process", missing)).toMatchObject({ kind: "executable_not_found" })
    const events = await jobs.harness.events(session)
    const finished = events.filter(({ kind }) => kind === "tool_call_finished")
    expect(finished).toMatchObject([
      { status: "succeeded", expectation: { declared: "failure", classification: "unexpected_success" } },
      {
        status: "failed",
        expectation: { declared: "observe", classification: "unexpected_failure", satisfied: false },
      },
      { status: "failed", expectation: { declared: null, classification: "unexpected_failure", satisfied: null } },
      { status: "failed", expectation: { declared: "failure", classification: "unexpected_failure" } },
    ])
    expect(events.find(({ kind }) => kind === "tool_call_started")).toMatchObject({
      facts: { assertion_name: "login is refused" },
    })
  })

  it("a Job's hand-over classifies nothing; its end does, from its row", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const input = { session_id: session, command: "sleep 0.6; exit 4", result_expectation: "failure" }
    const { output } = await jobs.start("run_job", input)
    expect(output).toMatchObject({ terminal: false, expectation: { classification: "none", satisfied: null } })
    await untilEnded(jobs.harness, output.job_id)
    await expect
      .poll(async () => (await jobs.harness.events(session)).filter(({ kind }) => kind === "job_finished"))
      .toMatchObject([
        {
          exit_code: 4,
          expectation: { declared: "failure", classification: "matched_expected_failure", satisfied: true },
        },
      ])
    const [handedOver] = (await jobs.harness.events(session)).filter(({ kind }) => kind === "tool_call_finished")
    expect(handedOver).toMatchObject({ status: "succeeded", expectation: { classification: "none", satisfied: null } })
  })

  it("a declaration that says too much, too little or a secret is refused, and nothing starts", async () => {
    await using jobs = await openJobs()
    const touch = { executable: "touch", args: ["ran"] }
    const many = Array.from({ length: 33 }, (_, code) => code)
    const refused: readonly (readonly [string, object])[] = [
      ["run_process", { ...touch, accepted_exit_codes: [] }],
      ["run_process", { ...touch, accepted_exit_codes: many }],
      ["run_process", { ...touch, accepted_exit_codes: [256] }],
      ["run_process", { ...touch, accepted_exit_codes: [1], result_expectation: "failure" }],
      ["run_process", { ...touch, accepted_exit_codes: [1], result_expectation: "success" }],
      ["run_process", { ...touch, result_expectation: "maybe" }],
      ["run_process", { ...touch, assertion_name: "two\nlines" }],
      ["run_process", { ...touch, assertion_name: "x".repeat(81) }],
      ["run_process", { ...touch, assertion_name: `token ghp_${"a1B2".repeat(9)}` }],
      ["run_shell", { command: "touch ran", accepted_exit_codes: [0] }],
      ["run_job", { command: "touch ran", accepted_exit_codes: [0] }],
      ["run_detached_process", { ...touch, idempotency_key: "k", result_expectation: "observe" }],
    ]
    for (const [tool, input] of refused) {
      const { kind } = await jobs.harness.fails(tool, { project: "demo", ...input })
      expect([tool, input, kind]).toEqual([tool, input, "invalid_arguments"])
    }
    expect(await readdir(jobs.root)).toEqual([])
    expect(jobs.harness.dump()).not.toMatch(/wc_job_/)
    const repeated = [...many.slice(0, 32), ...many.slice(0, 8)]
    const { output } = await jobs.start("run_process", { executable: "true", accepted_exit_codes: repeated })
    expect(output["expectation"]).toMatchObject({ accepted_exit_codes: many.slice(0, 32) })
  })
})
