import { execFile } from "node:child_process"
import { appendFile, readdir, readFile, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import type { JobHost } from "../../../adapters/runners/local/host/host.ts"
import { systemProcessTable } from "../../../adapters/runners/local/host/process-table.ts"
import { type JobId, jobIdSchema, type ShellUid } from "../../../core/kernel/ids.ts"
import { type HostLine, openLine } from "./line.ts"

describe("shells of a host that died", () => {
  it("L43: an idle one goes on: same process, same state, no restart", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["echo $$ > pid; A=kept; f() { echo F; }; cd /usr"] }])
    if (orphan === undefined) throw new Error("no shell")
    const host = await line.next()
    expect(await host.shells.facts(orphan.uid)).toMatchObject({ state: "running", generation: 0, cwd: "/usr" })
    const shell = line.shell(host, orphan.uid)
    const ran = await shell.run("echo $$ $A; f; pwd")
    expect(ran.stdout).toBe(`${(await line.file("pid"))?.trim()} kept\nF\n/usr\n`)
    expect(ran.facts).toMatchObject({ outputGap: false, shell: { generation: 0 } })
    expect(ran.facts.shell?.restarted).toBe(undefined)
  })

  it("L42: a running command ends with its real status, and the shell is as it left it", async () => {
    await using line = await openLine()
    const [orphan] = await line.die(
      [{ last: "echo head; touch up; sleep 2; echo tail; B=after; (exit 6)" }],
      // What a host had read and not stored would be gone with it, as outputGap tells.
      async () => (await until(line, "up")()) && (await sleep(300, true)),
    )
    if (orphan === undefined) throw new Error("no shell")
    const host = await line.next()
    expect(await host.facts(orphan.jobId)).toMatchObject({ state: "running" })
    const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 6 }, outputGap: true })
    const page = await host.read(orphan.jobId, "stdout", { from: 0, max: 1000 })
    expect(Buffer.from(page?.bytes ?? []).toString()).toBe("head\ntail\n")
    expect((await line.shell(host, orphan.uid).run("echo $B")).stdout).toBe("after\n")
  })

  it("L42: one that ended while no host lived has its real status; what it left in its pipe went with it", async () => {
    await using line = await openLine()
    const [orphan] = await line.die(
      [{ last: "echo early; touch up; sleep 1; echo late; touch done; (exit 9)" }],
      async () => (await until(line, "up")()) && (await sleep(300, true)),
    )
    if (orphan === undefined) throw new Error("no shell")
    await eventually(until(line, "done"))
    await sleep(200)
    const host = await line.next()
    const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 9 }, outputGap: true })
    expect(await textOf(host, orphan.jobId)).toBe("early\n")
    expect(ended?.shell?.restarted).toBe(undefined)
  })

  it("L42: a shell that exits while no host lives is told by its own EXIT action", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ last: "touch up; sleep 0.5; kept=1; touch done; exit 7" }], until(line, "up"))
    if (orphan === undefined) throw new Error("no shell")
    await eventually(until(line, "done"))
    await sleep(200)
    const host = await line.next()
    const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 7 } })
    expect(ended?.shell?.restarted).toMatchObject({
      reason: "exited",
      exit_code: 7,
      snapshot: "exit",
      commands_behind: 0,
    })
    expect((await line.shell(host, orphan.uid).run("echo $kept")).stdout).toBe("1\n")
  })

  it("one whose process is gone too is restored from its snapshot, host_lost", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["A=kept; cd /usr; echo $$ > $OLDPWD/pid"] }])
    if (orphan === undefined) throw new Error("no shell")
    await killProcess(Number(await line.file("pid")))
    const host = await line.next()
    const ran = await line.shell(host, orphan.uid).run("echo $A; pwd")
    expect(ran.stdout).toBe("kept\n/usr\n")
    expect(ran.facts.shell).toMatchObject({
      generation: 1,
      restarted: { reason: "host_lost", snapshot: "idle", commands_behind: 0 },
    })
  })

  it("a command whose shell is gone too is unknown, and the shell is restored", async () => {
    await using line = await openLine()
    const order = { texts: ["A=kept"], last: "A=lost; echo $$ > pid; sleep 30 > /dev/null 2>&1" }
    const [orphan] = await line.die([order], until(line, "pid"))
    if (orphan === undefined) throw new Error("no shell")
    await killProcess(Number(await line.file("pid")))
    const host = await line.next()
    const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "unknown", reason: "process_gone" }, outputGap: true })
    expect(ended?.shell?.restarted).toMatchObject({ reason: "host_lost", snapshot: "idle", commands_behind: 1 })
    expect((await line.shell(host, orphan.uid).run("echo $A")).stdout).toBe("kept\n")
  })

  it("a status whose end was not journalled is found again", async () => {
    await using line = await openLine()
    const order = { last: "touch up; sleep 0.3; touch done; (exit 3)" }
    const [orphan] = await line.die([order], until(line, "up"))
    if (orphan === undefined) throw new Error("no shell")
    await eventually(until(line, "done"))
    await sleep(200)
    // The next host reads the status and dies before it has written anything: what it found is still there.
    const again = await line.next()
    const ended = await again.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 3 } })
    expect(await again.recall(orphan.hostId, orphan.jobId)).toMatchObject({ state: "alive" })
    await again.ack([orphan.jobId])
    expect(await again.recall(orphan.hostId, orphan.jobId)).toMatchObject({
      state: "ended",
      outcome: { kind: "exited", exit_code: 3 },
    })
  })

  it("goes on under a third host and a fourth, in the folder of the first", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["echo $$ > pid; A=1"] }])
    if (orphan === undefined) throw new Error("no shell")
    await line.die([{ uid: orphan.uid, texts: ["A=$((A + 1))"] }])
    await line.die([{ uid: orphan.uid, texts: ["A=$((A + 1))"] }])
    const host = await line.next()
    const ran = await line.shell(host, orphan.uid).run("echo $A $$")
    expect(ran.stdout).toBe(`3 ${await line.file("pid")}`)
    await host.shells.close(orphan.uid, { reason: "destroyed", background: "kill" })
    await host.shells.ack([orphan.uid])
    await host.close("end")
    expect(await readdir(join(line.home, "run")).catch(() => [])).toEqual([])
  })

  it("L42: a command outlives two hosts, and its end is its own", async () => {
    await using line = await openLine()
    const last = "echo head; touch up; while [ ! -e go ]; do sleep 0.1; done; echo tail; (exit 4)"
    const [orphan] = await line.die([{ last }], async () => (await until(line, "up")()) && (await sleep(300, true)))
    if (orphan === undefined) throw new Error("no shell")
    await line.die([{ uid: orphan.uid }])
    await line.die([{ uid: orphan.uid }])
    const host = await line.next()
    expect(await host.facts(orphan.jobId)).toMatchObject({ state: "running" })
    await writeFile(join(line.root, "go"), "")
    const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 4 }, shell: { generation: 0 } })
    expect(await textOf(host, orphan.jobId)).toBe("head\ntail\n")
  })

  it("a running command's time goes on, and a stop of it lets nothing behind it run", async () => {
    await using line = await openLine()
    const [timed, stopped] = await line.die(
      [{ last: "touch one; sleep 30; touch F", timeoutMs: 3000 }, { last: "touch two; sleep 30; touch F" }],
      until(line, "two"),
    )
    if (timed === undefined || stopped === undefined) throw new Error("no shell")
    const host = await line.next()
    const stop = await host.stop(stopped.jobId, { cause: "stop_job", graceMs: 500 })
    expect(stop).toMatchObject({ outcome: { kind: "cancelled", by: "stop_job" } })
    const late = await host.watch(timed.jobId, { from: 0, until: "end" })
    expect(late).toMatchObject({ outcome: { kind: "timed_out", after_ms: 3000 } })
    expect(late?.finishedAt).toBeLessThan((late?.startedAt ?? 0) + 6000)
    for (const { uid } of [timed, stopped]) {
      const ran = await line.shell(host, uid).run("echo alive")
      expect(ran).toMatchObject({ stdout: "alive\n", facts: { shell: { generation: 0 } } })
    }
    expect(await line.file("F")).toBe(undefined)
  })

  it("S5: a stop knows what the dead host knew of the abort trap", async () => {
    await using line = await openLine()
    const order = { texts: ["A=1; kill() { :; }"], last: "touch up; sleep 30; touch F" }
    const [orphan] = await line.die([order], until(line, "up"))
    if (orphan === undefined) throw new Error("no shell")
    const host = await line.next()
    const stop = await host.stop(orphan.jobId, { cause: "stop_job", graceMs: 500 })
    expect(stop).toMatchObject({ outcome: { kind: "cancelled" }, shell: { restarted: { reason: "unresponsive" } } })
    expect((await line.shell(host, orphan.uid).run("echo $A")).stdout).toBe("1\n")
    expect(await line.file("F")).toBe(undefined)
  })

  it("a plain sh goes on as well", async () => {
    await using line = await openLine()
    const order = { dialect: "sh", texts: ["A=kept"], last: "touch up; sleep 0.5; (exit 5)" } as const
    const [orphan] = await line.die([order], until(line, "up"))
    if (orphan === undefined) throw new Error("no shell")
    const host = await line.next()
    const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 5 } })
    expect((await line.shell(host, orphan.uid).run("echo $A")).stdout).toBe("kept\n")
  })

  it("secrets of its environment are masked again, and lie in no file", async () => {
    await using line = await openLine()
    const secret = { name: "API_TOKEN", value: "tok-93hf82ms" }
    const [orphan] = await line.die([{ env: [secret], secrets: [secret], texts: ["echo ok"] }])
    if (orphan === undefined) throw new Error("no shell")
    const host = await line.next()
    const ran = await line.shell(host, orphan.uid).run("echo $API_TOKEN; kill -9 $$")
    expect(ran.stdout).not.toContain(secret.value)
    expect(ran.stdout.length).toBeGreaterThan(1)
    const after = await line.shell(host, orphan.uid).run("[ $API_TOKEN = tok-93hf''82ms ] && echo same")
    expect(after.stdout).toBe("same\n")
    for (const place of ["data", "run"]) expect(await grep(join(line.home, place), secret.value)).toBe("")
  })

  it("L17: a recycled pid is neither trusted nor signalled", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["A=kept; echo $$ > pid"] }])
    if (orphan === undefined) throw new Error("no shell")
    const pid = Number(await line.file("pid"))
    const card = join(line.home, "run", orphan.hostId, `${orphan.uid}-0`, "card")
    const told = JSON.parse(await readFile(card, "utf8"))
    await writeFile(card, JSON.stringify({ ...told, start: told.start - 1 }))
    const host = await line.next()
    const ran = await line.shell(host, orphan.uid).run("echo $A $$")
    expect(ran.stdout).toMatch(/^kept \d+\n$/)
    expect(ran.stdout).not.toBe(`kept ${pid}\n`)
    expect(ran.facts.shell?.restarted?.reason).toBe("host_lost")
    expect(isAlive(pid)).toBe(true)
    await killProcess(pid)
  })

  it("what was accepted and never sent did not start", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["A=1"] }])
    if (orphan === undefined) throw new Error("no shell")
    const journal = join(line.home, "data", "runner", orphan.hostId, "journal")
    const boot = systemProcessTable().bootId()
    await appendFile(journal, `${JSON.stringify({ e: "accepted", job: orphan.jobId, at: 1, boot })}\n`)
    const host = await line.next()
    expect(await host.recall(orphan.hostId, orphan.jobId)).toMatchObject({
      state: "ended",
      outcome: { kind: "lost", reason: "never_started" },
    })
    expect((await line.shell(host, orphan.uid).run("echo $A")).stdout).toBe("1\n")
  })

  it("what was written down and never sent is run once, in a new process", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["A=1", "true"] }])
    if (orphan === undefined) throw new Error("no shell")
    const generation = join(line.home, "run", orphan.hostId, `${orphan.uid}-0`)
    const said = {
      ...JSON.parse(await readFile(join(generation, "run"), "utf8")),
      job: orphan.jobId,
      token: "0".repeat(32),
    }
    await writeFile(join(generation, "run"), JSON.stringify({ ...said, startedAt: Date.now() }))
    await writeFile(join(generation, "c"), "echo once >> log; (exit $((A + 2)))")
    await utimes(join(generation, "c"), 0, 0)
    const entry = { e: "accepted", job: orphan.jobId, at: 1, boot: systemProcessTable().bootId() }
    await appendFile(join(line.home, "data", "runner", orphan.hostId, "journal"), `${JSON.stringify(entry)}\n`)
    const host = await line.next()
    const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 3 }, shell: { generation: 1 } })
    expect(ended?.shell?.restarted?.reason).toBe("wedged")
    expect(await line.file("log")).toBe("once\n")
  })

  it("one that never answered is ended and told as not started", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["echo $$ > pid"] }])
    if (orphan === undefined) throw new Error("no shell")
    const card = join(line.home, "run", orphan.hostId, `${orphan.uid}-0`, "card")
    await writeFile(card, (await readFile(card, "utf8")).replace('"ready":true', '"ready":false'))
    const host = await line.next()
    expect(await host.shells.facts(orphan.uid)).toMatchObject({ state: "closed", reason: "start_failed" })
    expect(isAlive(Number(await line.file("pid")))).toBe(false)
  })

  it("an end that nobody has acknowledged is told by the next host, once", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["true"] }])
    if (orphan === undefined) throw new Error("no shell")
    const host = await line.next()
    await host.shells.close(orphan.uid, { reason: "idle", background: "kill" })
    await host.close("keep")
    const next = await line.next()
    expect(await next.shells.facts(orphan.uid)).toMatchObject({ state: "closed", reason: "idle" })
    await next.shells.ack([orphan.uid])
    await next.close("keep")
    expect(await (await line.next()).shells.facts(orphan.uid)).toBe(undefined)
  })

  it("L32: what children of ended commands write on is read on", async () => {
    await using line = await openLine()
    const text = "(while [ ! -e go ]; do sleep 0.05; done; head -c 200000 /dev/zero; echo LATE; touch gone) & echo fg"
    const [orphan] = await line.die([{ texts: [text, "true"] }])
    if (orphan === undefined) throw new Error("no shell")
    const jobId = jobIdSchema.parse(`${orphan.jobId.slice(0, -2)}10`)
    const host = await line.next()
    expect(await host.facts(jobId)).toMatchObject({
      state: "ended",
      outcome: { kind: "exited", exit_code: 0 },
      outputOpen: true,
    })
    await writeFile(join(line.root, "go"), "")
    await eventually(async () => (await host.facts(jobId))?.outputOpen === false)
    expect(await host.facts(jobId)).toMatchObject({ totals: { stdout: { bytes_total: 200_008 } } })
    expect(await textOf(host, jobId)).toMatch(/^fg\n\0+LATE\n$/)
    expect(await line.file("gone")).toBe("")
  })

  it("on_exit close: one whose process is gone is closed", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ onExit: "close", texts: ["echo $$ > pid"] }])
    if (orphan === undefined) throw new Error("no shell")
    await killProcess(Number(await line.file("pid")))
    const host = await line.next()
    await eventually(async () => (await host.shells.facts(orphan.uid))?.state === "closed")
    expect(await host.shells.facts(orphan.uid)).toMatchObject({ state: "closed", reason: "shell_exited" })
  })

  it("L50: a command that was detached keeps its process, and the shell goes on beside it", async () => {
    await using line = await openLine()
    const order = {
      texts: ["A=kept"],
      last: "touch up; A=own; sleep 1.5; echo $A; (exit 4)",
      beside: "touch beside; A=beside",
    }
    const [orphan] = await line.die([order], until(line, "beside"))
    if (orphan === undefined) throw new Error("no shell")
    const host = await line.next()
    const ran = await line.shell(host, orphan.uid).run("echo $A")
    expect(ran).toMatchObject({ stdout: "beside\n", facts: { shell: { generation: 1 } } })
    const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 4 } })
    expect(await textOf(host, orphan.jobId)).toBe("own\n")
  })

  it("after another start of the machine its shells are lost, machine_restarted", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["echo $$ > pid"] }])
    if (orphan === undefined) throw new Error("no shell")
    const directory = join(line.home, "data", "runner", orphan.hostId)
    const boot = systemProcessTable().bootId()
    for (const name of ["owner", "shells"]) {
      const text = await readFile(join(directory, name), "utf8")
      await writeFile(join(directory, name), text.replaceAll(boot, "another-boot"))
    }
    const host = await line.next()
    expect(await host.shells.facts(orphan.uid)).toMatchObject({ state: "lost", reason: "machine_restarted" })
    await killProcess(Number(await line.file("pid")))
  })

  it("S12: killed at any moment around a command, it runs at most once, and what is told of it is true", async () => {
    await using line = await openLine()
    const told = { ran: 0, never: 0 }
    let uid: ShellUid | undefined
    for (let round = 0; round < 12; round += 1) {
      const last = `echo ${round} >> log; sleep 0.02; N=${round}; (exit ${round})`
      const kill = async (): Promise<boolean> => {
        await sleep(Math.random() * 80)
        return true
      }
      const [orphan] = await line.die([{ ...(uid === undefined ? {} : { uid }), last, rests: false }], kill, "sending")
      if (orphan === undefined) throw new Error("no shell")
      uid = orphan.uid
      const host = await line.next()
      const ended = await host.watch(orphan.jobId, { from: 0, until: "end" })
      const past = ended ?? (await host.recall(orphan.hostId, orphan.jobId))
      const outcome = "outcome" in past ? past.outcome : undefined
      const lines = ((await line.file("log")) ?? "").split("\n").filter((one) => one === String(round)).length
      if (outcome?.kind === "exited") {
        expect({ outcome, lines }).toEqual({ outcome: { kind: "exited", exit_code: round }, lines: 1 })
        told.ran += 1
      } else {
        expect({ outcome, lines }).toEqual({ outcome, lines: 0 })
        told.never += 1
      }
      const state = await line.shell(host, uid).run("echo $N")
      expect(state.facts.shell?.generation).toBe(0)
      if (lines === 1) expect(state.stdout).toBe(`${round}\n`)
      await host.close("keep")
    }
    // Every host kept it for the next one: the last one ends it.
    await (await line.next()).close("end")
    expect(told.ran + told.never).toBe(12)
    expect(told.ran).toBeGreaterThan(0)
  }, 120_000)

  it("a host that is released leaves its shells to the next one as they are", async () => {
    await using line = await openLine()
    const [orphan] = await line.die([{ texts: ["A=1; echo $$ > pid"] }])
    if (orphan === undefined) throw new Error("no shell")
    await (await line.next()).close("keep")
    const ran = await line.shell(await line.next(), orphan.uid).run("echo $A $$")
    expect(ran.stdout).toBe(`1 ${await line.file("pid")}`)
    expect(ran.facts.shell?.restarted).toBe(undefined)
  })
})

const until = (line: HostLine, name: string) => async (): Promise<boolean> => (await line.file(name)) !== undefined

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}

function isAlive(pid: number): boolean {
  const row = systemProcessTable().read(pid)
  return row !== undefined && !row.zombie
}

async function killProcess(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL")
  while (isAlive(pid)) await sleep(10)
}

async function textOf(host: JobHost, jobId: JobId): Promise<string> {
  const page = await host.read(jobId, "stdout", { from: 0, max: 1_048_576 })
  return Buffer.from(page?.bytes ?? []).toString()
}

/** Names of files below that hold the text. */
const grep = (directory: string, text: string): Promise<string> =>
  promisify(execFile)("grep", ["-ral", text, directory]).then(
    ({ stdout }) => stdout,
    () => "",
  )
