import type { InstanceId } from "../../../core/kernel/ids.ts"
import type { Secrets } from "../../../core/kernel/secrets.ts"
import { createJobHost, type HostLimits } from "./host/host.ts"
import { runtimeDirectoryOf } from "./host/runtime-directory.ts"
import {
  createRunnerOverHost,
  type LocalHost,
  type LocalRunner,
  type RunnerOverHostOptions,
} from "./runner-over-host.ts"
import type { RemoteSettings } from "./shells/remote/settings.ts"

/** What the Runner of this machine needs; paths absolute. */
export interface LocalRunnerOptions extends Omit<RunnerOverHostOptions, "host"> {
  /** The server's instance: its inline host has the same id (spec shells.md §2.1). */
  readonly instance: InstanceId
  /** Default: the private directory of this user and data directory below the system's temporary one. */
  readonly runtimeDirectory?: string
  /** Further names, or `PREFIX_*`, that children see (config `env_passthrough`). */
  readonly environmentPassthrough?: readonly string[]
  /** Values that children always see (config `env_set`). */
  readonly environmentSet?: Readonly<Record<string, string>>
  readonly limits?: Partial<HostLimits>
  /** What the operator says about shells elsewhere. */
  readonly remote?: RemoteSettings
  readonly secrets: Pick<Secrets, "redactor">
}

/** The Runner `local` with a host that this very process carries. */
export function createLocalRunner(options: LocalRunnerOptions): LocalRunner {
  return createRunnerOverHost({ ...options, host: inlineHost(options) })
}

function inlineHost(options: LocalRunnerOptions): LocalHost {
  const { dataDirectory, environment, clock, secrets } = options
  const host = createJobHost({
    hostId: options.instance,
    dataDirectory,
    runtimeDirectory: options.runtimeDirectory ?? runtimeDirectoryOf(dataDirectory),
    environment: {
      server: environment,
      ...(options.environmentPassthrough === undefined ? {} : { passthrough: options.environmentPassthrough }),
      ...(options.environmentSet === undefined ? {} : { set: options.environmentSet }),
    },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.remote === undefined ? {} : { remote: options.remote }),
    mask: (literals) => secrets.redactor().with(literals).byteStream(),
    now: () => clock.now(),
  })
  return { jobs: host, shells: host.shells, close: (processes) => host.close(processes) }
}
