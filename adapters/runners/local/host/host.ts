import { setImmediate as nextTurn } from "node:timers/promises"
import { commandText } from "../../../../core/jobs/command.ts"
import type { JobRunner, StartSpec } from "../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"
import type { ShellRunner } from "../../../../core/shells/runner.ts"
import { openShellJournal } from "../shells/adopt/shell-journal.ts"
import { createShellParts } from "../shells/parts.ts"
import { createOneShotExecution } from "../shells/remote/one-shot/one-shot-execution.ts"
import type { RemoteSettings } from "../shells/remote/settings.ts"
import { createShellHost } from "../shells/shell-runner.ts"
import { createAdoption } from "./adoption/adoption.ts"
import { createArchive } from "./archive.ts"
import { type ByteMaskFactory, maskText } from "./byte-mask.ts"
import { type Admitted, createCapacity } from "./capacity.ts"
import { createDeferred } from "./deferred.ts"
import type { EnvironmentSource } from "./environment.ts"
import { createExecution, type Execution } from "./execution.ts"
import { createJobSpool, type JobSpool, spoolDirectory, spoolFolder } from "./job-spool.ts"
import { launch, prepareCommand } from "./launch.ts"
import { openLaunchPorts } from "./launch-ports.ts"
import { createNaming } from "./naming.ts"
import { createOrphans } from "./orphans.ts"
import { claimHostDirectory, hostDirectory, leaveHostDirectory, releaseHostDirectory } from "./owner.ts"
import { type ProcessTable, systemProcessTable } from "./process-table.ts"
import { createRunTable, type Run } from "./run-table.ts"
import { closeRuntimeDirectory, openRuntimeDirectory } from "./runtime-directory.ts"
import { createSmallOutputs } from "./small-outputs.ts"
import { summaryOf } from "./summary.ts"
import { createSweeper } from "./sweeper.ts"

/** Bounds of a host (spec exec-and-jobs.md §5.3, §7.1). */
export interface HostLimits {
  readonly maxRunningJobs: number
  readonly maxQueuedJobs: number
  readonly spoolJobBytes: number
  /** A Job that writes more over both streams is ended; `Infinity`: never. */
  readonly outputLimitBytes: number
  readonly spoolTotalBytes: number
  readonly spoolHours: number
}

/** The values without configuration. */
export const DEFAULT_HOST_LIMITS: HostLimits = {
  maxRunningJobs: 16,
  maxQueuedJobs: 256,
  spoolJobBytes: 64 * 1_048_576,
  outputLimitBytes: Number.POSITIVE_INFINITY,
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
  /** What the operator says about shells elsewhere. */
  readonly remote?: RemoteSettings
  /** Default: that of this machine. */
  readonly processes?: ProcessTable
  /** Wall clock, ms. */
  now(): number
}

/** A host carried by this very process: both ports over one table of executions (spec shells.md §2.1). */
export interface JobHost extends JobRunner {
  readonly shells: ShellRunner
  /**
   * Goes on with what hosts of this data directory that are gone have left alive (spec exec-and-jobs.md §6.2). Called once,
   * by the one host that succeeds them.
   */
  adopt(): Promise<void>
  /** Makes its folder of the runtime directory again, when somebody removed it, so that what is started from now on has its pipes. */
  repair(): Promise<void>
  /** It holds a shell, a Job that can still bring bytes, or an end that nobody has acknowledged. */
  isHolding(): Promise<boolean>
  /** `end` ends every process, cause `shutdown`; `keep` leaves them to themselves. Then the host is gone. */
  close(processes: "end" | "keep"): Promise<void>
}

/** Read in no time worth a turn of the event loop. */
const UNNOTICED_BYTES = 4096
const SHUTDOWN_GRACE_MS = 500

