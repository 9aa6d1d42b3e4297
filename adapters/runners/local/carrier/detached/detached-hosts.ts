import { existsSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import type { RunFacts } from "../../../../../core/jobs/runner.ts"
import type { InstanceId, JobId } from "../../../../../core/kernel/ids.ts"
import type { Literal } from "../../../../../core/kernel/redaction/redactor.ts"
import { hostDirectory, isHostAlive, listHosts } from "../../host/owner.ts"
import type { ProcessTable } from "../../host/process-table.ts"
import type { HostCall } from "../calls.ts"
import { type Connection, openConnection } from "../connection.ts"
import { socketOf } from "../host-start.ts"
import type { LaunchedHost } from "../launch-host.ts"
import { type Hello, PROTOCOL, type Welcome } from "../protocol.ts"

/** A host that was made for one Job and answers. */
export interface DetachedHost {
  readonly hostId: string
  readonly connection: Connection
}

/** What a shared host needs to have hosts of single Jobs. */
export interface DetachedHostsOptions {
  readonly ownHostId: string
  readonly dataDirectory: string
  readonly runtimeDirectory: string
  readonly version: string
  readonly processes: ProcessTable
  /** All that this host masks. */
  literals(): readonly Literal[]
  /** Starts one. */
  launch(hostId: InstanceId): Promise<LaunchedHost>
}

/** The hosts of single Jobs that live in a data directory (spec exec-and-jobs.md §6.3). */
export interface DetachedHosts {
  /** Starts one and connects; rejects when it does not answer in time. */
  make(hostId: InstanceId): Promise<DetachedHost>
  /** Connects to those that an earlier host left. */
  find(): Promise<readonly { readonly host: DetachedHost; readonly jobIds: readonly JobId[] }[]>
}

const ANSWER_WITHIN_MS = 5000
const ASK_EVERY_MS = 15

/** Reaches hosts of single Jobs by their sockets; none of them depends on the one that asks. */
export function createDetachedHosts(options: DetachedHostsOptions): DetachedHosts {
  const { runtimeDirectory, dataDirectory, processes } = options
  const hello: Hello = { protocol: PROTOCOL, version: options.version }

  async function enter(hostId: string): Promise<DetachedHost | undefined> {
    const connection = await openConnection(socketOf(runtimeDirectory, hostId)).catch(() => undefined)
    if (connection === undefined) return undefined
    const welcome = await connection.call<Welcome>("host.hello" satisfies HostCall, [hello]).catch(() => undefined)
    if (welcome?.protocol === PROTOCOL && welcome.detached) {
      await connection.call<void>("host.secrets" satisfies HostCall, [options.literals()])
      return { hostId, connection }
    }
    connection.close()
    return undefined
  }

  /** Other hosts have no socket here or are shared ones. */
  function isCandidate(hostId: string): boolean {
    return (
      hostId !== options.ownHostId &&
      existsSync(socketOf(runtimeDirectory, hostId)) &&
      isHostAlive(hostDirectory(dataDirectory, hostId), processes)
    )
  }

  return {
    async make(hostId) {
      const launched = await options.launch(hostId)
      let hasEnded = false
      void launched.ended.then(() => {
        hasEnded = true
      })
      const until = performance.now() + ANSWER_WITHIN_MS
      while (!hasEnded && performance.now() < until) {
        const host = await enter(hostId)
        if (host !== undefined) return host
        await sleep(ASK_EVERY_MS)
      }
      throw new Error("a host of its own could not be started")
    },
    async find() {
      const reached = await Promise.all(listHosts(dataDirectory).filter(isCandidate).map(enter))
      const living = reached.filter((host) => host !== undefined)
      return Promise.all(
        living.map(async (host) => {
          const runs = await host.connection.call<readonly RunFacts[]>("jobs.inventory", [])
          return { host, jobIds: runs.map(({ jobId }) => jobId) }
        }),
      )
    },
  }
}
