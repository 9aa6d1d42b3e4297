import { rmSync } from "node:fs"
import type { JobRunner, RunFacts, StartSpec } from "../../../../core/jobs/runner.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"
import { createArchive } from "./archive.ts"
import { type ByteMaskFactory, maskText } from "./byte-mask.ts"
import { type Admitted, createCapacity } from "./capacity.ts"
import { createChanges } from "./changes.ts"
import { baseEnvironment, type EnvironmentSource } from "./environment.ts"
import { evictSpools } from "./eviction.ts"
import { createExecution, type Execution, type ExecutionPorts } from "./execution.ts"
import { createJobSpool, spoolDirectory } from "./job-spool.ts"
import { createJournal } from "./journal.ts"
import { chooseShell, type LaunchPorts } from "./launch.ts"
import { claimHostDirectory, hostDirectory, isHostAlive, releaseHostDirectory } from "./owner.ts"
import { createPipePool } from "./pipes.ts"
import { openRuntimeDirectory } from "./runtime-directory.ts"
import { findProgram } from "./spawn.ts"
import { createProcessTree } from "./tree.ts"
import { endTree } from "./tree-kill.ts"
import { openWorkingDirectory } from "./working-directory.ts"

/** Bounds of a host (spec exec-and-jobs.md §5.3, §7.1). */
export interface HostLimits {
  readonly maxRunningJobs: number
  readonly maxQueuedJobs: number
  readonly spoolJobBytes: number
  readonly spoolTotalBytes: number
  readonly spoolHours: number
}

/** The values without configuration. */
export const DEFAULT_HOST_LIMITS: HostLimits = {
  maxRunningJobs: 16,
  maxQueuedJobs: 256,
  spoolJobBytes: 64 * 1_048_576,
  spoolTotalBytes: 2048 * 1_048_576,
  spoolHours: 24,
}

/** What a host is made of. */
export interface HostOptions {
  /** The inline carrier's host id is its server's instance id. */
  readonly hostId: string
  readonly dataDirectory: string
  readonly runtimeDirectory: string
  readonly environment: EnvironmentSource
  readonly limits?: Partial<HostLimits>
  readonly mask: ByteMaskFactory
  /** Wall clock, ms. */
  now(): number
}

/** A host carried by this very process (spec shells.md §2.1). */
export interface JobHost extends JobRunner {
  /** `end` ends every process, cause `shutdown`; `keep` leaves them to themselves. Then the host is gone. */
  close(processes: "end" | "keep"): Promise<void>
}

const HOUR_MS = 3_600_000
const SHUTDOWN_GRACE_MS = 500

