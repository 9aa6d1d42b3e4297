import { existsSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { JobHost } from "../../../adapters/runners/local/host/host.ts"
import type { JobId } from "../../../core/kernel/ids.ts"
import type { Reach } from "../../../core/shells/runner.ts"
import { engines, type TestEngine } from "../../contract/remote-engines.ts"
import { reachOf, settingsFor } from "../../contract/remote-fixture.ts"
import { startSshd, type TestSshd } from "../../contract/remote-sshd.ts"
import { isAlive, textOf } from "../../contract/shell-fixture.ts"
import { openRemoteLine, type RemoteLine } from "./remote-line.ts"

const is = (line: RemoteLine, name: string) => async (): Promise<boolean> => (await line.file(name)) !== undefined

async function eventually(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds()) return
    await sleep(50)
  }
  throw new Error("it never came")
}

const out = (host: JobHost, jobId: JobId): Promise<string> => textOf(host, jobId, "stdout")

async function endOf(host: JobHost, jobId: JobId) {
  const facts = await host.watch(jobId, { from: 0, until: "end" })
  if (facts === undefined) throw new Error("the host does not know the Job")
  return facts
}

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("")

describe("far shells and commands of a host that died, over a real sshd", () => {
  let sshd: TestSshd
  let reach: Reach
  const line = (): Promise<RemoteLine> => openRemoteLine(settingsFor(sshd))

  beforeAll(async () => {
    sshd = await startSshd()
    reach = reachOf(sshd)
  })
  afterAll(() => sshd.close())

  it.concurrent("L42: a running command goes on: every byte, the real status, and the shell is as it left it", async () => {
    await using at = await line()
    const last = `for i in $(seq 40); do echo $i; [ $i = 10 ] && touch ${at.root}/up; sleep 0.05; done; B=after; (exit 6)`
    const { shells } = await at.die({ shells: [{ reach, texts: ["A=kept; cd /usr"], last }] }, is(at, "up"))
    const [orphan] = shells
    if (orphan === undefined) throw new Error("no shell")
    const host = await at.next()
    const ended = await endOf(host, orphan.jobId)
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 6 }, outputGap: false })
    expect(await out(host, orphan.jobId)).toBe(numbered(40))
    expect(ended.totals.stdout).toMatchObject({ bytes_total: numbered(40).length, lines_total: 40 })
    const after = await at.shell(host, orphan.uid).run("echo $A $B; pwd")
    expect(after).toMatchObject({ stdout: "kept after\n/usr\n", code: 0 })
    expect(after.facts.shell).toMatchObject({ generation: 0 })
    expect(after.facts.shell?.restarted).toBeUndefined()
  })

  it.concurrent("L42: one that ended while no host lived has its real status and all its output", async () => {
    await using at = await line()
    const last = `echo early; touch ${at.root}/up; sleep 0.5; seq 5000; echo bad >&2; touch ${at.root}/done; (exit 9)`
    const { shells } = await at.die({ shells: [{ reach, last }] }, is(at, "up"))
    const [orphan] = shells
    if (orphan === undefined) throw new Error("no shell")
    await eventually(is(at, "done"))
    const host = await at.next()
    const ended = await endOf(host, orphan.jobId)
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 9 }, outputGap: false })
    expect(await out(host, orphan.jobId)).toBe(`early\n${numbered(5000)}`)
    expect(await textOf(host, orphan.jobId, "stderr")).toBe("bad\n")
  })

  it.concurrent("L43: an idle one goes on with its process, its variables and its end", async () => {
    await using at = await line()
    const { shells } = await at.die({ shells: [{ reach, texts: ["A=kept; f() { echo F; }; cd /usr"], restMs: 500 }] })
    const [orphan] = shells
    if (orphan === undefined) throw new Error("no shell")
    const host = await at.next()
    const shell = at.shell(host, orphan.uid)
    const ran = await shell.run("echo $A; f; pwd; echo $$")
    expect(ran.stdout).toMatch(/^kept\nF\n\/usr\n\d+\n$/)
    expect(ran.facts.shell?.restarted).toBeUndefined()
    await host.shells.close(orphan.uid, { reason: "destroyed", background: "kill" })
    expect(await isAlive(Number(ran.stdout.trim().split("\n").at(-1)))).toBe(false)
    await eventually(() => !existsSync(`/tmp/.hf-${orphan.uid}`))
  })

  it.concurrent("one whose process is gone too is restored from its newest snapshot", async () => {
    await using at = await line()
    const text = `A=kept; cd /usr; echo $$ >${at.root}/pid`
    const { shells } = await at.die({ shells: [{ reach, texts: [text], restMs: 500 }] }, is(at, "pid"))
    const [orphan] = shells
    if (orphan === undefined) throw new Error("no shell")
    process.kill(Number(await at.file("pid")), "SIGKILL")
    const host = await at.next()
    const ran = await at.shell(host, orphan.uid).run("echo $A; pwd")
    expect(ran.stdout).toBe("kept\n/usr\n")
    expect(ran.facts.shell).toMatchObject({ generation: 1, restarted: { snapshot: "idle", commands_behind: 0 } })
  })

  it("a flood is whole over two deaths, though its file on the target was begun anew meanwhile", async () => {
    await using at = await line()
    const last = `for i in $(seq 30); do yes | head -c 1000000; touch ${at.root}/$i; sleep 0.05; done; echo end`
    const first = await at.die({ shells: [{ reach, last }] }, is(at, "8"))
    const [orphan] = first.shells
    if (orphan === undefined) throw new Error("no shell")
    await at.die({ shells: [{ reach, uid: orphan.uid }] }, is(at, "16"))
    const host = await at.next()
    const ended = await endOf(host, orphan.jobId)
    expect(ended.totals.stdout).toMatchObject({ bytes_total: 30_000_004, lines_total: 15_000_001 })
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 0 }, outputGap: false })
  })

  it("out of reach, it is looked for: then the truth is told", async () => {
    await using at = await line()
    const last = `touch ${at.root}/up; sleep 1; echo out; (exit 3)`
    const { shells } = await at.die({ shells: [{ reach, last }] }, is(at, "up"))
    const [orphan] = shells
    if (orphan === undefined) throw new Error("no shell")
    sshd.cut()
    const host = await at.next()
    expect(await host.shells.facts(orphan.uid)).toMatchObject({ state: "recovering" })
    expect((await host.facts(orphan.jobId))?.state).toBe("running")
    sshd.mend()
    expect(await endOf(host, orphan.jobId)).toMatchObject({ outcome: { kind: "exited", exit_code: 3 } })
    expect(await out(host, orphan.jobId)).toBe("out\n")
    expect(await host.shells.facts(orphan.uid)).toMatchObject({ state: "running" })
  })

  it("one that was reached with a password, which went with its host, says what to do", async () => {
    await using at = await line()
    const { shells } = await at.die({ shells: [{ reach }] })
    const [orphan] = shells
    if (orphan === undefined) throw new Error("no shell")
    await at.edit(orphan.uid, (card) => card.replace('"withPassword":false', '"withPassword":true'))
    const host = await at.next()
    const refused = at.shell(host, orphan.uid).run("echo no")
    await expect(refused).rejects.toMatchObject({ kind: "ssh_auth_required", executionState: "not_started" })
    expect(await host.shells.facts(orphan.uid)).toMatchObject({ state: "recovering" })
    await host.close("keep")
    await at.edit(orphan.uid, (card) => card.replace('"withPassword":true', '"withPassword":false'))
    const again = await at.next()
    expect((await at.shell(again, orphan.uid).run("echo yes")).stdout).toBe("yes\n")
  })

  it.concurrent("J6: a command without a shell goes on: every byte, and its real end", async () => {
    await using at = await line()
    const text = `for i in $(seq 40); do echo $i; [ $i = 10 ] && touch ${at.root}/up; sleep 0.05; done; echo e >&2; exit 7`
    const { jobs } = await at.die({ jobs: [{ reach, text }] }, is(at, "up"))
    const [jobId] = jobs
    if (jobId === undefined) throw new Error("no Job")
    const host = await at.next()
    const ended = await endOf(host, jobId)
    expect(ended).toMatchObject({ outcome: { kind: "exited", exit_code: 7 }, outputGap: false })
    expect(await out(host, jobId)).toBe(numbered(40))
    expect(await textOf(host, jobId, "stderr")).toBe("e\n")
    await eventually(() => !existsSync(`/tmp/.hf-${jobId}`))
  })

  it.concurrent("one that ended while no host lived has its real end, and a stop reaches one that runs on", async () => {
    await using at = await line()
    const over = { reach, text: `echo all; touch ${at.root}/done; kill -TERM $$` }
    const on = { reach, text: `sleep 301 & echo $!; touch ${at.root}/up; trap '' TERM; sleep 300; touch ${at.root}/F` }
    const { jobs } = await at.die({ jobs: [on, over] }, is(at, "up"))
    const [runs, ended] = jobs
    if (runs === undefined || ended === undefined) throw new Error("no Job")
    await eventually(is(at, "done"))
    await sleep(200)
    const host = await at.next()
    expect(await endOf(host, ended)).toMatchObject({ outcome: { kind: "signaled", signal: "SIGTERM" } })
    expect(await out(host, ended)).toBe("all\n")
    await eventually(async () => (await out(host, runs)) !== "")
    const stopped = await host.stop(runs, { cause: "stop_job", graceMs: 200 })
    expect(stopped).toMatchObject({ outcome: { kind: "cancelled", by: "stop_job" }, survivors: [] })
    expect(await isAlive(Number(await out(host, runs)))).toBe(false)
    expect(await at.file("F")).toBeUndefined()
    await eventually(() => !existsSync(`/tmp/.hf-${runs}`))
  })

  it.concurrent("its time goes on: a timeout counts from its start", async () => {
    await using at = await line()
    const text = `touch ${at.root}/up; sleep 60`
    const { jobs } = await at.die({ jobs: [{ reach, text, timeoutMs: 3000 }] }, is(at, "up"))
    const [jobId] = jobs
    if (jobId === undefined) throw new Error("no Job")
    const host = await at.next()
    const ended = await endOf(host, jobId)
    expect(ended.outcome).toMatchObject({ kind: "timed_out", after_ms: 3000 })
    expect((ended.finishedAt ?? 0) - (ended.startedAt ?? 0)).toBeLessThan(8000)
  })
})

