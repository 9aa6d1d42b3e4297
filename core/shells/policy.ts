import { createHmac } from "node:crypto"
import type { Call } from "../kernel/call.ts"
import type { ProjectPk } from "../kernel/ids.ts"
import type { ProjectSettings } from "../projects/settings.ts"

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

/** Changes when the operator's entry of a named resource does; `undefined` for one that is gone (spec shells.md §9.2). */
export async function resourceGeneration(call: Pick<Call, "ports">, name: string): Promise<string | undefined> {
  const resource = call.ports.shells.settings.resources.get(name)
  return resource === undefined ? undefined : fingerprint(call, [name, resource.host, resource.defaultCwd ?? ""])
}