/** Starts, reads, outlives and ends commands (spec exec-and-jobs.md §6.1, shells.md §2). */
export function createJobHost(options: HostOptions): JobHost {
  const limits = { ...DEFAULT_HOST_LIMITS, ...options.limits }
  const directory = hostDirectory(options.dataDirectory, options.hostId)
  claimHostDirectory(directory)
  const privateDirectory = openRuntimeDirectory(
    options.runtimeDirectory,
    options.hostId,
    (hostId) => !isHostAlive(hostDirectory(options.dataDirectory, hostId)),
  )
  const environment = baseEnvironment(options.environment)
  const shells = shellsIn(environment.PATH ?? "")
  const launchPorts: LaunchPorts = {
    pipes: createPipePool(privateDirectory, environment),
    journal: createJournal(directory),
    environment,
    privateDirectory,
    shells,
    now: options.now,
  }
  const archive = createArchive(options.dataDirectory)
  const capacity = createCapacity({ running: limits.maxRunningJobs, queued: limits.maxQueuedJobs })
  const runs = new Map<JobId, Run>()
  const milestones = createChanges()
  let sequence = 0
  let storedSinceSweep = 0
  let closed = false

  interface Run {
    readonly execution: Execution
    readonly place: Admitted
    acknowledged: boolean
    quiet: boolean
    milestone: number
  }

  const factsOf = (run: Run): RunFacts => run.execution.facts(capacity.position(run.place))

  function note(run: Run): void {
    sequence += 1
    run.milestone = sequence
    milestones.notify()
  }

  function forgetIfDone(run: Run): void {
    if (!run.acknowledged || !run.quiet) return
    runs.delete(run.execution.spec.jobId)
    if (!closed) launchPorts.journal.forget(run.execution.spec.jobId)
  }

  function portsFor(spec: StartSpec): ExecutionPorts {
    const spool = createJobSpool({
      directory: spoolDirectory(directory, spec.jobId),
      capBytes: limits.spoolJobBytes,
      mask: options.mask,
      secrets: spec.secrets,
    })
    return { ...launchPorts, spool, mask: (text) => maskText(options.mask(spec.secrets), text) }
  }

  function createRun(spec: StartSpec): { readonly run: Run; readonly launched: Promise<void> } {
    const ports = portsFor(spec)
    const execution = createExecution(spec, ports)
    let settle: (result: Promise<void>) => void = () => undefined
    const launched = new Promise<void>((resolve) => {
      settle = resolve
    })
    const place: Admitted = {
      group: spec.root,
      async run() {
        const launching = execution.launch()
        settle(launching)
        await launching
        note(run)
        await execution.ended
      },
    }
    const run: Run = { execution, place, acknowledged: false, quiet: false, milestone: 0 }
    void execution.ended.then(() => {
      note(run)
      relieve(ports.spool.stored())
    })
    void execution.quiet.then(() => {
      run.quiet = true
      forgetIfDone(run)
    })
    return { run, launched }
  }

  function sweep(): Promise<readonly JobId[]> {
    storedSinceSweep = 0
    return evictSpools({
      dataDirectory: options.dataDirectory,
      ownHostId: options.hostId,
      isActive: (jobId) => runs.get(jobId)?.quiet === false,
      totalBytes: limits.spoolTotalBytes,
      maxAgeMs: limits.spoolHours * HOUR_MS,
      now: options.now(),
    })
  }

  /** Large outputs make room at once; rows whose output is gone learn it when they are read. */
  function relieve(stored: number): void {
    storedSinceSweep += stored
    if (storedSinceSweep < limits.spoolTotalBytes / 8) return
    sweep().catch(() => {
      // What could not be removed now is tried again by the next sweep, which tells its caller.
    })
  }

  async function stopUnknown(jobId: JobId, graceMs: number): Promise<void> {
    await endTree(createProcessTree({ jobId }), graceMs)
  }

  return {
    hostId: options.hostId,
    async admit(spec) {
      const shell = chooseShell(spec, shells).name
      const directory = openWorkingDirectory(spec.root, spec.cwd)
      directory.close()
      capacity.check()
      return { cwd: directory.relativePath, shell }
    },
    async start(spec) {
      const known = runs.get(spec.jobId)
      if (known !== undefined) return factsOf(known)
      const { run, launched } = createRun(spec)
      const began = capacity.enter(run.place)
      runs.set(spec.jobId, run)
      if (began) await launched
      return factsOf(run)
    },
    async watch(jobId, { from, until, signal }) {
      const run = runs.get(jobId)
      if (run === undefined) return undefined
      const { execution } = run
      for (;;) {
        const facts = factsOf(run)
        const enough = until === "change" ? facts.revision > from : false
        if (enough || facts.state === "ended" || signal?.aborted === true) return facts
        await execution.changes.next(signal)
      }
    },
    async facts(jobId) {
      const run = runs.get(jobId)
      return run === undefined ? undefined : factsOf(run)
    },
    async read(jobId, stream, range) {
      return runs.get(jobId)?.execution.read(stream, range) ?? archive.read(jobId, stream, range)
    },
    async stop(jobId, { cause, graceMs }) {
      const run = runs.get(jobId)
      if (run === undefined) {
        await stopUnknown(jobId, graceMs)
        return undefined
      }
      capacity.leave(run.place)
      await run.execution.stop(cause, graceMs)
      return factsOf(run)
    },
    async inventory() {
      return [...runs.values()].filter((run) => !run.acknowledged).map(factsOf)
    },
    async events({ since, signal }) {
      for (;;) {
        const fresh = [...runs.values()].filter((run) => run.milestone > since)
        if (fresh.length > 0 || signal?.aborted === true) {
          return { sequence, jobIds: fresh.map((run) => run.execution.spec.jobId) }
        }
        await milestones.next(signal)
      }
    },
    async ack(jobIds) {
      for (const jobId of jobIds) {
        const run = runs.get(jobId)
        if (run === undefined || factsOf(run).state !== "ended") continue
        run.acknowledged = true
        forgetIfDone(run)
      }
    },
    async recall(hostId, jobId) {
      return archive.recall(hostId, jobId)
    },
    sweep,
    async capabilities() {
      return {
        shells: [...(shells.bash ? ["bash" as const] : []), ...(shells.sh ? ["sh" as const] : [])],
        tracking: "session",
      }
    },
    async close(processes) {
      if (closed) return
      if (processes === "end") {
        await Promise.all(
          [...runs.keys()].map((jobId) => this.stop(jobId, { cause: "shutdown", graceMs: SHUTDOWN_GRACE_MS })),
        )
      }
      closed = true
      launchPorts.pipes.close()
      launchPorts.journal.close()
      releaseHostDirectory(directory)
      rmSync(privateDirectory, { recursive: true, force: true })
    },
  }
}

function shellsIn(searchPath: string): Readonly<Partial<Record<"sh" | "bash", string>>> {
  const bash = findProgram("bash", searchPath)
  const sh = findProgram("sh", searchPath)
  return { ...(bash === undefined ? {} : { bash }), ...(sh === undefined ? {} : { sh }) }
}
