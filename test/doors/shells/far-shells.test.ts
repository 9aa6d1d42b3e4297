import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { isAlive } from "../../contract/shell-fixture.ts"
import { eventually } from "../../support/mcp/ledger.ts"
import { type FarServer, startFarServer } from "./far-server.ts"

let far: FarServer
beforeAll(async () => {
  far = await startFarServer()
})
afterAll(() => far.close())

/** A free shell over ssh. */
async function create(more: object = {}): Promise<Record<string, unknown>> {
  const { sshd } = far
  const made = await far.call("session_create", {
    transport: "ssh",
    host: "127.0.0.1",
    port: sshd.port,
    key_path: "id",
    fingerprint: sshd.fingerprint(),
    ...more,
  })
  expect(made).toMatchObject({ success: true })
  return made.output
}

it("a free shell over ssh lives through its own exit, and is destroyed there", async () => {
  const { session_id, transport } = await create({ cwd: "/usr" })
  expect(transport).toBe("ssh")
  const run = (command: string) => far.call("session_exec", { session_id, command })
  expect(await run("A=1; pwd")).toMatchObject({ success: true, output: { stdout: "/usr", exit_code: 0 } })
  expect((await run("exit 7")).output).toMatchObject({ exit_code: 7, shell_restarted: { reason: "exited" } })
  expect((await run("echo $A; pwd")).output).toMatchObject({ stdout: "1\n/usr" })
  const sleeper = Number((await run("sleep 4211 & echo $!")).output.stdout)
  expect(await isAlive(sleeper)).toBe(true)
  expect((await far.call("session_destroy", { session_id })).output).toMatchObject({ destroyed: true })
  await eventually(
    5000,
    () => isAlive(sleeper),
    (alive) => !alive,
  )
})

it("L59: through the socket host, a checkpoint brings the workspace back", async () => {
  const workspace = join(far.place.home, "far-work")
  await mkdir(workspace)
  await writeFile(join(workspace, "f"), "one\n")
  const made = await create({ workspace })
  expect(made).toMatchObject({ auto_snapshot: true })
  const checkpoint = await far.call("session_checkpoint", { session_id: made.session_id, label: "before" })
  expect(checkpoint).toMatchObject({ success: true })
  const changed = await far.call("session_exec", { session_id: made.session_id, command: `echo two > ${workspace}/f` })
  expect(changed).toMatchObject({ success: true, output: { exit_code: 0 } })
  expect(await readFile(join(workspace, "f"), "utf8")).toBe("two\n")
  const restored = await far.call("session_restore", {
    session_id: made.session_id,
    checkpoint_id: checkpoint.output.checkpoint_id,
  })
  expect(restored).toMatchObject({ success: true, output: { files_changed: 1 } })
  expect(await readFile(join(workspace, "f"), "utf8")).toBe("one\n")
})

it("the shell of a Session runs on the resource that the Session names", async () => {
  const session_id = await far.farSession()
  const opened = await far.call("open_session_shell", { project: "demo", session_id })
  expect(opened).toMatchObject({ success: true, output: { cwd: "/usr", executor: { kind: "ssh", label: "box" } } })
  const shell = { project: "demo", session_id, shell_id: opened.output.shell_id }
  const ran = await far.call("session_shell_exec", { ...shell, command: 'test -n "$SSH_CONNECTION" && pwd' })
  expect(ran).toMatchObject({ success: true, output: { stdout: "/usr\n", exit_code: 0 } })
})

it("ids show the user and host that ssh makes of an alias, and the port where it is not 22", async () => {
  const { sshd } = far
  const { session_id } = await create({ host: "hfbox", port: undefined, fingerprint: undefined })
  expect(session_id).toMatch(new RegExp(`^[0-9a-f]{4}-\\d+_ssh_${sshd.user}@127\\.0\\.0\\.1:${sshd.port}$`))
  await far.call("session_destroy", { session_id })
})

it("a resource that the ssh configuration moved closes the shell before its next command", async () => {
  const session_id = await far.farSession()
  const { output } = await far.call("open_session_shell", { project: "demo", session_id })
  const exec = { project: "demo", session_id, shell_id: output.shell_id, command: "echo here" }
  expect(await far.call("session_shell_exec", exec)).toMatchObject({ success: true, output: { stdout: "here\n" } })
  await far.moveBox()
  expect(await far.call("session_shell_exec", exec)).toMatchObject({
    success: false,
    error: { kind: "shell_reset_required", details: { reason: "resource_changed" }, execution_state: "not_started" },
  })
  expect(await far.call("session_shell_exec", exec)).toMatchObject({ success: false, error: { kind: "shell_closed" } })
})