/** Starts, reads, outlives and ends commands (spec exec-and-jobs.md §6.1, shells.md §2). */
export function createJobHost(options: HostOptions): JobHost {
  const limits = { ...DEFAULT_HOST_LIMITS, ...options.limits }
  const processes = options.processes ?? systemProcessTable()
  const directory = hostDirectory(options.dataDirectory, options.hostId)
  claimHostDirectory(directory, processes)
  const launchPorts = openLaunchPorts({ ...options, processes }, directory)
  const { journal, pipes, shells } = launchPorts
  const adoption = createAdoption({
    ...options,
    processes,
    spoolJobBytes: limits.spoolJobBytes,
    outputLimitBytes: limits.outputLimitBytes,
  })
  const archive = createArchive(options.dataDirectory, processes, (hostId) => adoption.isHeld(hostId))
  const capacity = createCapacity({ running: limits.maxRunningJobs, queued: limits.maxQueuedJobs })
  let closed = false
  const naming = createNaming(processes, (text) => maskText(options.mask([]), text))
  const orphans = createOrphans(processes, naming)
  const runs = createRunTable((jobId) => {
    if (!closed) journal.forget(jobId)
  })
  const small = createSmallOutputs(spoolFolder(directory), options.now)
  const sweeper = createSweeper({
    small,
    dataDirectory: options.dataDirectory,
    hostId: options.hostId,
    totalBytes: limits.spoolTotalBytes,
    hours: limits.spoolHours,
    isActive: (jobId) => runs.isActive(jobId),
    processes,
    now: options.now,
  })

  const spoolFor = (jobId: JobId, secrets: StartSpec["secrets"]): JobSpool =>
    createJobSpool({
      directory: spoolDirectory(directory, jobId),
      capBytes: limits.spoolJobBytes,
      mask: options.mask,
      secrets,
      small,
    })
  const shellJournal = openShellJournal(directory)
  shellJournal.append({ e: "folder", directory: launchPorts.privateDirectory })
  const shellParts = createShellParts({
    ...launchPorts,
    journal: shellJournal,
    naming,
    dataDirectory: options.dataDirectory,
    mask: (text) => maskText(options.mask([]), text),
    ...(options.remote === undefined ? {} : { remote: options.remote }),
  })
  const live = createShellHost({
    runs,
    journal,
    shellJournal,
    mask: options.mask,
    outputLimitBytes: limits.outputLimitBytes,
    spoolFor,
    openerFor: shellParts.openerFor,
    resolve: shellParts.resolve,
    capabilities: shellParts.capabilities,
    bootId: processes.bootId(),
    hasTerminal: shellParts.hasTerminal,
    now: options.now,
  })

  function prepare(spec: StartSpec): Execution {
    const spool = spoolFor(spec.jobId, spec.secrets)
    const mask = (text: string): string => maskText(options.mask(spec.secrets), text)
    if (spec.reach !== undefined) {
      const start = (): ReturnType<typeof shellParts.startOneShot> => shellParts.startOneShot(spec)
      return createOneShotExecution(spec, {
        ...{ start, spool, journal, mask, bootId: processes.bootId(), now: options.now },
        outputLimitBytes: limits.outputLimitBytes,
      })
    }
    const { jobId, timeoutMs, background } = spec
    const summary = summaryOf(commandText(spec.command), mask)
    const execution = createExecution(
      { jobId, timeoutMs, background, summary },
      {
        ...launchPorts,
        launch: () => launch(spec, launchPorts),
        spool,
        mask,
        outputLimitBytes: limits.outputLimitBytes,
      },
    )
    void execution.ended.then(() => sweeper.noteStored(spool.stored()))
    return execution
  }

  /** Takes a place or a place in the line; resolves when it runs or waits. */
  async function admit(execution: Execution, root: string): Promise<Run> {
    const launched = createDeferred<Promise<void>>()
    const { jobId } = execution.spec
    const place: Admitted = {
      group: root,
      async run() {
        const launching = execution.launch()
        launched.resolve(launching)
        await launching
        runs.noteStarted(jobId)
        await execution.ended
      },
    }
    const run = { execution, leave: () => capacity.leave(place), queuePosition: () => capacity.position(place) }
    const began = capacity.enter(place)
    runs.add(run)
    if (began) await launched.promise
    // Nobody waits for a later start: its refusal stands in the facts.
    else launched.promise.catch(() => undefined)
    return run
  }

  const jobs: JobRunner = {
    hostId: options.hostId,
    async admit(spec) {
      if (spec.reach !== undefined) {
        capacity.check()
        return { cwd: spec.cwd }
      }
      const { directory, command } = await prepareCommand(spec, launchPorts)
      directory.close()
      capacity.check()
      return {
        cwd: directory.relativePath,
        ...(command.shell === undefined ? {} : { shell: command.shell }),
      }
    },
    async start(spec) {
      adoption.requireNotGivenUp(spec.jobId)
      return runs.factsOf(runs.get(spec.jobId) ?? (await admit(prepare(spec), spec.root)))
    },
    async startDetached() {
      throw new ToolError(
        "capability_unavailable",
        "This Runner has no host of its own for a detached process. Use run_job.",
        { details: { reason: "detached" }, executionState: "not_started" },
      )
    },
    async watch(jobId, { from, until, signal }) {
      const run = runs.get(jobId)
      if (run === undefined) return undefined
      for (;;) {
        const facts = runs.factsOf(run)
        const isAnswer = until === "answer" && facts.recoveringSince !== undefined
        const isOver = isAnswer || (facts.state === "ended" && (until !== "change" || !facts.outputOpen))
        const isChanged = until === "change" && facts.revision > from
        if (isChanged || isOver || signal?.aborted === true) return facts
        await run.execution[until === "change" ? "changes" : "turns"].next(signal)
      }
    },
    async facts(jobId) {
      const run = runs.get(jobId)
      return run === undefined ? undefined : runs.factsOf(run)
    },
    async read(jobId, stream, range) {
      if (range.max > UNNOTICED_BYTES) await nextTurn()
      return runs.get(jobId)?.execution.read(stream, range) ?? archive.read(jobId, stream, range)
    },
    async stop(jobId, { cause, graceMs }) {
      const run = runs.get(jobId)
      if (run === undefined) {
        await orphans.end(jobId, graceMs)
        return undefined
      }
      run.leave()
      await run.execution.stop(cause, graceMs)
      return runs.factsOf(run)
    },
    endOrphan: (jobId, { graceMs }) => orphans.end(jobId, graceMs),
    inventory: async () => runs.owed(),
    events: ({ since, signal }) => runs.events(since, signal),
    async ack(jobIds) {
      for (const jobId of jobIds) runs.acknowledge(jobId)
    },
    async recall(hostId, jobId) {
      await adoption.runLate(hostId)
      if (runs.get(jobId) !== undefined) return { state: "alive" }
      const past = archive.recall(hostId, jobId)
      // It is given up for never started, so it must not start any more.
      if (past.state === "never_accepted") adoption.giveUp(jobId)
      return past
    },
    sweep: (known) => sweeper.sweep(known),
    capabilities: async () => ({
      shells: (["bash", "sh"] as const).filter((name) => shells[name] !== undefined),
      tracking: "session",
    }),
  }

  return {
    ...jobs,
    shells: live,
    adopt: () => adoption.run(runs, capacity, live),
    async repair() {
      openRuntimeDirectory(options.runtimeDirectory, options.hostId, () => false)
      pipes.renew()
      shellParts.renew()
    },
    isHolding: async () => runs.ids().length > 0 || (await live.inventory()).length > 0,
    async close(processes) {
      if (closed) return
      await live.shutDown(processes)
      if (processes === "end") {
        const stop = { cause: "shutdown", graceMs: SHUTDOWN_GRACE_MS } as const
        await Promise.all(runs.ids().map((jobId) => jobs.stop(jobId, stop)))
      }
      // What somebody was told is being stopped is not left alive.
      const stopping = runs.ids().flatMap((jobId) => runs.get(jobId)?.execution ?? [])
      await Promise.all([
        orphans.hurry(SHUTDOWN_GRACE_MS),
        ...stopping.filter((one) => one.isStopping()).map((one) => one.stop("shutdown", SHUTDOWN_GRACE_MS)),
      ])
      for (const jobId of runs.ids()) runs.get(jobId)?.execution.abandon()
      closed = true
      pipes.close()
      shellParts.close()
      small.close()
      journal.close()
      shellJournal.close()
      if (processes === "keep") return leaveHostDirectory(directory)
      releaseHostDirectory(directory)
      closeRuntimeDirectory(options.runtimeDirectory, launchPorts.privateDirectory)
    },
  }
}
