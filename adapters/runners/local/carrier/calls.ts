import type { JobRunner } from "../../../../core/jobs/runner.ts"
import type { ShellRunner } from "../../../../core/shells/runner.ts"

/** The names of the methods of a port. */
type MethodOf<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
}[keyof Port]

/** Every call that goes over the socket; a method that a port gains and this table lacks does not compile. */
export const CALLS = {
  jobs: {
    admit: true,
    start: true,
    startDetached: true,
    watch: true,
    facts: true,
    summary: true,
    read: true,
    stop: true,
    endOrphan: true,
    inventory: true,
    events: true,
    ack: true,
    recall: true,
    sweep: true,
    capabilities: true,
  } satisfies Readonly<Record<MethodOf<JobRunner>, true>>,
  shells: {
    open: true,
    claim: true,
    release: true,
    exec: true,
    resolve: true,
    close: true,
    facts: true,
    touch: true,
    inventory: true,
    events: true,
    ack: true,
    recall: true,
    checkpoint: true,
    checkpoints: true,
    restore: true,
    capabilities: true,
  } satisfies Readonly<Record<MethodOf<ShellRunner>, true>>,
} as const

/** A call of a port by its name on the wire. */
export type PortCall = `jobs.${keyof typeof CALLS.jobs}` | `shells.${keyof typeof CALLS.shells}`

/** Calls to the host itself. */
export type HostCall = "host.hello" | "host.secrets" | "host.accepted" | "host.release" | "host.shutdown"

/** The method of a port that a name on the wire means; `undefined` for any other name. */
export function portMethod(
  ports: { readonly jobs: JobRunner; readonly shells: ShellRunner },
  name: string,
): { readonly port: JobRunner | ShellRunner; readonly method: (...args: never[]) => unknown } | undefined {
  const [family, method = ""] = name.split(".")
  if (family === "jobs" && isNameOf(CALLS.jobs, method)) return { port: ports.jobs, method: ports.jobs[method] }
  if (family === "shells" && isNameOf(CALLS.shells, method)) return { port: ports.shells, method: ports.shells[method] }
  return undefined
}

function isNameOf<Table extends object>(table: Table, name: string): name is Extract<keyof Table, string> {
  return Object.hasOwn(table, name)
}
