import type { JobRunner, StartSpec } from "../../../../core/jobs/runner.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"
import type { ShellRunner } from "../../../../core/shells/runner.ts"
import { recallShell } from "../shells/adopt/recall-shell.ts"
import { openShellJournal } from "../shells/adopt/shell-journal.ts"
import { createShellParts } from "../shells/parts.ts"
import type { RemoteSettings } from "../shells/remote/settings.ts"
import { createShellHost } from "../shells/shell-runner.ts"
import { createAdoption } from "./adoption/adoption.ts"
import { createArchive } from "./archive.ts"
import { type ByteMaskFactory, maskText } from "./byte-mask.ts"
import { createCapacity } from "./capacity.ts"
import type { EnvironmentSource } from "./environment.ts"
import { createJobPort } from "./job-port.ts"
import { createJobSpool, type JobSpool, spoolDirectory, spoolFolder } from "./job-spool.ts"
import { openLaunchPorts } from "./launch-ports.ts"
import { createNaming } from "./naming.ts"
import { createOrphans } from "./orphans.ts"
import { claimHostDirectory, hostDirectory, leaveHostDirectory, releaseHostDirectory } from "./owner.ts"
import { type ProcessTable, systemProcessTable } from "./process-table.ts"
import { createRunTable } from "./run-table.ts"
import { closeRuntimeDirectory, openRuntimeDirectory } from "./runtime-directory.ts"
import { createSmallOutputs } from "./small-outputs.ts"
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
  /** A command runs in it, or brings output still. */
  isRunning(): Promise<boolean>
  /** `end` ends every process, cause `shutdown`; `keep` leaves them to themselves. Then the host is gone. */
  close(processes: "end" | "keep"): Promise<void>
}

const SHUTDOWN_GRACE_MS = 500

/** Starts, reads, outlives and ends commands (spec exec-and-jobs.md §6.1, shells.md §2). */
export function createJobHost(options: HostOptions): JobHost {
  const limits = { ...DEFAULT_HOST_LIMITS, ...options.limits }
  const processes = options.processes ?? systemProcessTable()
  const directory = hostDirectory(options.dataDirectory, options.hostId)
  claimHostDirectory(directory, processes)
  const launchPorts = openLaunchPorts({ ...options, processes }, directory)
  const { journal, pipes } = launchPorts
  const adoption = createAdoption({
    ...options,
    processes,
    spoolJobBytes: limits.spoolJobBytes,
    outputLimitBytes: limits.outputLimitBytes,
  })
  const archive = createArchive(options.dataDirectory, processes, {
    isHeld: (hostId) => adoption.isHeld(hostId),
    now: options.now,
  })
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
    shellJournal: {
      append(entry) {
        // Servers acknowledge what a host that goes has told them; nobody takes over what it kept.
        if (!closed || entry.e !== "settled") shellJournal.append(entry)
      },
    },
    mask: options.mask,
    outputLimitBytes: limits.outputLimitBytes,
    spoolFor,
    openerFor: shellParts.openerFor,
    resolve: shellParts.resolve,
    recall: (shellUid) => recallShell(options.dataDirectory, shellUid),
    capabilities: shellParts.capabilities,
    bootId: processes.bootId(),
    hasTerminal: shellParts.hasTerminal,
    now: options.now,
  })

  const jobs = createJobPort({
    ...{
      hostId: options.hostId,
      launchPorts,
      runs,
      capacity,
      adoption,
      archive,
      orphans,
      sweeper,
      shellParts,
      spoolFor,
    },
    outputLimitBytes: limits.outputLimitBytes,
    mask: options.mask,
  })

  return {
    ...jobs,
    shells: live,
    adopt: () => adoption.run({ runs, capacity, shells: live, far: shellParts }),
    async repair() {
      openRuntimeDirectory(options.runtimeDirectory, options.hostId, () => false)
      pipes.renew()
      shellParts.renew()
    },
    isRunning: async () => (await jobs.inventory()).some(({ state, outputOpen }) => state !== "ended" || outputOpen),
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
