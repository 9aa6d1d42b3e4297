import type { JobRunner } from "../../../../core/jobs/runner.ts"
import type { InstanceId } from "../../../../core/kernel/ids.ts"
import { instanceIdSchema } from "../../../../core/kernel/ids.ts"
import type { Secrets } from "../../../../core/kernel/secrets.ts"
import type { RunnerHost, RunnerHostStore } from "../../../../core/runners/host-store.ts"
import type { ShellRunner } from "../../../../core/shells/runner.ts"
import { baseEnvironment, type EnvironmentSource } from "../host/environment.ts"
import type { HostLimits } from "../host/host.ts"
import { hostDirectory, nudgeHost } from "../host/owner.ts"
import { type ProcessTable, systemProcessTable } from "../host/process-table.ts"
import type { RemoteSettings } from "../shells/remote/settings.ts"
import type { HostCall } from "./calls.ts"
import { createHostClient } from "./client.ts"
import { ConnectionLost } from "./connection.ts"
import { type Contact, createContact } from "./contact.ts"
import type { HostStart } from "./host-start.ts"
import { createKnownEnds } from "./known-ends.ts"
import { type HostCommand, type LaunchedHost, launchHost } from "./launch-host.ts"
import { createLease } from "./lease.ts"
import { PROTOCOL } from "./protocol.ts"
import { createProvision } from "./provision.ts"
import { createRemoteJobs, type RemoteJobs } from "./remote-jobs.ts"
import { createRemoteShells, type RemoteShells } from "./remote-shells.ts"

/** How a server gets at the host of its data directory. */
export interface SocketCarrierOptions {
  readonly dataDirectory: string
  readonly runtimeDirectory: string
  /** Of the package. */
  readonly version: string
  /** What runs `holdfast runner`. */
  readonly command: HostCommand
  readonly environment: EnvironmentSource
  readonly limits: Partial<HostLimits>
  /** What the operator says about shells elsewhere. */
  readonly remote?: RemoteSettings
  readonly lingerMs?: number
  readonly abandonMs?: number
  /** The row of `runner_hosts`; each method is a transaction of its own. */
  readonly rows: RunnerHostStore
  readonly secrets: Pick<Secrets, "literals">
  readonly processes?: ProcessTable
  newHostId(): InstanceId
  now(): number
  report(error: unknown): void
  /** For tests: makes the host otherwise than as a process of its own. */
  readonly launch?: (start: HostStart) => Promise<LaunchedHost>
}

/** The two ports of a shared host, and how a server leaves it. */
export interface SocketCarrier {
  readonly jobs: JobRunner
  readonly shells: ShellRunner
  /** Meets the host that lives or has to be succeeded; does nothing where there is none and `isNeeded` is false. */
  meet(isNeeded: boolean): Promise<void>
  /** Ends what this server started, cause `shutdown` (spec exec-and-jobs.md §6.4). */
  endOwn(): Promise<void>
  /**
   * Ends the host and all that it holds, cause `shutdown`; resolves when it has gone. `false` where there is none.
   */
  shutDown(): Promise<boolean>
  /** Lets go of the host, which goes on. */
  close(): void
}

/** How long a host stays for the next server, and what it holds without one (spec shells.md §2.1). */
const LINGER_MS = 5000
const ABANDON_MS = 24 * 3_600_000
const SHUTDOWN_GRACE_MS = 500

/** Composes the client side of the socket carrier. Nothing is started before it is needed. */
export function createSocketCarrier(options: SocketCarrierOptions): SocketCarrier {
  const { dataDirectory, runtimeDirectory, version } = options
  const processes = options.processes ?? systemProcessTable()
  const provision = createProvision(options.secrets, baseEnvironment(options.environment))
  // Servers may have other variables for their children than the one that starts the host.
  const hostEnvironment = baseEnvironment({ server: options.environment.server })

  function launch(row: RunnerHost): Promise<LaunchedHost> {
    const start: HostStart = {
      hostId: instanceIdSchema.parse(row.hostId),
      dataDirectory,
      runtimeDirectory,
      version,
      limits: finite(options.limits),
      ...(options.remote === undefined ? {} : { remote: options.remote }),
      lingerMs: options.lingerMs ?? LINGER_MS,
      abandonMs: options.abandonMs ?? ABANDON_MS,
      detached: false,
      command: [...options.command],
    }
    return options.launch?.(start) ?? launchHost(options.command, start, hostEnvironment)
  }

  const contact = createContact({
    lease: createLease({ ...options, processes }),
    launch,
    hello: { protocol: PROTOCOL, version },
    greet: (host) => provision.secretsTo(host),
    nudge: (row) => nudgeHost(hostDirectory(dataDirectory, row.hostId), processes),
    report: (error) => options.report(error),
  })
  const client = createHostClient(contact)
  const ends = createKnownEnds()
  const jobs = createRemoteJobs(client, provision, ends)
  const shells = createRemoteShells(client, provision, ends)
  return {
    jobs,
    shells,
    meet: (isNeeded) => meet(contact, isNeeded),
    endOwn: () => endOwn(jobs, shells),
    shutDown: () => shutDown(contact),
    close: () => contact.close(),
  }
}

async function shutDown(contact: Contact): Promise<boolean> {
  const host = await contact.find()
  if (host === undefined) return false
  // Nobody succeeds it on our account.
  contact.yield()
  try {
    await host.connection.call<void>("host.shutdown" satisfies HostCall, [])
  } catch (error) {
    // It is gone before it can say so.
    if (!(error instanceof ConnectionLost)) throw error
  }
  return true
}

async function meet(contact: Contact, isNeeded: boolean): Promise<void> {
  if (isNeeded) await contact.reach()
  else await contact.find()
}

async function endOwn(jobs: RemoteJobs, shells: RemoteShells): Promise<void> {
  await Promise.all([
    ...shells.opened().map((uid) => shells.close(uid, { reason: "shutdown", background: "kill" })),
    ...jobs.started().map((jobId) => jobs.stop(jobId, { cause: "shutdown", graceMs: SHUTDOWN_GRACE_MS })),
  ])
}

/** JSON has no word for "no limit"; what is left out is the host's own. */
function finite(limits: Partial<HostLimits>): Partial<HostLimits> {
  const { outputLimitBytes, ...rest } = limits
  if (outputLimitBytes === undefined || !Number.isFinite(outputLimitBytes)) return rest
  return { ...rest, outputLimitBytes }
}
