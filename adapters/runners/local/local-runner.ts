import type { ProjectTree } from "../../../core/files/fs.ts"
import { createPathPolicy } from "../../../core/files/policy.ts"
import type { Clock } from "../../../core/kernel/clock.ts"
import type { Ids, InstanceId } from "../../../core/kernel/ids.ts"
import type { Secrets } from "../../../core/kernel/secrets.ts"
import type { Runner } from "../../../core/runners/runner.ts"
import { createProjectFs, dataDirectoryBelow } from "./files/project-fs.ts"
import { LocalGit } from "./git/git.ts"
import { createJobHost, type HostLimits } from "./host/host.ts"
import { runtimeDirectoryOf } from "./host/runtime-directory.ts"
import { createLocalRoots } from "./roots/create-local-roots.ts"
import { LocalSearch } from "./search/search.ts"
import type { RemoteSettings } from "./shells/remote/settings.ts"

/** What the Runner of this machine needs; paths absolute. */
export interface LocalRunnerOptions {
  /** The server's instance: its inline host has the same id (spec shells.md §2.1). */
  readonly instance: InstanceId
  /** Exists, mode 0700. */
  readonly dataDirectory: string
  /** Default: the private directory of this user and data directory below the system's temporary one. */
  readonly runtimeDirectory?: string
  readonly home: string
  /** The server's environment: children see only its allowed part (spec shells.md §7). */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Further names, or `PREFIX_*`, that children see (config `env_passthrough`). */
  readonly environmentPassthrough?: readonly string[]
  /** Values that children always see (config `env_set`). */
  readonly environmentSet?: Readonly<Record<string, string>>
  readonly limits?: Partial<HostLimits>
  /** What the operator says about shells elsewhere. */
  readonly remote?: RemoteSettings
  /** The host where another process carries it; default: one that this process carries. */
  readonly host?: LocalHost
  readonly secrets: Pick<Secrets, "redactor">
  readonly clock: Clock
  readonly ids: Pick<Ids, "token">
  /** Whether a call id still has an `open_calls` row (spec kernel.md §15). */
  callIsOpen(callId: string): Promise<boolean>
}

/** The two ports of a host, and what a server does with its processes as it goes. */
export interface LocalHost extends Pick<Runner, "jobs" | "shells"> {
  close(processes: "end" | "keep"): Promise<void>
}

/** The Runner of this machine and its end. */
export interface LocalRunner extends Runner {
  /** `end` ends every command, cause `shutdown`; `keep` leaves them to themselves. No call may be running. */
  close(processes: "end" | "keep"): Promise<void>
}

/** Composes the Runner `local`: files, search, git and directories of this machine, and the host of its processes. */
export function createLocalRunner(options: LocalRunnerOptions): LocalRunner {
  const { dataDirectory, environment, clock } = options
  const policyOf = (tree: ProjectTree) =>
    createPathPolicy(tree.filePolicy, dataDirectoryBelow(tree.root, dataDirectory))
  const fs = createProjectFs({
    dataDir: dataDirectory,
    clock,
    ids: options.ids,
    callIsOpen: (callId) => options.callIsOpen(callId),
  })
  const host = options.host ?? inlineHost(options)
  return {
    clientId: "local",
    confinement: fs.confinement,
    fs,
    search: new LocalSearch({ fs, policyOf, environment }),
    git: new LocalGit({ fs, policyOf, environment }),
    jobs: host.jobs,
    shells: host.shells,
    roots: createLocalRoots({ home: options.home, dataDir: dataDirectory, environment }),
    async close(processes) {
      await host.close(processes)
      fs.close()
    },
  }
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
