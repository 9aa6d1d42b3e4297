import { invalidField } from "../jobs/environment.ts"
import type { ShellTarget } from "./record.ts"
import type { Reach, ResolvedReach, Workspace } from "./runner.ts"

/** The members of `session_create` that say where a shell runs. */
export interface ReachInput {
  readonly transport: "local" | "ssh" | "docker"
  readonly host?: string | undefined
  readonly user?: string | undefined
  readonly port?: number | undefined
  readonly password?: string | undefined
  readonly key_path?: string | undefined
  readonly fingerprint?: string | undefined
  readonly container?: string | undefined
  readonly workspace?: string | undefined
  readonly paths?: readonly string[] | undefined
  readonly auto_snapshot?: boolean | undefined
  readonly checkpoint_ignores?: readonly string[] | undefined
}

/** Where a shell runs, as its row keeps it and as its Runner reaches it. */
export interface Place {
  readonly target: ShellTarget
  readonly reach: Reach
}

const SSH_PORT = 22
const SSH_FIELDS = ["host", "user", "port", "password", "key_path", "fingerprint"] as const
const WORKSPACE_FIELDS = ["workspace", "paths", "auto_snapshot", "checkpoint_ignores"] as const
const FOREIGN = {
  local: [...SSH_FIELDS, "container", ...WORKSPACE_FIELDS],
  ssh: ["container"],
  docker: SSH_FIELDS,
} as const satisfies Record<ReachInput["transport"], readonly (keyof ReachInput)[]>

/** Throws `invalid_arguments` for a field of another transport, one that is missing, or two that exclude each other. */
export function placeOfInput(input: ReachInput): Place {
  const foreign = FOREIGN[input.transport].find((field) => input[field] !== undefined)
  if (foreign !== undefined) {
    throw invalidField(foreign, "conflict", `${foreign} does not belong to transport ${input.transport}. Leave it out.`)
  }
  if (input.transport === "local") return { target: { kind: "local", label: "local" }, reach: { kind: "local" } }
  const workspace = workspaceOf(input)
  return input.transport === "docker" ? containerPlace(input, workspace) : sshPlace(input, workspace)
}

function containerPlace({ container }: ReachInput, workspace: { readonly workspace?: Workspace }): Place {
  if (container === undefined) throw required("container", "docker")
  return {
    target: { kind: "docker", label: container, container },
    reach: { kind: "docker", container, ...workspace },
  }
}

function sshPlace(input: ReachInput, workspace: { readonly workspace?: Workspace }): Place {
  const { host, user, port, fingerprint } = input
  if (host === undefined) throw required("host", "ssh")
  for (const [field, value] of Object.entries({ host, user })) {
    if (value?.startsWith("-") === true) throw invalidField(field, "format", `${field} may not begin with "-".`)
  }
  const address = { host, ...(user === undefined ? {} : { user }), ...(port === undefined ? {} : { port }) }
  const auth = authOf(input)
  return {
    target: { kind: "ssh", label: labelOf(address), ...address },
    reach: {
      kind: "ssh",
      ...address,
      ...(auth === undefined ? {} : { auth }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...workspace,
    },
  }
}

/** The same with the user and host that the configuration of its Runner makes of them (spec shells.md §1). */
export function asResolved({ target, reach }: Place, resolved: ResolvedReach): Place {
  if (target.kind !== "ssh") return { target, reach }
  const { host, user, port } = resolved
  return {
    target: { ...target, host, user, port, label: labelOf({ host, user, ...(port === SSH_PORT ? {} : { port }) }) },
    reach,
  }
}

function authOf({ password, key_path: keyPath }: ReachInput) {
  if (password !== undefined && keyPath !== undefined) {
    throw invalidField("key_path", "conflict", "password and key_path exclude each other. Send one of them.")
  }
  if (password !== undefined) return { password }
  return keyPath === undefined ? undefined : { keyPath }
}

/** `user@host[:port]`. */
function labelOf({
  host,
  user,
  port,
}: {
  readonly host: string
  readonly user?: string
  readonly port?: number
}): string {
  return `${user === undefined ? "" : `${user}@`}${host}${port === undefined ? "" : `:${port}`}`
}

function workspaceOf(input: ReachInput): { readonly workspace?: Workspace } {
  const { workspace: path, paths = [], auto_snapshot: automatic = true, checkpoint_ignores: ignores = [] } = input
  if (path !== undefined) return { workspace: { path, paths, automatic, ignores } }
  const stray = WORKSPACE_FIELDS.find((field) => input[field] !== undefined)
  if (stray === undefined) return {}
  throw invalidField("workspace", "required", `${stray} needs workspace. Name the folder, or leave ${stray} out.`)
}

const required = (field: string, transport: string) =>
  invalidField(field, "required", `Transport ${transport} needs ${field}. Add it.`)
