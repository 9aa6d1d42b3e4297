import { expect, it } from "vitest"
import { ToolError } from "../../../core/kernel/error.ts"
import type { ProjectPk } from "../../../core/kernel/ids.ts"
import type { ProjectSettings } from "../../../core/projects/settings.ts"
import type { Runner } from "../../../core/runners/runner.ts"
import { recoverOpen, recoverShells } from "../../../core/shells/recovery.ts"
import type { ShellRunner } from "../../../core/shells/runner.ts"
import { createShellDesk } from "../../../core/shells/settings.ts"
import { createShellSupervisor } from "../../../core/shells/supervisor.ts"
import { aShell, ids } from "../../contract/store-fixtures.ts"
import { FakeClock } from "../../support/fake-clock.ts"
import { createHarness, type Harness } from "../../support/harness.ts"
import { eventually } from "../../support/mcp/ledger.ts"
import { boundShell, freeShell } from "./shell-under-test.ts"

const row = (harness: Harness, id: string) => harness.store.read((tx) => tx.shells.byId(id))
const ended = (harness: Harness, id: string, ms: number) =>
  eventually(
    ms,
    () => row(harness, id),
    (shell) => shell?.state === "closed",
  )

it("a change of what the configuration says of the Project closes its shells before their next command", async () => {
  const projectSettings = new Map<ProjectPk, ProjectSettings>()
  await using harness = await createHarness({ projectSettings })
  const shell = await boundShell(harness, "alpha")
  expect(await shell.run("echo 1")).toMatchObject({ exit_code: 0 })
  const { projectPk } = (await row(harness, shell.id)) ?? {}
  if (projectPk === undefined) throw new Error("the shell has a Project")
  projectSettings.set(projectPk, { rawShell: true, env: [{ name: "NEW", value: "1" }] })
  const error = await shell.fails("touch ran")
  expect(error).toMatchObject({
    kind: "shell_reset_required",
    recovery: "reobserve",
    execution_state: "not_started",
    details: { reason: "policy_changed" },
  })
  expect(await shell.fails("echo no")).toMatchObject({ kind: "shell_closed", details: { reason: "policy_changed" } })
  const again = await harness.ok("open_session_shell", { project: shell.project, session_id: shell.session })
  expect(again.already_open).toBe(false)
  const run = { project: shell.project, session_id: shell.session, shell_id: again.shell_id, command: "echo $NEW; ls" }
  expect(await harness.ok("session_shell_exec", run)).toMatchObject({ stdout: "1\n" })
  projectSettings.set(projectPk, { rawShell: false, env: [] })
  expect(await harness.fails("session_shell_exec", run)).toMatchObject({ kind: "capability_unavailable" })
})

it("a user who is disabled loses the shells", async () => {
  await using harness = await createHarness()
  await harness.store.write((tx) => tx.users.insert({ name: "alice", projects: "*", scopes: [], createdAt: 1 }))
  const free = await freeShell(harness)
  const bound = await boundShell(harness, "alpha")
  await harness.store.write((tx) => tx.users.disable("alice", harness.clock.now()))
  expect(await ended(harness, free.id, 9000)).toMatchObject({ reason: "access_withdrawn" })
  expect(await ended(harness, bound.id, 9000)).toMatchObject({ reason: "access_withdrawn" })
}, 25_000)

it("rows of hosts that are gone are over, those of living ones are left alone", async () => {
  await using harness = await createHarness()
  const living = ids.instance()
  const seen = { host: "h", pid: 1, pidStartedAt: "1", startedAt: 1, seenAt: harness.clock.now() }
  const [opening, running, elsewhere] = [
    aShell({ state: "opening", hostId: ids.instance() }),
    aShell({ hostId: ids.instance(), lastCwd: "/srv" }),
    aShell({ hostId: living }),
  ]
  await harness.store.write(async (tx) => {
    await tx.instances.insert({ instance: living, ...seen })
    for (const shell of [opening, running, elsewhere]) await tx.shells.insert(shell)
  })
  const { store, clock, runners } = harness
  const ports = { store, clock, runners, signals: { notify: () => undefined }, shells: createShellDesk(ids) }
  expect(await recoverShells(ports, [])).toBe(2)
  expect(await row(harness, opening.shellId)).toMatchObject({ state: "closed", reason: "start_failed" })
  expect(await row(harness, running.shellId)).toMatchObject({ state: "lost", reason: "process_gone" })
  expect(await row(harness, elsewhere.shellId)).toMatchObject({ state: "running" })
  expect(await recoverShells(ports, [living])).toBe(1)
  expect(await row(harness, elsewhere.shellId)).toMatchObject({ state: "lost" })
})

