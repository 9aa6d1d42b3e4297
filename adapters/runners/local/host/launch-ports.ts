import { baseEnvironment } from "./environment.ts"
import type { HostOptions } from "./host.ts"
import { inheritedDescriptors } from "./inherited.ts"
import { createInterpreters } from "./interpreters.ts"
import { createJournal } from "./journal.ts"
import type { LaunchPorts } from "./launch.ts"
import { hostDirectory, mayHoldProcesses } from "./owner.ts"
import { createPipePool } from "./pipes.ts"
import type { ProcessTable } from "./process-table.ts"
import { findProgram } from "./program.ts"
import { openRuntimeDirectory } from "./runtime-directory.ts"

/** What a host starts commands with: its journal in `directory`, its folder of the runtime directory, its pipes, its children's environment. */
export function openLaunchPorts(
  options: HostOptions & { readonly processes: ProcessTable },
  directory: string,
): LaunchPorts {
  const isGone = (hostId: string): boolean => !mayHoldProcesses(hostDirectory(options.dataDirectory, hostId), processes)
  const { processes } = options
  const privateDirectory = openRuntimeDirectory(options.runtimeDirectory, options.hostId, isGone)
  const environment = baseEnvironment(options.environment)
  return {
    pipes: createPipePool(privateDirectory, environment),
    journal: createJournal(directory),
    processes,
    environment,
    inherited: inheritedDescriptors(),
    privateDirectory,
    shells: shellsIn(environment.PATH ?? ""),
    interpreters: createInterpreters(),
    children: new Set(),
    now: options.now,
  }
}

function shellsIn(searchPath: string): Readonly<Partial<Record<"sh" | "bash", string>>> {
  const bash = findProgram("bash", searchPath)
  const sh = findProgram("sh", searchPath)
  return { ...(bash === undefined ? {} : { bash }), ...(sh === undefined ? {} : { sh }) }
}
