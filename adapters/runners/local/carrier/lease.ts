import type { InstanceId } from "../../../../core/kernel/ids.ts"
import type { RunnerHost, RunnerHostStore } from "../../../../core/runners/host-store.ts"
import { hasLeftProcesses, hostDirectory, isHostAlive, leftNothing, listHosts } from "../host/owner.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { socketOf } from "./host-start.ts"
import { PROTOCOL } from "./protocol.ts"

/** What the row of a data directory's host says now. */
export type Holder =
  /** Nobody, and nobody left anything. */
  | { readonly state: "none" }
  /** It lives, or is just being started by a living server. */
  | { readonly state: "alive"; readonly row: RunnerHost }
  /** Nobody, and what a host before held may live; the row, if there is one, names who is gone. */
  | { readonly state: "gone"; readonly row: RunnerHost | undefined }

/** The row while a server starts a host. */
export interface Taken {
  readonly row: RunnerHost
  /** Whose place it takes. */
  readonly before?: RunnerHost
}

/** The right to start the host of a data directory (spec shells.md §2.1). */
export interface Lease {
  look(): Promise<Holder>
  /** Takes the row, or takes it over from a holder that is gone; `undefined` when another server was faster. */
  take(): Promise<Taken | undefined>
  /** From now on the row names the host's process. */
  handOver(taken: Taken, pid: number): Promise<void>
  /** No host came into being: the row is as it was. */
  giveUp(taken: Taken): Promise<void>
}

/** What a lease is about; the rows change in a transaction each. */
export interface LeaseOptions {
  readonly rows: RunnerHostStore
  readonly dataDirectory: string
  readonly runtimeDirectory: string
  readonly version: string
  readonly processes: ProcessTable
  newHostId(): InstanceId
  now(): number
}

/** The lease of one server. */
export function createLease(options: LeaseOptions): Lease {
  const { rows, processes, runtimeDirectory } = options

  const directoryOf = (row: RunnerHost): string => hostDirectory(options.dataDirectory, row.hostId)
  const startOf = (pid: number): string => String(processes.read(pid)?.startTime ?? "unknown")

  function isAlive(row: RunnerHost): boolean {
    if (row.bootId !== processes.bootId()) return false
    const directory = directoryOf(row)
    // Until the host has said itself who it is, the row names whoever starts it.
    return leftNothing(directory) ? isSameProcess(row) : isHostAlive(directory, processes)
  }

  function isSameProcess({ pid, pidStartedAt }: RunnerHost): boolean {
    const found = processes.read(pid)
    return found !== undefined && !found.zombie && String(found.startTime) === pidStartedAt
  }

  const hasAnyLeftProcesses = (): boolean =>
    listHosts(options.dataDirectory).some((hostId) =>
      hasLeftProcesses(hostDirectory(options.dataDirectory, hostId), processes),
    )

  async function look(): Promise<Holder> {
    const row = await rows.current()
    if (row !== undefined && isAlive(row)) return { state: "alive", row }
    if (row !== undefined && !leftNothing(directoryOf(row))) return { state: "gone", row }
    // The row names the next host before that one has said who it is, or taken over anything: both may die there.
    if (hasAnyLeftProcesses()) return { state: "gone", row }
    if (row !== undefined) await rows.release(row.hostId)
    return { state: "none" }
  }

  return {
    look,
    async take() {
      const hostId = options.newHostId()
      const own: RunnerHost = {
        hostId,
        pid: process.pid,
        pidStartedAt: startOf(process.pid),
        bootId: processes.bootId(),
        runtime: runtimeDirectory,
        socket: socketOf(runtimeDirectory, hostId),
        protocol: PROTOCOL,
        version: options.version,
        startedAt: options.now(),
      }
      const holder = await look()
      if (holder.state === "alive") return undefined
      const before = holder.state === "gone" ? holder.row : undefined
      if (before === undefined) return (await rows.claim(own)) ? { row: own } : undefined
      return (await rows.replace(before.hostId, own)) ? { row: own, before } : undefined
    },
    async handOver({ row }, pid) {
      await rows.replace(row.hostId, { ...row, pid, pidStartedAt: startOf(pid) })
    },
    async giveUp({ row, before }) {
      if (before === undefined) await rows.release(row.hostId)
      else await rows.replace(row.hostId, before)
    },
  }
}