it("a call that opened a shell in a server that died is told by what the host holds", async () => {
  await using harness = await createHarness()
  const shell = await freeShell(harness)
  const uid = String((await row(harness, shell.id))?.shellUid)
  const never = aShell({ state: "opening" })
  await harness.store.write((tx) => tx.shells.insert(never))
  const open = (hint?: { readonly shell_uid: string }) => ({
    callId: ids.call(),
    invocationId: ids.invocation(),
    tool: "session_create",
    instance: ids.instance(),
    startedAt: 5,
    ...(hint === undefined ? {} : { hint }),
  })
  expect(await recoverOpen(open(), harness)).toMatchObject({ status: "failed", errorKind: "interrupted" })
  expect(await recoverOpen(open({ shell_uid: uid }), harness)).toMatchObject({ status: "succeeded" })
  expect(await recoverOpen(open({ shell_uid: never.shellUid }), harness)).toMatchObject({
    status: "failed",
    errorKind: "shell_start_failed",
    executionState: "not_started",
  })
  expect(await row(harness, never.shellId)).toMatchObject({ state: "closed", reason: "start_failed" })
})

it("an open that fails leaves nothing behind", async () => {
  await using harness = await createHarness({ shells: { maxFree: 1 } })
  const error = await harness.fails("session_create", { transport: "local", cwd: `${harness.home}/none` })
  expect(error).toMatchObject({ kind: "cwd_invalid", execution_state: "not_started", details: { reason: "missing" } })
  expect(await harness.store.read((tx) => tx.shells.countLive("free"))).toBe(0)
  await freeShell(harness)
})

it("restricted and read_only refuse to run, and let close", async () => {
  await using open = await createHarness()
  const shell = await boundShell(open, "alpha")
  await using harness = await createHarness({ authorityMode: "restricted", beside: open })
  expect(await harness.fails("session_create", { transport: "local" })).toMatchObject({ kind: "permission_denied" })
  const run = { ...shell.address, command: "echo no" }
  expect(await harness.fails("session_shell_exec", run)).toMatchObject({ kind: "permission_denied" })
  expect(await harness.ok("close_session_shell", shell.address)).toMatchObject({ already_closed: false })
})

it("a Session's resource is where its shell goes, and never the Project host instead", async () => {
  const resources = new Map([["box", { host: "127.0.0.1.invalid" }]])
  await using harness = await createHarness({ shells: { resources } })
  const { project } = await harness.project("alpha")
  const open = async (resource: string) => {
    const session_id = await harness.session({ project, execution_context: { resource } })
    return harness.fails("open_session_shell", { project, session_id })
  }
  expect(await open("none")).toMatchObject({ kind: "capability_unavailable", details: { reason: "resource" } })
  const failed = await open("box")
  expect(["ssh_failed", "shell_start_failed", "capability_unavailable"]).toContain(failed.kind)
  expect(failed.execution_state).toBe("not_started")
  expect(await harness.store.read((tx) => tx.shells.countLive("bound"))).toBe(0)
  expect(harness.dump()).toContain('\\"resource\\":\\"box\\"')
}, 30_000)

it("rows go 7 days after the end, and not before", async () => {
  await using harness = await createHarness()
  const clock = new FakeClock()
  const day = 86_400_000
  const [old, young] = [8, 6].map((days) => aShell({ state: "closed", closedAt: clock.now() - days * day }))
  if (old === undefined || young === undefined) throw new Error("two were made")
  await harness.store.write(async (tx) => {
    for (const shell of [old, young]) await tx.shells.insert(shell)
  })
  const supervisor = createShellSupervisor({
    store: harness.store,
    clock,
    runners: [],
    signals: { notify: () => undefined, wait: (_, { signal }) => clock.sleep(5000, signal).then(() => false) },
    shells: createShellDesk(ids),
    report: (error) => {
      throw error
    },
  })
  supervisor.start()
  await clock.advance(60_000)
  await eventually(
    3000,
    () => row(harness, old.shellId),
    (shell) => shell === undefined,
  )
  await supervisor.close()
  expect(await row(harness, young.shellId)).toEqual(young)
})

