import { describe, expect, it } from "vitest"
import { alice, bob } from "../../support/callers.ts"
import { createHarness, type Harness } from "../../support/harness.ts"
import { isRunning } from "../../support/is-running.ts"
import { freeShell } from "./shell-under-test.ts"

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The row of a shell by the id that callers know. */
const row = (harness: Harness, id: string) => harness.store.read((tx) => tx.shells.byId(id))

async function until(what: () => Promise<boolean>, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (performance.now() < end) {
    if (await what()) return true
    await pause(50)
  }
  return what()
}

it("L38: a shell that is flooded is destroyed at once, and its id is final", async () => {
  await using harness = await createHarness()
  const shell = await freeShell(harness)
  const running = shell.fails("yes")
  await pause(500)
  const begun = performance.now()
  const destroyed = await harness.ok("session_destroy", { session_id: shell.id })
  expect(performance.now() - begun).toBeLessThan(4000)
  expect(destroyed).toMatchObject({ destroyed: true, survivors: [] })
  expect(await running).toMatchObject({ kind: "cancelled", details: { by: "shell_closed" } })
  expect(await harness.ok("session_destroy", { session_id: shell.id })).toMatchObject({ destroyed: false })
  const error = await shell.fails("echo no")
  expect(error).toMatchObject({
    kind: "shell_closed",
    recovery: "none",
    execution_state: "not_started",
    details: { reason: "destroyed", closed_at: expect.any(Number) },
  })
})

it("who waits for a shell that closes is told", async () => {
  await using harness = await createHarness()
  const shell = await freeShell(harness)
  const running = shell.fails("sleep 20")
  await pause(200)
  const waiting = shell.fails("echo no")
  await pause(100)
  await harness.ok("session_destroy", { session_id: shell.id })
  expect(await waiting).toMatchObject({ kind: "shell_closed", details: { reason: "destroyed" } })
  expect(await running).toMatchObject({ kind: "cancelled" })
})

it("background processes end with their shell, or are kept and named", async () => {
  await using harness = await createHarness()
  const shell = await freeShell(harness)
  const started = await shell.run("nohup sleep 300 >/dev/null 2>&1 & echo $!")
  const pid = Number(started.stdout)
  const destroyed = await harness.ok("session_destroy", { session_id: shell.id, background: "keep" })
  expect(destroyed).toMatchObject({ destroyed: true, kept: [{ pid }] })
  expect(isRunning(pid)).toBe(true)
  process.kill(pid, "SIGKILL")
})

it("a foreign shell is an unknown one", async () => {
  await using harness = await createHarness()
  const shell = await freeShell(harness)
  const foreign = await shell.fails("echo no", {}, { as: bob })
  const unknown = await harness.fails("session_exec", { session_id: "0000-1_local", command: "echo no" })
  expect(foreign).toEqual(unknown)
  expect(foreign.kind).toBe("shell_not_found")
  expect(await harness.ok("session_destroy", { session_id: shell.id }, { as: bob })).toMatchObject({ destroyed: false })
  expect(await harness.ok("session_list", {}, { as: bob })).toEqual({ sessions: [] })
  expect(await harness.ok("session_list", {}, { as: alice })).toMatchObject({ sessions: [{ session_id: shell.id }] })
})

it("L39: 30 creates in two servers at a cap of 5 give exactly 5", async () => {
  const shells = { maxFree: 5 }
  await using one = await createHarness({ shells })
  await using two = await createHarness({ shells, beside: one })
  const servers = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? one : two))
  const answers = await Promise.all(servers.map((each) => each.call("session_create", { transport: "local" })))
  const made = answers.flatMap(({ result }) =>
    result.success ? [String(Reflect.get(result.output, "session_id"))] : [],
  )
  const refused = answers.flatMap(({ result }) => (result.success ? [] : [result.error]))
  expect(new Set(made).size).toBe(5)
  expect(refused).toHaveLength(25)
  for (const error of refused) expect(error).toMatchObject({ kind: "shell_limit_reached", details: { max: 5 } })
  const [first = ""] = made
  await one.ok("session_destroy", { session_id: first })
  await one.ok("session_create", { transport: "local" })
  expect(await one.fails("session_create", { transport: "local" })).toMatchObject({ kind: "shell_limit_reached" })
})

