import path from "node:path"
import type { JobRunner } from "../../core/jobs/runner.ts"
import type { JobId } from "../../core/kernel/ids.ts"
import type { ShellRunner } from "../../core/shells/runner.ts"
import { createRowInMemory } from "../support/row-in-memory.ts"
import type { Place } from "./place.ts"
import { HOST_COMMAND, loadCarrier, loadHost, loadIds, loadSecrets } from "./product.ts"
import type { Bench } from "./scope.ts"

/** Both ports of one Runner host. */
export interface BenchHost {
  readonly jobs: JobRunner
  readonly shells: ShellRunner
  /** Of the process that carries it. */
  pid(): Promise<number>
}

/** The host core in this very process. */
export async function startInlineHost(bench: Bench, place: Place, name = "inline"): Promise<BenchHost> {
  const [{ createJobHost }, { createIds }, { createSecretRegistry }] = await Promise.all([
    loadHost(),
    loadIds(),
    loadSecrets(),
  ])
  const secrets = createSecretRegistry()
  const host = createJobHost({
    hostId: createIds().instance(),
    dataDirectory: place.dataDir(name),
    runtimeDirectory: path.join(place.home, `run-${name}`),
    environment: { server: process.env },
    mask: (literals) => secrets.redactor().with(literals).byteStream(),
    limits: { maxRunningJobs: 64 },
    now: Date.now,
  })
  bench.undo(() => host.close("end"))
  return { jobs: host, shells: host.shells, pid: async () => process.pid }
}

/** `holdfast runner` as a process of its own, behind its socket. */
export async function startSocketHost(bench: Bench, place: Place, name = "socket"): Promise<BenchHost> {
  const [{ createSocketCarrier }, { createIds }, { createSecretRegistry }] = await Promise.all([
    loadCarrier(),
    loadIds(),
    loadSecrets(),
  ])
  const ids = createIds()
  const rows = createRowInMemory()
  const carrier = createSocketCarrier({
    dataDirectory: await place.makeDataDir(name),
    runtimeDirectory: path.join(place.home, `run-${name}`),
    version: "bench",
    command: HOST_COMMAND,
    environment: { server: process.env },
    limits: { maxRunningJobs: 64 },
    lingerMs: 100,
    rows,
    secrets: createSecretRegistry(),
    newHostId: () => ids.instance(),
    now: Date.now,
    report: (error) => console.error(error),
  })
  bench.undo(async () => {
    await carrier.endOwn()
    carrier.close()
  })
  await carrier.meet(true)
  return { jobs: carrier.jobs, shells: carrier.shells, pid: async () => (await rows.current())?.pid ?? 0 }
}

/** One live shell of a host. */
export interface BenchShell {
  /** Claims, runs, waits for the end and acknowledges it. */
  run(text: string): Promise<JobId>
  begin(text: string): Promise<JobId>
  close(): Promise<unknown>
}

/** Opens one. */
export async function openShell({ jobs, shells }: BenchHost): Promise<BenchShell> {
  const ids = (await loadIds()).createIds()
  const shellUid = ids.shellUid()
  await shells.open({
    shellUid,
    reach: { kind: "local" },
    dialect: "bash",
    env: [],
    onExit: "restore",
    idleTtlMs: 0,
    backgroundTtlMs: 0,
    secrets: [],
  })
  async function begin(text: string): Promise<JobId> {
    const { claimId } = await shells.claim(shellUid, { whenBusy: "wait" })
    const jobId = ids.job()
    const plain = { streams: "split", tty: false, env: [], resetCwd: false, timeoutMs: 600_000, secrets: [] } as const
    await shells.exec({ jobId, claimId, shellUid, text, ...plain })
    return jobId
  }
  return {
    begin,
    async run(text) {
      const jobId = await begin(text)
      const facts = await jobs.watch(jobId, { from: 0, until: "end" })
      if (facts?.outcome?.kind !== "exited") throw new Error(`A command did not end well: ${JSON.stringify(facts)}`)
      await jobs.ack([jobId])
      return jobId
    },
    close: () => shells.close(shellUid, { reason: "destroyed", background: "kill" }),
  }
}
