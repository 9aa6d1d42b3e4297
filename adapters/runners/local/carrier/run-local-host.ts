import { systemProcessTable } from "../host/process-table.ts"
import { createCarriedHost } from "./host-core.ts"
import { type RunningHost, runHost } from "./host-process.ts"
import type { HostStart } from "./host-start.ts"
import { type LaunchedHost, launchHost } from "./launch-host.ts"

export { hostStartSchema } from "./host-start.ts"

/** What makes this process a Runner host. */
export interface LocalHostOptions {
  readonly start: HostStart
  /** Of this process; its children get the base variables of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  log(line: string): void
  /** For tests: makes the host of a detached Job otherwise than as a process of its own. */
  readonly launch?: (start: HostStart) => Promise<LaunchedHost>
}

/** Carries the host core of this machine in this process, for servers that connect to its socket. */
export function runLocalHost({ start, environment, log, launch }: LocalHostOptions): Promise<RunningHost> {
  const processes = systemProcessTable()
  return runHost({
    start,
    processes,
    createCore: (secrets) =>
      createCarriedHost({
        start,
        environment,
        processes,
        secrets,
        launch: launch ?? ((detached) => launchHost(detached.command, detached, defined(environment))),
        report: (error) => log(`fault: ${String(error)}`),
      }),
    log,
  })
}

function defined(environment: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const entries = Object.entries(environment)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
