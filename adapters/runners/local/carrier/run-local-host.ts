import { systemProcessTable } from "../host/process-table.ts"
import { createCarriedHost } from "./host-core.ts"
import { type RunningHost, runHost } from "./host-process.ts"
import type { HostStart } from "./host-start.ts"

export { hostStartSchema } from "./host-start.ts"

/** What makes this process a Runner host. */
export interface LocalHostOptions {
  readonly start: HostStart
  /** Of this process; its children get the base variables of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  log(line: string): void
}

/** Carries the host core of this machine in this process, for servers that connect to its socket. */
export function runLocalHost({ start, environment, log }: LocalHostOptions): Promise<RunningHost> {
  return runHost({
    start,
    processes: systemProcessTable(),
    createCore: (secrets) => createCarriedHost(start, environment, secrets),
    log,
  })
}
