import type { EnvironmentEntry } from "../../../../core/jobs/environment.ts"
import type { Secrets } from "../../../../core/kernel/secrets.ts"
import type { HostCall } from "./calls.ts"
import { ConnectionLost } from "./connection.ts"
import type { Reached } from "./contact.ts"

/** What a server gives a host with its calls: the host itself knows neither its secrets nor its environment. */
export interface Provision {
  /** Sends what was registered since the last time; on the wire it stands before whatever is called next. */
  secretsTo(host: Reached): void
  /** A call's variables over those that this server's children see. */
  environment(env: readonly EnvironmentEntry[]): readonly EnvironmentEntry[]
}

/** Several servers with their own environments share a host: each sends its own with every start (spec shells.md §7). */
export function createProvision(secrets: Pick<Secrets, "literals">, base: Readonly<Record<string, string>>): Provision {
  const sent = new WeakMap<Reached, number>()
  const entries = Object.entries(base).map(([name, value]) => ({ name, value }))
  const call: HostCall = "host.secrets"
  return {
    secretsTo(host) {
      const all = secrets.literals()
      const known = sent.get(host) ?? 0
      if (known === all.length && sent.has(host)) return
      sent.set(host, all.length)
      host.connection.call<void>(call, [all.slice(known)]).catch((error: unknown) => {
        if (!(error instanceof ConnectionLost)) throw error
      })
    },
    environment: (env) => [...entries, ...env],
  }
}
