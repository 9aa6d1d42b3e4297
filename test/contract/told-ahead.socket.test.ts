import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { takeAhead, tellAhead } from "../../adapters/runners/local/carrier/told-ahead.ts"
import { createJobSpool } from "../../adapters/runners/local/host/job-spool.ts"
import type { Job, StreamName } from "../../core/jobs/record.ts"
import type { JobRunner, RunFacts, SpoolPage, StartSpec, WatchedFacts } from "../../core/jobs/runner.ts"
import { createIds, type JobId } from "../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../core/kernel/secrets.ts"
import type { WatchEvent } from "../../core/watching/events.ts"
import { Wakes } from "../../core/watching/wakes.ts"
import { WatchedJob } from "../../core/watching/watched-job.ts"
import { specFor } from "./job-spec.ts"
import { openSocketHost, type SocketHost } from "./socket-host.ts"

type Offsets = Readonly<Record<StreamName, number>>

const ids = createIds()
const START = { stdout: 0, stderr: 0 }
const UNTIL_GO = "while [ ! -e go ]; do sleep 0.02; done"

const shown = (page: SpoolPage | undefined) => page && { ...page, bytes: Buffer.from(page.bytes).toString("latin1") }

describe("what a host tells with a change of a command that goes on", () => {
  let host: SocketHost
  beforeEach(async () => {
    host = await openSocketHost(process.env)
  })
  afterEach(() => host.close())

  /** A command that has written all of this, and waits. */
  async function writing(text: string, totals: Offsets, more: Partial<StartSpec> = {}): Promise<JobId> {
    const spec = specFor(host.root, `${text}\n${UNTIL_GO}`, more)
    const { jobs } = host.carrier
    let facts: RunFacts | undefined = await jobs.start(spec)
    while (facts !== undefined && !hasWritten(facts, totals))
      facts = await jobs.watch(spec.jobId, { from: facts.revision, until: "change" })
    return spec.jobId
  }

  /** What is told to one who reads on there, and what a read there gives. */
  async function bothAt(jobs: JobRunner, jobId: JobId, reading: Offsets) {
    const facts = await jobs.watch(jobId, { from: 0, until: "change", reading })
    const [stdout, stderr] = [
      await jobs.read(jobId, "stdout", { from: reading.stdout, max: 4096 }),
      await jobs.read(jobId, "stderr", { from: reading.stderr, max: 4096 }),
    ]
    const ahead = facts?.ahead
    return {
      told: ahead && { stdout: shown(ahead.stdout), stderr: shown(ahead.stderr) },
      read: { stdout: shown(stdout), stderr: shown(stderr) },
      facts,
    }
  }

  it("is what a read there gives, to each of two servers at each of several offsets", async () => {
    const jobId = await writing("printf 'a\\nb\\303'; printf '\\377\\0x\\n' >&2", { stdout: 4, stderr: 4 })
    const sides = [host.carrier.jobs, host.beside().jobs]
    const places = [START, { stdout: 2, stderr: 1 }, { stdout: 0, stderr: 4 }, { stdout: 4, stderr: 4 }]
    const asked = await Promise.all(
      sides.flatMap((jobs) => places.map(async (place) => ({ place, ...(await bothAt(jobs, jobId, place)) }))),
    )
    expect(asked).toHaveLength(8)
    for (const { place, told, read, facts } of asked) {
      expect(told).toEqual(read)
      expect(told?.stdout).toMatchObject({ from: place.stdout, total: 4, newlines: 1 })
      expect(told?.stdout?.bytes).toBe("a\nb\xc3".slice(place.stdout))
      expect(told?.stderr?.bytes).toBe("\xff\0x\n".slice(place.stderr))
      expect(facts).not.toHaveProperty("bytes")
      expect(facts).not.toHaveProperty("further")
    }
  })

  it("is masked, and counts masked bytes", async () => {
    const secrets = [{ name: "TOKEN", value: "wholly-secret-value" }]
    const text = "echo before wholly-secret-value after; printf wholly-sec"
    const jobId = await writing(text, { stdout: 43, stderr: 0 }, { secrets })
    const { told, read } = await bothAt(host.carrier.jobs, jobId, START)
    expect(told).toEqual(read)
    expect(told?.stdout?.bytes).toMatch(/^before .* after\n$/)
    expect(told?.stdout?.bytes).not.toContain("wholly")
  })

  it("comes not where it is much, not all there, or not asked for; nor beyond the end", async () => {
    const jobId = await writing("head -c 5000 /dev/zero | tr '\\0' z", { stdout: 5000, stderr: 0 })
    const { jobs } = host.carrier
    expect((await bothAt(jobs, jobId, START)).told).toBeUndefined()
    expect((await bothAt(jobs, jobId, { stdout: 5001, stderr: 0 })).told).toBeUndefined()
    const near = await bothAt(jobs, jobId, { stdout: 904, stderr: 0 })
    expect(near.told?.stdout?.bytes).toBe("z".repeat(4096))
    expect(near.told).toEqual(near.read)
    expect(await jobs.watch(jobId, { from: 0, until: "change" })).not.toHaveProperty("ahead")
  })

  it("spares a watcher its reads; watchers at several offsets get every byte once", async () => {
    const lines = 'for i in 1 2 3 4 5 6; do echo "líne $i"; sleep 0.15; done; echo last >&2'
    const spec = specFor(host.root, `${lines}\n${UNTIL_GO}`)
    await host.carrier.jobs.start(spec)
    const followers = [
      follow(host.carrier.jobs, spec.jobId, START),
      follow(host.beside().jobs, spec.jobId, START),
      follow(host.carrier.jobs, spec.jobId, { stdout: 8, stderr: 0 }),
    ]
    const all = [1, 2, 3, 4, 5, 6].map((line) => `líne ${line}\n`).join("")
    for (const { until } of followers) await until((events) => textOf(events, "stderr") === "last\n")
    // What there was at the beginning is read, and read to its end.
    for (const { reads } of followers) expect(reads()).toBeLessThanOrEqual(4)
    await writeFile(join(host.root, "go"), "")
    const [first, second, behind] = await Promise.all(followers.map(({ over }) => over))
    expect(textOf(first ?? [], "stdout")).toBe(all)
    expect(textOf(second ?? [], "stdout")).toBe(all)
    expect(textOf(behind ?? [], "stdout")).toBe(all.slice(7))
    for (const events of [first, second, behind]) {
      expect(isWithoutHoles(events ?? [])).toBe(true)
      expect(events?.at(-1)).toMatchObject({ event: "command_ended", exit_code: 0 })
    }
  })
})

