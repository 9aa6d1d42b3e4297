import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { engines } from "./remote-engines.ts"
import { openRemoteHost, type RemoteUnderTest } from "./remote-fixture.ts"
import { openShell, sleepMs, type TestShell } from "./shell-fixture.ts"

describe.each(engines().map((engine) => [engine.title, engine] as const))("containers (%s)", (_title, engine) => {
  let test: RemoteUnderTest
  let made = 0

  beforeAll(async () => {
    const path = `${engine.bin}:${process.env["PATH"] ?? ""}`
    test = await openRemoteHost({ containerEngine: engine.name }, { PATH: path })
  })

  afterAll(async () => {
    await test.close()
    engine.close()
  })

  function fresh(): string {
    made += 1
    const container = `box${made}`
    engine.start(container)
    return container
  }

  const open = (container: string): Promise<TestShell> =>
    openShell(test, { reach: { kind: "docker", container }, exact: false, cwd: "/" })

  it("L58: without bash, rows 1 and 3 hold in an sh", async () => {
    const container = fresh()
    const shell = await open(container)
    expect((await test.shells.facts(shell.uid))?.dialect).toBe("sh")
    await shell.run("cd /tmp && export ENV=prod")
    expect(await shell.run("pwd; echo $ENV")).toMatchObject({ stdout: "/tmp\nprod\n", stderr: "", code: 0 })
    await sleepMs(500)
    const late = await shell.run("sleep 30; echo no", { timeoutMs: 2000 })
    expect(late.facts).toMatchObject({ outcome: { kind: "timed_out" }, shell: { cwd: "/tmp" } })
    expect(late.stdout).toBe("")
    expect((await shell.run("pwd; echo $ENV")).stdout).toBe("/tmp\nprod\n")
    expect((await shell.run("exit 4")).code).toBe(4)
    expect((await shell.run("echo $ENV")).stdout).toBe("prod\n")
    engine.remove(container)
  })

  it("L58: a destroy leaves no process of the shell inside", async () => {
    const container = fresh()
    const shell = await open(container)
    await shell.begin("sleep 500 & sleep 600")
    await sleepMs(500)
    expect(engine.processes(container)).toContain("sleep 500")
    const began = performance.now()
    const closed = await test.shells.close(shell.uid, { reason: "destroyed", background: "kill" })
    expect(performance.now() - began).toBeLessThan(6000)
    expect(closed?.survivors).toEqual([])
    expect(engine.processes(container)).not.toMatch(/sleep [56]00/)
    engine.remove(container)
  })

  it("a container that is missing or does not run is said to be so", async () => {
    const refused = (container: string): Promise<unknown> => open(container).catch((error: unknown) => error)
    expect(await refused("nobody")).toMatchObject({ kind: "container_not_found", executionState: "not_started" })
    expect(await refused("-rm")).toMatchObject({ kind: "container_not_found" })
    const container = fresh()
    engine.stop(container)
    expect(await refused(container)).toMatchObject({ kind: "container_not_running", details: { state: "exited" } })
    engine.remove(container)
  })

  it("a container that was started again gets the shell back from its snapshot", async () => {
    const container = fresh()
    const shell = await open(container)
    await shell.run("cd /tmp; export KEPT=1")
    await sleepMs(1000)
    engine.restart(container)
    await sleepMs(3000)
    const ran = await shell.run("pwd; echo $KEPT")
    expect(ran).toMatchObject({ stdout: "/tmp\n1\n", code: 0 })
    expect(ran.facts.shell?.restarted).toMatchObject({ reason: "container_restarted", snapshot: "idle" })
    engine.remove(container)
  })

  it("a container that is gone takes its shell with it, and a command in it has no known end", async () => {
    const container = fresh()
    const shell = await open(container)
    const jobId = await shell.begin("sleep 60")
    await sleepMs(500)
    engine.remove(container)
    const ran = await shell.end(jobId)
    expect(ran.facts.outcome).toEqual({ kind: "lost", reason: "container_gone" })
    expect(await test.shells.facts(shell.uid)).toMatchObject({ state: "lost", reason: "container_gone" })
    await expect(shell.run("true")).rejects.toMatchObject({ kind: "shell_lost", details: { reason: "container_gone" } })
  })
})
