import { createHmac } from "node:crypto"
import type { Call } from "../kernel/call.ts"
import { isToolError } from "../kernel/error.ts"
import type { ProjectPk } from "../kernel/ids.ts"
import type { ProjectSettings } from "../projects/settings.ts"
import { shellsOf } from "./find.ts"

const ALLOWED: ProjectSettings = { rawShell: true, env: [] }

/** What the configuration says of a Project's shells. */
export function settingsOf({ ports }: Pick<Call, "ports">, pk: ProjectPk): ProjectSettings {
  return ports.runtime.projects.get(pk) ?? ALLOWED
}

/** A digest of any value, keyed, so that nobody can guess what was put in. */
export async function fingerprint({ ports }: Pick<Call, "ports">, value: unknown): Promise<string> {
  const key = await ports.store.instanceKey()
  return createHmac("sha256", key)
    .update(`holdfast.shell.v1\0${JSON.stringify(value)}`)
    .digest("hex")
}

/** Changes when the configuration of the Project does, which closes its shells (spec kernel.md §9). */
export function policyFingerprint(call: Pick<Call, "ports">, pk: ProjectPk): Promise<string> {
  const { rawShell, env, init = "" } = settingsOf(call, pk)
  return fingerprint(call, [rawShell, env.map(({ name, value }) => [name, value]), init])
}

/**
 * Changes when the operator's entry of a named resource does, or what the ssh configuration makes of it; `undefined` for one that is
 * gone or means no target any more (spec shells.md §9.2). Throws `runner_unavailable`.
 */
export async function resourceGeneration(call: Pick<Call, "ports">, name: string): Promise<string | undefined> {
  const resource = call.ports.shells.settings.resources.get(name)
  if (resource === undefined) return undefined
  const { host: alias, defaultCwd = "" } = resource
  try {
    const { host, user, port, proxy } = await shellsOf(call).resolve({ kind: "ssh", host: alias })
    return await fingerprint(call, [name, alias, defaultCwd, host, user, port, proxy])
  } catch (error) {
    if (isToolError(error) && error.kind === "ssh_failed") return undefined
    throw error
  }
}
