import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { isAlive, openShell, type ShellsUnderTest, sleepMs, type TestShell } from "./shell-fixture.ts"

async function expectIntact(shell: TestShell, generation = 0): Promise<void> {
  const ok = await shell.run("echo ok $KEPT")
  expect(ok).toMatchObject({ stdout: "ok 1\n", code: 0 })
  expect(ok.facts.shell?.generation).toBe(generation)
}

/** A stop ends the command and keeps the shell. */
export function shellStopCases(test: () => ShellsUnderTest): void {
  it("L3, L4: a command whose time is over ends with what followed it, and the shell stays", async () => {
    const shell = await openShell(test())
    await shell.run("KEPT=1; mkdir d; cd d")
    const mark = join(test().root, "F")
    const ran = await shell.run(`echo so far; sleep 30; touch ${mark}`, { timeoutMs: 1000 })
    expect(ran.facts).toMatchObject({ outcome: { kind: "timed_out", after_ms: 1000 }, survivors: [] })
    expect(ran.ms).toBeLessThan(4000)
    expect(ran.stdout).toBe("so far\n")
    expect(ran.facts.shell).toMatchObject({ cwd: join(test().root, "d"), generation: 0 })
    await expectIntact(shell)
    await sleepMs(500)
    expect(existsSync(mark)).toBe(false)
  })

  it.each([
    ["while :; do :; done; touch F"],
    [`bash -c 'trap "" INT TERM; sleep 30'; touch F`],
    [`trap "" INT TERM; sleep 30; touch F`],
    ["setsid sleep 30; touch F"],
    ["x=$(sleep 30); touch F"],
    ["sleep 30 | cat; touch F"],
    ["trap 'echo mine' INT; sleep 30; touch F"],
  ])("L35: %s", async (text) => {
    const shell = await openShell(test())
    await shell.run("KEPT=1")
    const ran = await shell.run(text, { timeoutMs: 500 })
    expect(ran.facts).toMatchObject({ outcome: { kind: "timed_out" }, survivors: [] })
    expect(ran.ms).toBeLessThan(5000)
    expect(ran.facts.shell?.restarted).toBeUndefined()
    await expectIntact(shell)
    expect(existsSync(join(test().root, "F"))).toBe(false)
  })

  it.each(["set -r", "ulimit -n 5"])(
    "S5: after `%s`, where nothing can be redirected, the rest does not run",
    async (first) => {
      const shell = await openShell(test())
      const ran = await shell.run(`${first}; sleep 30; touch F`, { timeoutMs: 500 })
      expect(ran.facts.outcome).toMatchObject({ kind: "timed_out" })
      await sleepMs(300)
      expect(existsSync(join(test().root, "F"))).toBe(false)
    },
  )

  it("a stop shows no trace of its own after `set -x`", async () => {
    const shell = await openShell(test())
    const ran = await shell.run("set -x; sleep 30; touch F", { timeoutMs: 500 })
    expect(ran).toMatchObject({ facts: { outcome: { kind: "timed_out" } }, stderr: "++ sleep 30\n" })
    expect(await shell.run("echo on >&2")).toMatchObject({ stderr: "++ echo on\non\n", code: 0 })
  })

  it("S5: where an earlier text took `builtin` away, the shell goes first, and the rest does not run", async () => {
    const shell = await openShell(test())
    await shell.run("KEPT=1")
    await sleepMs(300)
    await shell.run("builtin() { :; }")
    await sleepMs(300)
    const ran = await shell.run("sleep 30; touch F", { timeoutMs: 500 })
    expect(ran.facts.outcome).toMatchObject({ kind: "timed_out" })
    expect(ran.facts.shell?.restarted?.reason).toBe("unresponsive")
    await expectIntact(shell, 1)
    expect(existsSync(join(test().root, "F"))).toBe(false)
  })

  it("L34: older background work survives a stop", async () => {
    const shell = await openShell(test())
    await shell.run("sleep 100 &")
    expect((await shell.run("sleep 30", { timeoutMs: 500 })).facts.outcome).toMatchObject({ kind: "timed_out" })
    expect((await shell.run("jobs -r | wc -l")).stdout.trim()).toBe("1")
  })

  it("L51: a cancelled command ends, what followed it never runs, and the shell stays", async () => {
    const shell = await openShell(test())
    await shell.run("KEPT=1")
    const jobId = await shell.begin("sleep 30; touch F")
    await sleepMs(300)
    const stopped = await test().jobs.stop(jobId, { cause: "caller", graceMs: 500 })
    expect(stopped).toMatchObject({ state: "ended", outcome: { kind: "cancelled", by: "caller" } })
    await expectIntact(shell)
    expect(existsSync(join(test().root, "F"))).toBe(false)
  })

  it("a stop that comes after the end changes nothing", async () => {
    const shell = await openShell(test())
    const ran = await shell.run("exit_code() { return 5; }; exit_code")
    const stopped = await test().jobs.stop(ran.jobId, { cause: "stop_job", graceMs: 0 })
    expect(stopped?.outcome).toEqual({ kind: "exited", exit_code: 5 })
  })

  it("a stop of a finished command ends what it left behind", async () => {
    const shell = await openShell(test())
    await shell.run("sleep 100 &")
    const ran = await shell.run("(sleep 101; sleep 102) & echo on")
    const pid = ran.facts.background[0]!.pid
    const stopped = await test().jobs.stop(ran.jobId, { cause: "stop_job", graceMs: 500 })
    expect(stopped).toMatchObject({ state: "ended", outcome: { kind: "exited" }, background: [], survivors: [] })
    expect(await isAlive(pid)).toBe(false)
    expect((await shell.run("jobs -r | wc -l")).stdout.trim()).toBe("1")
  })

  it("a shell that was stopped while it was idle is continued for the next command", async () => {
    const shell = await openShell(test())
    await shell.run("KEPT=1; (sleep .1; kill -STOP $$) & :")
    await sleepMs(500)
    await expectIntact(shell)
  })

  it("a shell that stopped itself is continued at its time", async () => {
    const shell = await openShell(test())
    await shell.run("KEPT=1")
    const ran = await shell.run("kill -STOP $$; echo on", { timeoutMs: 500 })
    expect(ran.facts.outcome).toMatchObject({ kind: "timed_out" })
    await expectIntact(shell)
  })
}