describe.each(engines().map((engine) => [engine.title, engine] as const))(
  "far shells of a host that died, in a container (%s)",
  (_title, engine: TestEngine) => {
    const path = `${engine.bin}:${process.env["PATH"] ?? ""}`
    const line = (): Promise<RemoteLine> => openRemoteLine({ containerEngine: engine.name }, path)
    afterAll(() => engine.close())

    it("a running command goes on, and one whose container was started again is restored", async () => {
      await using at = await line()
      engine.start("adopt")
      const reach = { kind: "docker", container: "adopt" } as const
      const busy = { reach, texts: ["A=kept"], restMs: 1000, last: "echo head; sleep 2; echo tail; (exit 5)" }
      const [one] = (await at.die({ shells: [busy] })).shells
      if (one === undefined) throw new Error("no shell")
      const host = await at.next()
      expect(await endOf(host, one.jobId)).toMatchObject({
        outcome: { kind: "exited", exit_code: 5 },
        outputGap: false,
      })
      expect(await out(host, one.jobId)).toBe("head\ntail\n")
      expect((await at.shell(host, one.uid).run("echo $A")).stdout).toBe("kept\n")
      await host.close("keep")
      engine.restart("adopt")
      const again = await at.next()
      const ran = await at.shell(again, one.uid).run("echo $A")
      expect(ran.stdout).toBe("kept\n")
      expect(ran.facts.shell?.restarted).toMatchObject({ reason: "container_restarted" })
      engine.remove("adopt")
    })
  },
)
