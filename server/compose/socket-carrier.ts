import { createSocketCarrier } from "../../adapters/runners/local/carrier/socket-carrier.ts"
import { runtimeDirectoryOf } from "../../adapters/runners/local/host/runtime-directory.ts"
import type { HostCommand, SocketCarrier } from "../../adapters/runners/local/index.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import type { Ids } from "../../core/kernel/ids.ts"
import type { Secrets } from "../../core/kernel/secrets.ts"
import type { RunnerHostStore } from "../../core/runners/host-store.ts"
import type { Store } from "../../core/store.ts"
import type { Config } from "../config/keys.ts"
import { VERSION } from "../version.ts"
import { remoteSettings } from "./remote-settings.ts"

/** What the way to a shared Runner host is composed from. */
export interface CarrierParts {
  readonly dataDir: string
  readonly config: Config
  readonly env: Readonly<Record<string, string | undefined>>
  /** What runs `holdfast runner`. */
  readonly hostCommand: HostCommand
  readonly clock: Pick<Clock, "now">
  readonly ids: Pick<Ids, "instance">
  readonly secrets: Secrets
  readonly store: Store
  /** Told of faults that no call gets to see. */
  report(error: unknown): void
}

/** Composes the way to the host of a data directory. Nothing is started and nobody is met. */
export function composeCarrier(parts: CarrierParts): SocketCarrier {
  const { config, dataDir, env, ids, clock, secrets, store } = parts
  return createSocketCarrier({
    dataDirectory: dataDir,
    runtimeDirectory: config.runtime_dir ?? runtimeDirectoryOf(dataDir),
    version: VERSION,
    command: parts.hostCommand,
    environment: { server: env, passthrough: config.env_passthrough, set: environmentSet(config) },
    limits: hostLimits(config),
    remote: remoteSettings(config, env),
    lingerMs: config.runner_linger_ms,
    rows: hostRows(store),
    secrets,
    newHostId: () => ids.instance(),
    now: () => clock.now(),
    report: (error) => parts.report(error),
  })
}

/** The row of the Runner host; each of its methods is a transaction of its own. */
function hostRows(store: Store): RunnerHostStore {
  return {
    current: () => store.read((tx) => tx.runnerHosts.current()),
    claim: (host) => store.write((tx) => tx.runnerHosts.claim(host)),
    replace: (heldBy, host) => store.write((tx) => tx.runnerHosts.replace(heldBy, host)),
    release: (hostId) => store.write((tx) => tx.runnerHosts.release(hostId)),
  }
}

/** Variables that every child of this server sees. */
export function environmentSet(config: Config): Readonly<Record<string, string>> {
  return Object.fromEntries(config.env_set.map(({ name, value }) => [name, value]))
}

/** Bounds of a host as they are configured. */
export function hostLimits(config: Config) {
  return {
    maxRunningJobs: config.max_running_jobs,
    spoolJobBytes: config.spool_job_bytes,
    ...(config.output_limit_bytes === undefined ? {} : { outputLimitBytes: config.output_limit_bytes }),
    spoolTotalBytes: config.spool_total_bytes,
    spoolHours: config.spool_hours,
  }
}