describe("a stream whose middle was given up", () => {
  it("is told from where all is kept on, and nowhere else", async () => {
    const home = await mkdtemp(join(tmpdir(), "hf-ahead-"))
    const mask = () => createSecretRegistry().redactor().with([]).byteStream()
    const spool = createJobSpool({ directory: join(home, "job"), capBytes: 64, mask, secrets: [] })
    try {
      for (let at = 0; at < 30; at++) spool.accept("stdout", Buffer.from(`line ${String(at).padStart(2, "0")}\n`))
      const jobs = {
        read: async (_: JobId, stream: StreamName, range: { from: number; max: number }) => spool.read(stream, range),
      }
      const { total, retained } = spool.read("stdout", { from: 0, max: 0 })
      const [head, tail] = retained
      if (head === undefined || tail === undefined) throw new Error("Nothing was given up.")
      for (let from = 0; from <= total; from++) {
        const told = takeAhead(await tellAhead(jobs, factsOf(spool.totals()), { stdout: from, stderr: 0 }))
        const isKept = from >= tail.from
        expect(told.ahead !== undefined).toBe(isKept)
        if (isKept) expect(told.ahead?.stdout).toEqual(spool.read("stdout", { from, max: 4096 }))
      }
    } finally {
      spool.close()
      await rm(home, { recursive: true, force: true })
    }
  })
})

const hasWritten = ({ totals }: RunFacts, { stdout, stderr }: Offsets): boolean =>
  totals.stdout.bytes_total >= stdout && totals.stderr.bytes_total >= stderr

/** Follows a Job as a watcher of the runtime does. */
function follow(jobs: JobRunner, jobId: JobId, from: Offsets) {
  let reads = 0
  const counted: JobRunner = {
    ...jobs,
    read(...args) {
      reads += 1
      return jobs.read(...args)
    },
  }
  const events: WatchEvent[] = []
  const wakes = new Wakes()
  const watched = new WatchedJob({
    listed: { job: rowOf(jobId) },
    runner: counted,
    from: { ...from, told: "known" },
    wake: wakes.wake,
    reread: async () => undefined,
    sleep: (ms) => sleep(ms),
    signal: new AbortController().signal,
  })
  const run = async (): Promise<readonly WatchEvent[]> => {
    while (!watched.isOver) {
      const before = events.length
      for await (const event of watched.news()) events.push(event)
      if (events.length === before && !watched.isOver) await wakes.next()
    }
    return events
  }
  return {
    over: run(),
    reads: () => reads,
    async until(wanted: (all: readonly WatchEvent[]) => boolean) {
      for (let left = 500; left > 0 && !wanted(events); left--) await sleep(20)
      expect(wanted(events)).toBe(true)
    },
  }
}

function textOf(events: readonly WatchEvent[], stream: StreamName): string {
  return events.map((one) => (one.event === "output" && one.stream === stream ? one.text : "")).join("")
}

/** Each piece of stdout begins where the one before it ended. */
function isWithoutHoles(events: readonly WatchEvent[]): boolean {
  const pieces = events.flatMap((one) => (one.event === "output" && one.stream === "stdout" ? [one] : []))
  return pieces.every(({ offset }, at) => {
    const before = pieces[at - 1]
    return before === undefined || offset === before.offset + before.bytes
  })
}

const rowOf = (jobId: JobId): Job => ({
  jobId,
  kind: "shell",
  tool: "run_shell",
  ownerFingerprint: "f",
  principalId: "local",
  callId: ids.call(),
  invocationId: ids.invocation(),
  target: "local",
  status: "queued",
  executionState: "not_started",
  handedOver: false,
  timeoutMs: 60_000,
  createdAt: 0,
  recovered: false,
  outputGap: false,
  outputState: "available",
  revision: 1,
})

const factsOf = (totals: RunFacts["totals"]): WatchedFacts => ({
  jobId: ids.job(),
  revision: 3,
  state: "running",
  totals,
  outputGap: false,
  outputOpen: true,
  tracking: "session",
  endedBackground: [],
  background: [],
  survivors: [],
})
