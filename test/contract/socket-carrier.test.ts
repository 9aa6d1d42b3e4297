import { rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import { openConnection } from "../../adapters/runners/local/carrier/connection.ts"
import { createSecretRegistry } from "../../core/kernel/secrets.ts"
import { readAll, runToEnd, specFor } from "./job-spec.ts"
import { openShell, shellSpec } from "./shell-fixture.ts"
import { openSocketHost, type SocketHost } from "./socket-host.ts"

describe("the socket carrier", () => {
  let host: SocketHost
  afterEach(() => host.close())
  const open = async (options: { readonly abandonMs?: number } = {}): Promise<SocketHost> => {
    host = await openSocketHost(process.env, options)
    return host
  }

  it("starts nothing for a question, and answers that there is nothing", async () => {
    const { carrier, rows, hosts, root } = await open()
    const spec = specFor(root, "true")
    expect(await carrier.jobs.facts(spec.jobId)).toBeUndefined()
    expect(await carrier.jobs.inventory()).toEqual([])
    expect(await carrier.shells.inventory()).toEqual([])
    await carrier.meet(false)
    expect([await rows.current(), hosts.length]).toEqual([undefined, 0])
  })

  it("of ten servers at once one starts the host, and all use it", async () => {
    const { beside, hosts, root, rows } = await open()
    const carriers = Array.from({ length: 10 }, () => beside())
    const ran = await Promise.all(carriers.map(({ jobs }, n) => runToEnd(jobs, specFor(root, `echo ${n}`))))
    expect(ran.map(({ stdout }) => stdout)).toEqual(carriers.map((_, n) => `${n}\n`))
    expect(hosts).toHaveLength(1)
    expect(new Set(carriers.map(({ jobs }) => jobs.hostId))).toEqual(new Set([(await rows.current())?.hostId]))
  })

  it("masks what any of its servers has registered, at any time, also in another server's output", async () => {
    const { carrier, secrets, beside, root } = await open()
    const other = createSecretRegistry([{ name: "THEIRS", value: "their-secret-1" }])
    const theirs = beside(other)
    await runToEnd(theirs.jobs, specFor(root, "true"))
    await runToEnd(carrier.jobs, specFor(root, "true"))
    secrets.register("OURS", "our-secret-22")
    const { stdout } = await runToEnd(carrier.jobs, specFor(root, "echo our-secret-22 their-secret-1"))
    expect(stdout).toBe("[redacted:OURS] [redacted:THEIRS]\n")
  })

  it("gives back the claims of a server that is gone", async () => {
    const { carrier, beside, root } = await open()
    const spec = shellSpec({ root })
    await carrier.shells.open(spec)
    const gone = beside()
    await gone.shells.claim(spec.shellUid, { whenBusy: "wait" })
    await expect(carrier.shells.claim(spec.shellUid, { whenBusy: "fail" })).rejects.toMatchObject({
      kind: "shell_busy",
    })
    const waiting = carrier.shells.claim(spec.shellUid, { whenBusy: "wait" })
    gone.close()
    expect((await waiting).shellUid).toBe(spec.shellUid)
  })

  it("a wait that is aborted answers at once, also while the host is gone", async () => {
    const { carrier, root } = await open()
    const spec = specFor(root, "sleep 30")
    await carrier.jobs.start(spec)
    const abort = new AbortController()
    const waiting = carrier.jobs.watch(spec.jobId, { from: 0, until: "end", signal: abort.signal })
    await sleep(100)
    const begun = performance.now()
    abort.abort()
    expect(await waiting).toMatchObject({ jobId: spec.jobId, state: "running" })
    expect(performance.now() - begun).toBeLessThan(1000)
  })

  it("released by another protocol's server it goes without touching what lives, and the next one takes over", async () => {
    const { carrier, rows, hosts, root } = await open()
    const spec = specFor(root, "sleep 1; echo late")
    const before = await carrier.jobs.start(spec)
    const row = await rows.current()
    const connection = await openConnection(row!.socket)
    expect(await connection.call("host.hello", [{ protocol: 999, version: "9" }])).toMatchObject({
      protocol: 1,
      hostId: row!.hostId,
      detached: false,
    })
    await connection.call("host.release", [])
    await hosts[0]!.ended
    const ended = await carrier.jobs.watch(spec.jobId, { from: before.revision, until: "end" })
    expect(ended).toMatchObject({ state: "ended", outcome: { kind: "unknown", reason: "supervisor_lost" } })
    expect(await readAll(carrier.jobs, spec, "stdout")).toBe("late\n")
    expect(hosts).toHaveLength(2)
  })

  it("without a server shells are closed as orphaned when the time is over, Jobs use their own time first", async () => {
    const { carrier, hosts, root } = await open({ abandonMs: 400 })
    const spec = shellSpec({ root })
    await carrier.shells.open(spec)
    await carrier.jobs.start(specFor(root, "sleep 1.5"))
    const begun = performance.now()
    carrier.close()
    await hosts[0]!.ended
    expect(performance.now() - begun).toBeGreaterThan(1400)
    expect(host.log).toContain("ends: orphaned")
  })

  it("a runtime directory that somebody removed is made again; a live shell goes on from its last state", async () => {
    const { carrier, hosts, root, home } = await open()
    const test = { jobs: carrier.jobs, shells: carrier.shells, root, close: async () => undefined }
    const shell = await openShell(test)
    await shell.run("A=5; f() { echo $A; }; cd /usr")
    await sleep(500)
    await rm(join(home, "run"), { recursive: true })
    hosts[0]!.repair()
    await sleep(200)
    expect((await shell.run("f; pwd")).stdout).toBe("5\n/usr\n")
    expect((await shell.run("f")).stdout).toBe("5\n")
    expect((await runToEnd(carrier.jobs, specFor(root, "echo on"))).stdout).toBe("on\n")
  })

  it("unknown calls and broken frames cost nobody else anything", async () => {
    const { carrier, rows, root } = await open()
    await runToEnd(carrier.jobs, specFor(root, "true"))
    const row = await rows.current()
    const connection = await openConnection(row!.socket)
    await expect(connection.call("jobs.constructor", [])).rejects.toThrow("does not know")
    await expect(connection.call("host.nothing", [])).rejects.toThrow("does not know")
    expect((await runToEnd(carrier.jobs, specFor(root, "echo on"))).stdout).toBe("on\n")
    connection.close()
  })
})
