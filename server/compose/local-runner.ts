import { homedir } from "node:os"
import type { HostCommand, SocketCarrier } from "../../adapters/runners/local/index.ts"
import {
  createLocalRunner,
  createSocketCarrier,
  type LocalRunner,
  runtimeDirectoryOf,
} from "../../adapters/runners/local/index.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import type { Ids, InstanceId } from "../../core/kernel/ids.ts"
import type { Secrets } from "../../core/kernel/secrets.ts"
import type { Telemetry } from "../../core/kernel/telemetry.ts"
import type { RunnerHostStore } from "../../core/runners/host-store.ts"
import type { Store } from "../../core/store.ts"
import type { Config } from "../config/keys.ts"
import { VERSION } from "../version.ts"

/** What the Runner of this machine is composed from. */
export interface RunnerParts {
  readonly dataDir: string
  readonly config: Config
  readonly env: Readonly<Record<string, string | undefined>>
  /** What runs `holdfast runner`; absent: this process carries its host itself. */
  readonly hostCommand?: HostCommand
  readonly instance: InstanceId
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: Secrets
  readonly store: Store
  readonly telemetry: Telemetry
}

/** The Runner of this machine, and the way to its host where another process carries it (spec shells.md §2.1). */
export interface ComposedRunner {
  readonly local: LocalRunner
  readonly carrier?: SocketCarrier
}

/** Composes it as the configuration says. Nothing is started and nobody is met. */
export function composeRunner(parts: RunnerParts): ComposedRunner {
  const { config, env, dataDir, store } = parts
  const carrier = parts.hostCommand === undefined ? undefined : composeCarrier(parts, parts.hostCommand)
  const local = createLocalRunner({
    ...parts,
    dataDirectory: dataDir,
    ...(config.runtime_dir === undefined ? {} : { runtimeDirectory: config.runtime_dir }),
    home: homedir(),
    environment: env,
    environmentPassthrough: config.env_passthrough,
    environmentSet: environmentSet(config),
    limits: hostLimits(config),
    callIsOpen: (callId) => store.read((tx) => tx.openCalls.exists(callId)),
    ...(carrier === undefined ? {} : { host: { jobs: carrier.jobs, shells: carrier.shells, close: endOf(carrier) } }),
  })
  return { local, ...(carrier === undefined ? {} : { carrier }) }
}

/** A shared host goes on with what it is not told to end. */
const endOf =
  (carrier: SocketCarrier) =>
  async (processes: "end" | "keep"): Promise<void> => {
    if (processes === "end") await carrier.endOwn()
  }

function composeCarrier(parts: RunnerParts, command: HostCommand): SocketCarrier {
  const { config, dataDir, env, ids, clock, secrets, store, telemetry } = parts
  return createSocketCarrier({
    dataDirectory: dataDir,
    runtimeDirectory: config.runtime_dir ?? runtimeDirectoryOf(dataDir),
    version: VERSION,
    command,
    environment: { server: env, passthrough: config.env_passthrough, set: environmentSet(config) },
    limits: hostLimits(config),
    lingerMs: config.runner_linger_ms,
    rows: hostRows(store),
    secrets,
    newHostId: () => ids.instance(),
    now: () => clock.now(),
    report: (error) => telemetry.fault(error, { requestId: "runner host" }),
  })
}

/** The row of the Runner host; each of its methods is a transaction of its own. */
export function hostRows(store: Store): RunnerHostStore {
  return {
    current: () => store.read((tx) => tx.runnerHosts.current()),
    claim: (host) => store.write((tx) => tx.runnerHosts.claim(host)),
    replace: (heldBy, host) => store.write((tx) => tx.runnerHosts.replace(heldBy, host)),
    release: (hostId) => store.write((tx) => tx.runnerHosts.release(hostId)),
  }
}

function environmentSet(config: Config): Readonly<Record<string, string>> {
  return Object.fromEntries(config.env_set.map(({ name, value }) => [name, value]))
}

function hostLimits(config: Config) {
  return {
    maxRunningJobs: config.max_running_jobs,
    spoolJobBytes: config.spool_job_bytes,
    ...(config.output_limit_bytes === undefined ? {} : { outputLimitBytes: config.output_limit_bytes }),
    spoolTotalBytes: config.spool_total_bytes,
    spoolHours: config.spool_hours,
  }
}
