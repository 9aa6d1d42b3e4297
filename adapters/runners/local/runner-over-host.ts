import type { ProjectTree } from "../../../core/files/fs.ts"
import { createPathPolicy } from "../../../core/files/policy.ts"
import type { Clock } from "../../../core/kernel/clock.ts"
import type { Ids } from "../../../core/kernel/ids.ts"
import type { Runner } from "../../../core/runners/runner.ts"
import { createProjectFs, dataDirectoryBelow } from "./files/project-fs.ts"
import { LocalGit } from "./git/git.ts"
import { createLocalRoots } from "./roots/create-local-roots.ts"
import { LocalSearch } from "./search/search.ts"

/** The two ports of a host, and what a server does with its processes as it goes. */
export interface LocalHost extends Pick<Runner, "jobs" | "shells"> {
  close(processes: "end" | "keep"): Promise<void>
}

/** What the Runner of this machine needs beside a host; paths absolute. */
export interface RunnerOverHostOptions {
  readonly host: LocalHost
  /** Exists, mode 0700. */
  readonly dataDirectory: string
  readonly home: string
  /** The server's environment: git and ripgrep see only its allowed part (spec shells.md §7). */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly ids: Pick<Ids, "token">
  /** Whether a call id still has an `open_calls` row (spec kernel.md §15). */
  callIsOpen(callId: string): Promise<boolean>
}

/** The Runner of this machine and its end. */
export interface LocalRunner extends Runner {
  /** `end` ends every command, cause `shutdown`; `keep` leaves them to themselves. No call may be running. */
  close(processes: "end" | "keep"): Promise<void>
}

/** Composes the Runner `local`: files, search, git and directories of this machine, and the host of its processes. */
export function createRunnerOverHost(options: RunnerOverHostOptions): LocalRunner {
  const { dataDirectory, environment, clock, host } = options
  const policyOf = (tree: ProjectTree) =>
    createPathPolicy(tree.filePolicy, dataDirectoryBelow(tree.root, dataDirectory))
  const fs = createProjectFs({
    dataDir: dataDirectory,
    clock,
    ids: options.ids,
    callIsOpen: (callId) => options.callIsOpen(callId),
  })
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