it("a Project's init text runs once when the shell is opened, and its output is nobody's", async () => {
  const projectSettings = new Map<ProjectPk, ProjectSettings>()
  await using harness = await createHarness({ projectSettings })
  const { project } = await harness.project("alpha")
  const found = await harness.store.read((tx) => tx.projects.bySlug(project))
  if (found === undefined) throw new Error("it is registered")
  const open = async (init: string) => {
    projectSettings.set(found.pk, { rawShell: true, env: [{ name: "WHO", value: "me" }], init })
    const session_id = await harness.session({ project })
    const { result } = await harness.call("open_session_shell", { project, session_id })
    return { session_id, result }
  }
  const { session_id, result } = await open("echo noise; hello(){ echo hello $WHO; }; echo once >> inits; false")
  const shell_id = result.success ? Reflect.get(result.output, "shell_id") : ""
  const run = { project, session_id, shell_id, command: "hello; cat inits" }
  expect(await harness.ok("session_shell_exec", run)).toMatchObject({ stdout: "hello me\nonce\n", stderr: "" })
  const failed = await open("exit 3")
  expect(failed.result).toMatchObject({
    success: false,
    error: { kind: "shell_start_failed", execution_state: "not_started", details: { phase: "init" } },
  })
  expect(await harness.store.read((tx) => tx.shells.countLive("bound"))).toBe(1)
})

it("a shell whose host does not answer is recovering, and running again once it does", async () => {
  await using harness = await createHarness()
  const shell = await freeShell(harness)
  const held = await row(harness, shell.id)
  const runner = harness.runners.get("local")
  if (held === undefined || runner === undefined) throw new Error("there is a shell in a Runner")
  let reachable = false
  let told = 0
  const notify = (): void => {
    told += 1
  }
  const inventory = async () => {
    if (reachable) return runner.shells.inventory()
    throw new ToolError("runner_unavailable", "It does not answer.")
  }
  const events = async ({ since, signal }: { since: number; signal?: AbortSignal }) => {
    await new Promise((resolve) => signal?.addEventListener("abort", resolve))
    return { sequence: since, shellUids: [] }
  }
  const clock = new FakeClock()
  const supervisor = createShellSupervisor({
    store: harness.store,
    clock,
    runners: [{ jobs: runner.jobs, shells: { ...shellsOf(runner), inventory, events } }],
    signals: { notify, wait: (_, { signal }) => clock.sleep(600_000, signal).then(() => false) },
    shells: createShellDesk(ids),
    report: () => undefined,
  })
  supervisor.start()
  await clock.advance(2000)
  // The harness's own supervisor may have met the host again by then.
  const seen = await eventually(
    1500,
    () => row(harness, shell.id),
    (now) => (now?.revision ?? 0) > held.revision,
  )
  expect(["recovering", "running"]).toContain(seen?.state)
  expect(told).toBe(1)
  reachable = true
  await clock.advance(2000)
  await eventually(
    3000,
    () => row(harness, shell.id),
    (now) => now?.state === "running",
  )
  await supervisor.close()
  expect(await shell.run("echo still")).toMatchObject({ stdout: "still" })
})

/** The port's methods, to be replaced one by one. */
function shellsOf({ shells }: Runner): ShellRunner {
  return {
    open: (spec) => shells.open(spec),
    claim: (uid, options) => shells.claim(uid, options),
    release: (claimId) => shells.release(claimId),
    exec: (spec) => shells.exec(spec),
    resolve: (reach) => shells.resolve(reach),
    close: (uid, options) => shells.close(uid, options),
    facts: (uid) => shells.facts(uid),
    touch: (uid) => shells.touch(uid),
    inventory: () => shells.inventory(),
    events: (options) => shells.events(options),
    ack: (uids) => shells.ack(uids),
    recall: (uid) => shells.recall(uid),
    checkpoint: (uid, label) => shells.checkpoint(uid, label),
    checkpoints: (uid) => shells.checkpoints(uid),
    restore: (uid, id) => shells.restore(uid, id),
    capabilities: () => shells.capabilities(),
  }
}
