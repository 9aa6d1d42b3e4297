import { ToolError } from "../../../../../core/kernel/error.ts"
import type { JobId } from "../../../../../core/kernel/ids.ts"
import { adoptShells, tellMachineRestarted } from "../../shells/adopt/adopt-shells.ts"
import type { ShellAdopter } from "../../shells/adopt/shell-adopter.ts"
import type { ShellParts } from "../../shells/parts.ts"
import type { Capacity } from "../capacity.ts"
import type { Execution } from "../execution.ts"
import { hostDirectory, isHostAlive, listHosts } from "../owner.ts"
import type { RunTable } from "../run-table.ts"
import { adoptJobs } from "./adopt-jobs.ts"
import type { AdoptionPorts } from "./adoption-ports.ts"
import { type TakenHost, takeHost } from "./taken-host.ts"

/** What a host does about hosts before it, and about Jobs that none of them accepted. */
export interface Adoption {
  /** Takes over what hosts that are gone have left alive. */
  run(adopter: Adopter): Promise<void>
  /** As `run`, for one host that died since; nothing happens before `run` was called, or while that host lives. */
  runLate(hostId: string): Promise<void>
  /** Whether a host's directory is in our hands: our own, or taken over. */
  isHeld(hostId: string): boolean
  /** The Job is told to be never started; a start that comes late is refused. */
  giveUp(jobId: JobId): void
  /** @throws ToolError `spawn_failed` */
  requireNotGivenUp(jobId: JobId): void
}

/** Who looks after what is taken over. */
export interface Adopter {
  readonly runs: Pick<RunTable, "add" | "noteStarted">
  readonly capacity: Pick<Capacity, "occupy">
  readonly shells: ShellAdopter
  /** Shells and commands elsewhere. */
  readonly far: Pick<ShellParts, "endFar" | "resumeOneShot">
}

/** One a host. */
export function createAdoption(
  options: Omit<AdoptionPorts, "add" | "resumeOneShot"> & { readonly hostId: string; readonly dataDirectory: string },
): Adoption {
  const taken = new Map<string, TakenHost>()
  const givenUp = new Set<JobId>()

  function tellIfRestarted(hostId: string, shells: ShellAdopter): void {
    const directory = hostDirectory(options.dataDirectory, hostId)
    if (!isHostAlive(directory, options.processes)) tellMachineRestarted(directory, { ...options, shells })
  }
  let adopter: Adopter | undefined

  function take(hostIds: readonly string[]): readonly TakenHost[] {
    return hostIds.flatMap((hostId) => {
      const isOurs = hostId === options.hostId || taken.has(hostId)
      const host = isOurs ? undefined : takeHost(options.dataDirectory, hostId, options.processes)
      if (host === undefined) return []
      taken.set(hostId, host)
      return [host]
    })
  }

  async function adoptAll(hostIds: readonly string[], { runs, capacity, shells, far }: Adopter): Promise<void> {
    const hosts = take(hostIds)
    for (const hostId of hostIds) if (hostId !== options.hostId && !taken.has(hostId)) tellIfRestarted(hostId, shells)
    // A shell may live in the folder of a host before the one that had it last: all are held before any is let go.
    const holdFolder = (hostId: string, until: Promise<unknown>): void => taken.get(hostId)?.holdUntil(until)
    const add = (execution: Execution): void => {
      runs.add({ execution, leave: () => undefined, queuePosition: () => undefined })
      capacity.occupy(execution.ended)
      runs.noteStarted(execution.spec.jobId)
    }
    await adoptShells(hosts, { ...options, shells, endFar: far.endFar, holdFolder, add })
    for (const host of hosts) {
      await adoptJobs(host, { ...options, add, resumeOneShot: far.resumeOneShot })
      host.settle()
    }
  }

  return {
    async run(who) {
      adopter = who
      await adoptAll(listHosts(options.dataDirectory), adopter)
    },
    async runLate(hostId) {
      if (adopter !== undefined) await adoptAll([hostId], adopter)
    },
    isHeld: (hostId) => hostId === options.hostId || taken.has(hostId),
    giveUp: (jobId) => void givenUp.add(jobId),
    requireNotGivenUp(jobId) {
      if (!givenUp.has(jobId)) return
      throw new ToolError("spawn_failed", "This start came after its Job had been given up. Start it again.", {
        details: { code: "given_up" },
        executionState: "not_started",
      })
    },
  }
}
