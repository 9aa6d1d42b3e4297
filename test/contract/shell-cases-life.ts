import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { ids, isAlive, openShell, type ShellsUnderTest, shellOf, shellSpec, sleepMs } from "./shell-fixture.ts"

const zombies = (): number =>
  readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1")
      return stat.includes(`) Z ${process.pid} `)
    } catch {
      return false
    }
  }).length

/** Opening, taking turns, closing. */
export function shellLifeCases(test: () => ShellsUnderTest): void {
  it("opens once for one uid and names what cannot be entered", async () => {
    const spec = shellSpec(test())
    const [one, two] = await Promise.all([test().shells.open(spec), test().shells.open(spec)])
    expect(one).toMatchObject({ state: "running", generation: 0, cwd: test().root })
    expect(two.shellUid).toBe(one.shellUid)
    const pid = await shellOf(test(), spec.shellUid).pid()
    await test().shells.open(spec)
    expect(await shellOf(test(), spec.shellUid).pid()).toBe(pid)
    await expect(test().shells.open(shellSpec(test(), { cwd: `${test().root}/missing` }))).rejects.toMatchObject({
      kind: "cwd_invalid",
      details: { reason: "missing" },
    })
    const outside = shellSpec(test(), { cwd: "/", reach: { kind: "local", root: test().root } })
    await expect(test().shells.open(outside)).rejects.toMatchObject({ details: { reason: "outside" } })
  })

  it("L37: one command at a time, the others in line, sixteen at most", async () => {
    const shell = await openShell(test())
    const first = await shell.begin("sleep 1; echo one")
    const second = shell.run("echo two")
    await sleepMs(100)
    await expect(shell.begin("echo no", { whenBusy: "fail" })).rejects.toMatchObject({
      kind: "shell_busy",
      details: { job_id: first, waiting: 1 },
    })
    const more = Array.from({ length: 16 }, (_, index) => shell.run(`echo ${index}`))
    const results = await Promise.allSettled(more)
    const refused = results.filter((result) => result.status === "rejected")
    expect(refused).toHaveLength(1)
    expect(refused[0]).toMatchObject({ reason: { kind: "shell_busy" } })
    const two = await second
    expect(two.stdout).toBe("two\n")
    expect(two.facts.queuedMs).toBeGreaterThan(0)
    expect((await shell.end(first)).stdout).toBe("one\n")
    const order = results.flatMap((result) =>
      result.status === "fulfilled" ? [result.value.facts.startedAt ?? 0] : [],
    )
    expect([...order].sort((a, b) => a - b)).toEqual(order)
  })

  it("who hears of a command's end has the shell at once", async () => {
    const shell = await openShell(test())
    for (const text of ["true", "false", "sleep 0.01", "exit 3", "echo on"]) {
      const jobId = await shell.begin(text, { whenBusy: "fail" })
      expect((await test().jobs.watch(jobId, { from: 0, until: "end" }))?.queuedMs).toBeUndefined()
    }
  })

  it("a caller that never pauses keeps nobody else out", async () => {
    const shell = await openShell(test())
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    for (let count = 0; count < 300; count += 1) await shell.end(await shell.begin("true"))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })

  it("a claim that gives up leaves the line", async () => {
    const shell = await openShell(test())
    const jobId = await shell.begin("sleep 0.7")
    const claim = test().shells.claim(shell.uid, { whenBusy: "wait", signal: AbortSignal.timeout(100) })
    await expect(claim).rejects.toMatchObject({ kind: "shell_busy", details: { job_id: jobId } })
    expect((await shell.run("echo on")).stdout).toBe("on\n")
    const unused = await test().shells.claim(shell.uid, { whenBusy: "wait" })
    await test().shells.release(unused.claimId)
    expect((await shell.run("echo still")).stdout).toBe("still\n")
  })

  it("L38: a shell closes while it floods, once, and its command is cancelled", async () => {
    const shell = await openShell(test())
    const jobId = await shell.begin("yes")
    const waiting = shell.run("echo never").catch((error: unknown) => error)
    await sleepMs(300)
    const begun = performance.now()
    const closed = await test().shells.close(shell.uid, { reason: "destroyed", background: "kill" })
    expect(performance.now() - begun).toBeLessThan(3000)
    expect(closed?.facts).toMatchObject({ state: "closed", reason: "destroyed" })
    expect(closed?.survivors).toEqual([])
    expect((await shell.end(jobId)).facts.outcome).toMatchObject({ kind: "cancelled", by: "shell_closed" })
    expect(await waiting).toMatchObject({ kind: "shell_closed" })
    await expect(shell.run("echo no")).rejects.toMatchObject({
      kind: "shell_closed",
      details: { reason: "destroyed" },
    })
    await test().shells.ack([shell.uid])
    expect(await test().shells.close(shell.uid, { reason: "destroyed", background: "kill" })).toBeUndefined()
  })

  it("close keeps background work when it is told to, and names it", async () => {
    const shell = await openShell(test())
    const { facts } = await shell.run("sleep 60 >/dev/null 2>&1 &")
    const pid = facts.background[0]!.pid
    const closed = await test().shells.close(shell.uid, { reason: "destroyed", background: "keep" })
    expect(closed?.kept).toMatchObject([{ pid, command: "sleep 60" }])
    expect(await isAlive(pid)).toBe(true)
    process.kill(pid, "SIGKILL")
  })

  it("L40: an idle shell is closed at its time; a busy one and one with background work are not", async () => {
    const more = { idleTtlMs: 1500 }
    const [idle, busy, working] = await Promise.all([
      openShell(test(), more),
      openShell(test(), more),
      openShell(test(), more),
    ])
    const job = await busy.begin("sleep 4")
    await working.run("sleep 300 &")
    await expect
      .poll(async () => (await test().shells.facts(idle.uid))?.reason, { timeout: 4000, interval: 100 })
      .toBe("idle")
    expect(await test().shells.facts(busy.uid)).toMatchObject({ state: "running" })
    await sleepMs(1500)
    expect(await test().shells.facts(working.uid)).toMatchObject({ state: "running" })
    expect((await busy.end(job)).code).toBe(0)
  })

  it("L49: a command that goes on keeps the shell busy and then leaves its state", async () => {
    const shell = await openShell(test())
    const jobId = await shell.begin("sleep 0.7; X=set")
    await expect(shell.run("echo no", { whenBusy: "fail" })).rejects.toMatchObject({ details: { job_id: jobId } })
    expect((await shell.run("echo $X")).stdout).toBe("set\n")
  })

  it("L50: a detached command keeps its process, and the shell goes on in a new one", async () => {
    const shell = await openShell(test())
    const old = await shell.pid()
    await shell.run("A=1")
    await sleepMs(400)
    const jobId = await shell.begin("sleep 1; echo done")
    const next = await shell.run("echo $A $$", { whenBusy: "detach" })
    expect(next.stdout).toMatch(/^1 \d+\n$/)
    expect(next.stdout).not.toContain(` ${old}\n`)
    expect(next.facts.shell).toMatchObject({ generation: 1, restarted: { reason: "detached" } })
    const ran = await shell.end(jobId)
    expect(ran).toMatchObject({ stdout: "done\n", code: 0 })
    await expect.poll(() => isAlive(old), { timeout: 3000 }).toBe(false)
    expect((await shell.run("echo on")).facts.shell?.generation).toBe(1)
  })

  it("tells of shells that changed, and forgets what is acknowledged", async () => {
    const shell = await openShell(test())
    const first = await test().shells.events({ since: 0 })
    expect(first.shellUids).toContain(shell.uid)
    const waiting = test().shells.events({ since: first.sequence })
    await shell.run("exit 1")
    expect((await waiting).shellUids).toEqual([shell.uid])
    expect((await test().shells.inventory()).map(({ shellUid }) => shellUid)).toContain(shell.uid)
    await test().shells.close(shell.uid, { reason: "destroyed", background: "kill" })
    await test().shells.ack([shell.uid])
    expect(await test().shells.inventory()).toEqual([])
  })

  it("exec is idempotent by its Job id", async () => {
    const shell = await openShell(test())
    const { claimId } = await test().shells.claim(shell.uid, { whenBusy: "wait" })
    const spec = {
      jobId: ids.job(),
      claimId,
      shellUid: shell.uid,
      text: "echo once >>log",
      streams: "split",
      tty: false,
      env: [],
      resetCwd: false,
      timeoutMs: 60_000,
      secrets: [],
    } as const
    await Promise.all([test().shells.exec(spec), test().shells.exec(spec)])
    await shell.end(spec.jobId)
    await test().shells.exec(spec)
    expect((await shell.run("cat log")).stdout).toBe("once\n")
  })

  it("L55: many commands leave no zombie and no descriptor", async () => {
    const shell = await openShell(test())
    const warm = async (): Promise<void> => {
      for (let index = 0; index < 20; index += 1) await shell.run("sleep 0.01 & disown")
    }
    await warm()
    await sleepMs(300)
    const before = readdirSync("/proc/self/fd").length
    for (let index = 0; index < 300; index += 1) await shell.run("true")
    await warm()
    await sleepMs(500)
    expect(zombies()).toBe(0)
    expect(Math.abs(readdirSync("/proc/self/fd").length - before)).toBeLessThanOrEqual(2)
  })

  it("L61: many shells at once, nothing lost and nothing mixed", async () => {
    const rounds = Array.from({ length: 24 }, async (_, number) => {
      const shell = await openShell(test())
      for (let index = 0; index < 12; index += 1) {
        const token = `${number}-${index}-${Math.random()}`
        const ran = await shell.run(`echo o${token}; echo e${token} >&2; (exit ${index})`)
        expect([ran.stdout, ran.stderr, ran.code]).toEqual([`o${token}\n`, `e${token}\n`, index])
      }
      await test().shells.close(shell.uid, { reason: "destroyed", background: "kill" })
    })
    await Promise.all(rounds)
  })
}
