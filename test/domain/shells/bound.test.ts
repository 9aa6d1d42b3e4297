import { realpath } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { local } from "../../support/callers.ts"
import { createHarness, type Harness } from "../../support/harness.ts"
import { isRunning } from "../../support/is-running.ts"
import { type BoundShell, boundShell } from "./shell-under-test.ts"

let harness: Harness
let shell: BoundShell
beforeAll(async () => {
  harness = await createHarness()
  shell = await boundShell(harness, "alpha")
})
afterAll(() => harness[Symbol.asyncDispose]())

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it("L2: an exit code other than 0 is process_exit in a bound shell, the output kept", async () => {
  const { result } = await shell.call("echo e >&2; exit_test(){ return 3; }; exit_test")
  expect(result).toMatchObject({
    success: false,
    error: { kind: "process_exit", recovery: "none", execution_state: "completed", details: { exit_code: 3 } },
    output: { stdout: "", stderr: "e\n", exit_code: 3, shell_id: shell.id, shell_state: "running", busy: false },
  })
})

it("L9: nothing is added to or taken from a bound shell's output", async () => {
  expect(await shell.run("printf '\\n\\nx\\n\\n'")).toMatchObject({ stdout: "\n\nx\n\n" })
  expect(await shell.run("printf 'no nl'")).toMatchObject({ stdout: "no nl" })
})

it("a timeout is a failure without an exit code", async () => {
  const { result } = await shell.call("sleep 20", { timeout_secs: 1 })
  expect(result).toMatchObject({
    success: false,
    error: { kind: "timed_out" },
    output: { exit_code: null, timed_out: true },
  })
})

it("starts in the Project's root, or where the Session's defaults say", async () => {
  expect(await shell.run("pwd")).toMatchObject({ stdout: `${shell.root}\n`, cwd: shell.root })
  const { project, root } = await harness.project("defaults")
  const session_id = await harness.session({ project, execution_context: { default_cwd: "pkg", default_shell: "sh" } })
  await harness.ok("run_shell", { project, command: "mkdir pkg" })
  const opened = await harness.ok("open_session_shell", { project, session_id })
  expect(opened).toMatchObject({
    shell: "sh",
    shell_state: "running",
    cwd: join(root, "pkg"),
    initial_cwd: join(root, "pkg"),
    executor: { kind: "local", label: "local" },
    generation: 0,
    already_open: false,
  })
  expect(opened.shell_id).toMatch(/^wc_shell_[0-9a-f]{32}$/)
  const outside = await harness.session({ project })
  const error = await harness.fails("open_session_shell", { project, session_id: outside, cwd: "../alpha" })
  expect(error).toMatchObject({ kind: "cwd_invalid", details: { reason: "outside" } })
})

describe("L53: one shell a Session", () => {
  it("opened again with the same it is the same; with other parameters it is refused", async () => {
    const { project, session, id } = await boundShell(harness, "twice")
    const again = await harness.ok("open_session_shell", { project, session_id: session })
    expect(again).toMatchObject({ shell_id: id, already_open: true, shell_state: "running" })
    const error = await harness.fails("open_session_shell", { project, session_id: session, shell: "sh" })
    expect(error).toMatchObject({ kind: "shell_already_open", recovery: "reobserve", details: { shell_id: id } })
  })

  it("opened many times at once it is one", async () => {
    const { project } = await harness.project("atonce")
    const session_id = await harness.session({ project })
    const all = await Promise.all(
      Array.from({ length: 6 }, () => harness.ok("open_session_shell", { project, session_id })),
    )
    expect(new Set(all.map(({ shell_id }) => shell_id)).size).toBe(1)
    expect(all.filter(({ already_open }) => already_open === false)).toHaveLength(1)
    expect(new Set(all.map(({ shell_state }) => shell_state))).toEqual(new Set(["running"]))
  })

  it("another Session's id is one that never was", async () => {
    const other = await harness.session({ project: shell.project })
    const error = await shell.fails("echo no", { session_id: other })
    const never = await shell.fails("echo no", { shell_id: `wc_shell_${"0".repeat(32)}` })
    expect(error).toEqual(never)
    expect(error).toMatchObject({ kind: "shell_not_found", recovery: "fix_input", execution_state: "not_started" })
  })

  it("closing the Session closes its shell and ends its processes", async () => {
    const own = await boundShell(harness, "closing")
    const { stdout } = await own.run("sleep 300 >/dev/null 2>&1 & echo $!; echo $$")
    const pids = String(stdout).trim().split("\n").map(Number)
    await harness.ok("close_session", { session_id: own.session })
    expect(await own.fails("echo no")).toMatchObject({ kind: "session_closed" })
    await pause(200)
    for (const pid of pids) expect(isRunning(pid)).toBe(false)
    const status = await harness.ok("session_shell_status", { project: own.project, session_id: own.session })
    expect(status).toMatchObject({ shell_id: own.id, shell_state: "closed", close_reason: "session_closed" })
    const closed = await harness.ok("close_session_shell", own.address)
    expect(closed).toMatchObject({ already_closed: true, close_reason: "session_closed", shell_state: "closed" })
  })
})