it("L40: an idle shell is closed; a busy one and one with background children are not", async () => {
  await using harness = await createHarness()
  const [idle, busy, background] = [
    await freeShell(harness, { idle_ttl_secs: 2 }),
    await freeShell(harness, { idle_ttl_secs: 2 }),
    await freeShell(harness, { idle_ttl_secs: 2 }),
  ]
  const running = busy.run("sleep 5")
  const { stdout } = await background.run("sleep 300 >/dev/null 2>&1 & echo $!")
  expect((await row(harness, idle.id))?.state).toBe("running")
  expect(await until(async () => (await row(harness, idle.id))?.state === "closed", 6000)).toBe(true)
  const closed = await row(harness, idle.id)
  expect(closed).toMatchObject({ reason: "idle" })
  const lasted = Number(closed?.closedAt) - Number(closed?.createdAt)
  expect(lasted).toBeGreaterThanOrEqual(1900)
  expect(lasted).toBeLessThan(4500)
  expect(await row(harness, busy.id)).toMatchObject({ state: "running" })
  expect(await row(harness, background.id)).toMatchObject({ state: "running" })
  expect(await running).toMatchObject({ exit_code: 0 })
  process.kill(Number(stdout), "SIGKILL")
})

describe("L47: the fence of a shell", () => {
  it("denies programs, not words, before anything runs", async () => {
    await using harness = await createHarness()
    const shell = await freeShell(harness, { deny: ["rm"] })
    await shell.run("mkdir x")
    expect(await shell.run("echo rm")).toMatchObject({ stdout: "rm" })
    const error = await shell.fails("X=1 sudo rm -rf x")
    expect(error).toMatchObject({
      kind: "fence_denied",
      execution_state: "not_started",
      details: { rule: "deny", program: "rm" },
    })
    expect(error.message).toContain("advisory")
    expect(await shell.run("ls")).toMatchObject({ stdout: "x" })
    expect(await shell.run('sh -c "$(echo rm) -r x"')).toMatchObject({ exit_code: 0 })
  })
  it("with an allow list a word that is not literal is denied", async () => {
    await using harness = await createHarness()
    const shell = await freeShell(harness, { allow: ["ls"] })
    expect(await shell.run("ls")).toMatchObject({ exit_code: 0 })
    expect(await shell.fails("$(echo ls)")).toMatchObject({ kind: "fence_denied", details: { rule: "allow" } })
  })
})

it("L48: a shell that closes on exit says so once, and then is closed", async () => {
  await using harness = await createHarness({ shells: { maxFree: 1 } })
  const shell = await freeShell(harness, { on_exit: "close" })
  const { result } = await shell.call("echo last; exit 3")
  expect(result).toMatchObject({
    success: false,
    error: { kind: "shell_exited", execution_state: "completed", details: { exit_code: 3 } },
    output: { stdout: "last", exit_code: 3 },
  })
  expect(await shell.fails("echo no")).toMatchObject({ kind: "shell_closed", details: { reason: "shell_exited" } })
  await freeShell(harness)
})

it("only local shells exist without remote:use, and a field of another transport is refused", async () => {
  await using harness = await createHarness()
  const scopes = new Set([...alice.scopes].filter((scope) => scope !== "remote:use"))
  const far = { transport: "ssh", host: "example" }
  const refused = await harness.fails("session_create", far, { as: { ...alice, scopes } })
  expect(refused).toMatchObject({ kind: "insufficient_scope", details: { missing: ["remote:use"] } })
  const conflict = await harness.fails("session_create", { transport: "local", host: "example" })
  expect(conflict).toMatchObject({ kind: "invalid_arguments", details: { field: "host" } })
  expect(await harness.fails("session_create", { transport: "ssh" })).toMatchObject({ details: { field: "host" } })
  expect(await harness.store.read((tx) => tx.shells.countLive("free"))).toBe(0)
})

it("a shell of this machine has no checkpoints of its own", async () => {
  await using harness = await createHarness()
  const { id } = await freeShell(harness)
  for (const tool of ["session_checkpoint", "session_checkpoints", "session_restore"]) {
    const error = await harness.fails(tool, { session_id: id })
    expect(error).toMatchObject({ kind: "checkpoint_unsupported", details: { reason: "local" } })
  }
})
