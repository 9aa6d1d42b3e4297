import type { Secrets } from "../../../../core/kernel/secrets.ts"
import { createJobHost, type JobHost } from "../host/host.ts"
import { readJournal } from "../host/journal.ts"
import { hostDirectory } from "../host/owner.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { createDetachedHosts } from "./detached/detached-hosts.ts"
import { type JobsWithDetached, withDetached } from "./detached/with-detached.ts"
import type { CarriedHost } from "./host-process.ts"
import type { HostStart } from "./host-start.ts"
import type { LaunchedHost } from "./launch-host.ts"

/** What a host in a process of its own is made of. */
export interface CarriedHostOptions {
  readonly start: HostStart
  /** Of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly processes: ProcessTable
  readonly secrets: Pick<Secrets, "redactor" | "literals">
  /** Starts a host for one detached Job. */
  launch(start: HostStart): Promise<LaunchedHost>
  report(error: unknown): void
}

/** A host of one Job stays no longer than it is asked. */
const DETACHED_LINGER_MS = 1000

/** The core of a host in a process of its own: the very core that is carried inline elsewhere. */
export function createCarriedHost(options: CarriedHostOptions): CarriedHost {
  const { start, environment, secrets } = options
  const host = createJobHost({
    hostId: start.hostId,
    dataDirectory: start.dataDirectory,
    runtimeDirectory: start.runtimeDirectory,
    environment: { server: environment },
    limits: start.limits,
    ...(start.remote === undefined ? {} : { remote: start.remote }),
    mask: (literals) => secrets.redactor().with(literals).byteStream(),
    processes: options.processes,
    now: () => Date.now(),
  })
  const shared = start.detached ? undefined : jobsOfAll(host, options)
  return {
    jobs: shared ?? host,
    shells: host.shells,
    own: host,
    // The one end of a host of one Job stands in its journal, where the next shared host reads it.
    isHolding: () => (start.detached ? host.isRunning() : host.isHolding()),
    async adopt() {
      // A host of one Job has nothing to succeed.
      if (shared === undefined) return
      await Promise.all([host.adopt(), shared.meet()])
    },
    wasAccepted: (hostId, jobId) => readJournal(hostDirectory(start.dataDirectory, hostId)).has(jobId),
    repair: () => host.repair(),
    close: (processes) => host.close(processes),
  }
}

function jobsOfAll(host: JobHost, options: CarriedHostOptions): JobsWithDetached {
  const { start } = options
  const hosts = createDetachedHosts({
    ...start,
    ownHostId: start.hostId,
    processes: options.processes,
    literals: () => options.secrets.literals(),
    launch(hostId) {
      const { abandonMs: _, ...rest } = start
      return options.launch({ ...rest, hostId, detached: true, lingerMs: DETACHED_LINGER_MS })
    },
  })
  return withDetached(host, hosts, options.report)
}
