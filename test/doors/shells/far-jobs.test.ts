import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { eventually } from "../../support/mcp/ledger.ts"
import { type FarServer, startFarServer } from "./far-server.ts"

let far: FarServer
let session: { readonly project: string; readonly session_id: string }
beforeAll(async () => {
  far = await startFarServer()
  session = { project: "demo", session_id: await far.farSession() }
})
afterAll(() => far.close())

const run = (tool: string, input: object) => far.call(tool, { ...session, ...input })

it("J25: on a named resource shell text runs there, and nothing else falls back to this machine", async () => {
  const ran = await run("run_shell", { command: 'test -n "$SSH_CONNECTION" && pwd; echo e >&2' })
  expect(ran).toMatchObject({ success: true, output: { stdout: "/usr\n", stderr: "e\n", exit_code: 0, cwd: "/usr" } })
  expect(await run("run_shell", { command: "exit 7" })).toMatchObject({
    success: false,
    error: { kind: "process_exit", details: { exit_code: 7 } },
  })
  const refused = { success: false, error: { kind: "unsupported_resource", execution_state: "not_started" } }
  expect(await run("run_process", { executable: "true" })).toMatchObject(refused)
  expect(await run("run_script", { language: "sh", script: "true" })).toMatchObject(refused)
  expect(await run("run_detached_process", { executable: "true", idempotency_key: "k" })).toMatchObject(refused)
  expect(await run("run_shell", { command: "pwd", cwd: "/nowhere/at/all" })).toMatchObject({
    success: false,
    error: { kind: "cwd_invalid", execution_state: "not_started" },
  })
  expect((await far.call("list_jobs", { project: "demo", include_quick: true })).output.total).toBe(3)
})

it("a Job on a resource is handed over, followed, and stopped there", async () => {
  const started = await run("run_job", { command: "echo $$; exec sleep 4300" })
  expect(started).toMatchObject({
    success: true,
    output: { terminal: false, executor: { kind: "ssh", label: "box" } },
  })
  const { job_id } = started.output
  const log = () => far.call("job_log", { job_id })
  await eventually(5000, log, ({ output }) =>
    /\d+\n/.test(JSON.stringify(output.stdout ?? output).replaceAll("\\n", "\n")),
  )
  const stopped = await far.call("stop_job", { job_id, confirm: true })
  expect(stopped).toMatchObject({ success: true, output: { status: "stopped", survivors: [] } })
})

it("while the link is cut the Job is recovering; then its true end is told", async () => {
  const started = await run("run_job", { command: "for i in 1 2 3 4 5; do echo $i; sleep 1; done; exit 5" })
  const { job_id } = started.output
  far.sshd.cut()
  const status = async () => (await far.call("job_status", { job_id })).output
  await eventually(5000, status, (output) => output.status === "recovering")
  far.sshd.mend()
  const ended = await eventually(30_000, status, (output) => output.terminal === true)
  expect(ended).toMatchObject({ status: "failed", exit_code: 5, totals: { stdout: { lines_total: 5 } } })
})

it("a call that waits is handed over as soon as the link is lost", async () => {
  const begun = join(far.place.home, "begun")
  const waiting = run("run_shell", { command: `touch ${begun}; sleep 6; exit 4` })
  await eventually(
    10_000,
    async () => existsSync(begun),
    (exists) => exists,
  )
  // The answer that it runs is on its way.
  await new Promise((resolve) => setTimeout(resolve, 500))
  far.sshd.cut()
  const answer = await waiting
  far.sshd.mend()
  expect(answer).toMatchObject({ success: true, output: { promoted_to_job: true, terminal: false } })
  const status = async () => (await far.call("job_status", { job_id: answer.output.job_id })).output
  const ended = await eventually(20_000, status, (output) => output.terminal === true)
  expect(ended).toMatchObject({ status: "failed", exit_code: 4 })
})

it("L56: a command in a far shell is recovering while the link is cut, and its waiting call is handed over", async () => {
  const { sshd } = far
  const made = await far.call("session_create", { transport: "ssh", host: "hfbox" })
  const { session_id } = made.output
  const begun = join(far.place.home, "shell-begun")
  const waiting = far.call("session_exec", { session_id, command: `touch ${begun}; sleep 4; echo out; (exit 6)` })
  await eventually(
    10_000,
    async () => existsSync(begun),
    (exists) => exists,
  )
  sshd.cut()
  const answer = await waiting
  expect(answer.output).toMatchObject({ promoted_to_job: true })
  const { job_id } = answer.output
  const status = async () => (await far.call("job_status", { job_id })).output
  await eventually(5000, status, (output) => output.status === "recovering")
  sshd.mend()
  const ended = await eventually(20_000, status, (output) => output.terminal === true)
  expect(ended).toMatchObject({ status: "failed", exit_code: 6 })
  expect(await far.call("session_exec", { session_id, command: "echo still" })).toMatchObject({
    output: { stdout: "still" },
  })
})