it("L54: a command does not run outside, and the shell can be brought back", async () => {
  const own = await boundShell(harness, "outside")
  await own.run("KEPT=1; cd /etc")
  const error = await own.fails("touch ran; pwd")
  expect(error).toMatchObject({
    kind: "shell_cwd_denied",
    recovery: "fix_input",
    execution_state: "not_started",
    details: { cwd: "/etc" },
  })
  expect(await own.run("pwd; echo $KEPT", { reset_cwd: true })).toMatchObject({ stdout: `${own.root}\n1\n` })
  await own.run("cd /tmp")
  expect(await own.run("pwd")).toMatchObject({ stdout: `${await realpath("/tmp")}\n` })
})

it("status says what runs; close says what it ended, and again that it was closed", async () => {
  const own = await boundShell(harness, "status")
  const none = await harness.project("none")
  const quiet = await harness.session({ project: none.project })
  const missing = await harness.fails("session_shell_status", { project: none.project, session_id: quiet })
  expect(missing).toMatchObject({ kind: "shell_not_found" })
  await own.run("sleep 300 >/dev/null 2>&1 &")
  const running = own.fails("sleep 20")
  await pause(300)
  const status = await harness.ok("session_shell_status", { project: own.project, session_id: own.session })
  expect(status).toMatchObject({
    shell_id: own.id,
    shell: "bash",
    shell_state: "running",
    busy: true,
    running: { job_id: expect.stringMatching(/^wc_job_/) },
    cwd: own.root,
    generation: 0,
    idle_ms: 0,
  })
  const closed = await harness.ok("close_session_shell", own.address)
  expect(closed).toMatchObject({
    shell_state: "closed",
    close_reason: "destroyed",
    already_closed: false,
    survivors: [],
  })
  expect(await running).toMatchObject({ kind: "cancelled", details: { by: "shell_closed" } })
  expect(await harness.ok("close_session_shell", own.address)).toMatchObject({ already_closed: true, ended: 0 })
})

it("unregistering the Project closes its shells and does not count their commands", async () => {
  const own = await boundShell(harness, "leaving")
  const running = own.fails("sleep 20")
  await pause(300)
  const input = { project: own.project, expected_revision: 1, confirm: true }
  await harness.ok("unregister_project", input, { as: local })
  expect(await running).toMatchObject({ kind: "cancelled", details: { by: "project_closed" } })
  const row = await harness.store.read((tx) => tx.shells.byId(own.id))
  expect(row).toMatchObject({ state: "closed", reason: "project_closed" })
})

it("a read_only Session opens no shell, and still closes one", async () => {
  const { project } = await harness.project("readonly")
  const session_id = await harness.session({ project, mode: "read_only" })
  expect(await harness.fails("open_session_shell", { project, session_id })).toMatchObject({
    kind: "session_guard_denied",
  })
  const address = { project, session_id, shell_id: `wc_shell_${"0".repeat(32)}` }
  expect(await harness.fails("close_session_shell", address)).toMatchObject({ kind: "shell_not_found" })
})

it("the ledger keeps what happened, and not a byte of command, output, environment or place", async () => {
  const own = await boundShell(harness, "ledger", { env: [{ name: "SPOKEN", value: "env-word" }] })
  await own.run("echo output-word; cd /tmp # command-word")
  const events = await harness.callEvents(own.session)
  const [opened, ran] = events.filter((event) => event.kind === "tool_call_finished")
  expect(opened).toMatchObject({
    tool_name: "open_session_shell",
    status: "succeeded",
    facts: { persistent_shell: "open", shell_id: own.id, shell_state: "running", already_open: false },
  })
  expect(ran).toMatchObject({
    tool_name: "session_shell_exec",
    exit_code: 0,
    job_id: expect.stringMatching(/^wc_job_/),
    evidence: { command_started: true, command_completed: true, execution_state: "completed" },
    facts: { persistent_shell: "exec", shell_id: own.id, outcome: "exited", stdout_lines: 1 },
  })
  const ledger = JSON.stringify(events)
  for (const word of ["env-word", "output-word", "command-word", "/tmp"]) expect(ledger).not.toContain(word)
  for (const word of ["env-word", "output-word", "command-word"]) expect(harness.dump()).not.toContain(word)
})

it("an expectation is judged beside the result, which stays what it is", async () => {
  const failed = await shell.call("(exit 3)", { result_expectation: "failure" })
  expect(failed.result).toMatchObject({
    success: false,
    error: { kind: "process_exit" },
    output: {
      exit_code: 3,
      expectation: { declared: "failure", classification: "matched_expected_failure", satisfied: true },
    },
  })
  const { result } = await shell.call("true", { result_expectation: "failure" })
  expect(result).toMatchObject({ success: true, output: { expectation: { classification: "unexpected_success" } } })
  expect(await shell.run("true")).not.toHaveProperty("expectation")
})
