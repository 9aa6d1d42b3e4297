import { homedir } from "node:os"
import type { HostCommand, SocketCarrier } from "../../adapters/runners/local/index.ts"
import { createRunnerOverHost, type LocalRunner } from "../../adapters/runners/local/runner-over-host.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import type { Ids, InstanceId } from "../../core/kernel/ids.ts"
import type { Secrets } from "../../core/kernel/secrets.ts"
import type { Telemetry } from "../../core/kernel/telemetry.ts"
import type { Store } from "../../core/store.ts"
import type { Config } from "../config/keys.ts"
import { remoteSettings } from "./remote-settings.ts"
import { composeCarrier, environmentSet, hostLimits } from "./socket-carrier.ts"

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
export async function composeRunner(parts: RunnerParts): Promise<ComposedRunner> {
  const { config, env, dataDir, store, hostCommand } = parts
  const common = {
    ...parts,
    dataDirectory: dataDir,
    home: homedir(),
    environment: env,
    callIsOpen: (callId: string) => store.read((tx) => tx.openCalls.exists(callId)),
  }
  if (hostCommand === undefined) {
    // Whoever shares a host loads nothing of the engine: hosts of MCP wait for each start.
    const { createLocalRunner } = await import("../../adapters/runners/local/local-runner.ts")
    const local = createLocalRunner({
      ...common,
      ...(config.runtime_dir === undefined ? {} : { runtimeDirectory: config.runtime_dir }),
      environmentPassthrough: config.env_passthrough,
      environmentSet: environmentSet(config),
      limits: hostLimits(config),
      remote: remoteSettings(config, env),
    })
    return { local }
  }
  const report = (error: unknown): void => parts.telemetry.fault(error, { requestId: "runner host" })
  const carrier = composeCarrier({ ...parts, hostCommand, report })
  const host = { jobs: carrier.jobs, shells: carrier.shells, close: endOf(carrier) }
  return { local: createRunnerOverHost({ ...common, host }), carrier }
}

/** A shared host goes on with what it is not told to end. */
const endOf =
  (carrier: SocketCarrier) =>
  async (processes: "end" | "keep"): Promise<void> => {
    if (processes === "end") await carrier.endOwn()
  }
