import { z } from "zod"
import type { Reach } from "../../../../../../core/shells/runner.ts"

const workspaceSchema = z.object({
  path: z.string(),
  paths: z.array(z.string()),
  automatic: z.boolean(),
  ignores: z.array(z.string()),
})

/** The way to a target as a card keeps it: a password stays in memory (spec shells.md §9.2). */
export const farReachSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("ssh"),
    host: z.string(),
    user: z.string().exactOptional(),
    port: z.number().exactOptional(),
    keyPath: z.string().exactOptional(),
    fingerprint: z.string().exactOptional(),
    /** Nobody can reach it without the password, which is gone. */
    withPassword: z.boolean(),
    workspace: workspaceSchema.exactOptional(),
  }),
  z.object({
    kind: z.literal("docker"),
    container: z.string(),
    workspace: workspaceSchema.exactOptional(),
  }),
])

/** A target that is not this machine, without secrets. */
export type FarReach = z.infer<typeof farReachSchema>

/** What of a way may lie in a file; `undefined` for this machine. */
export function farReachOf(reach: Reach): FarReach | undefined {
  if (reach.kind === "local") return undefined
  const workspace =
    reach.workspace === undefined ? {} : { workspace: { ...reach.workspace, ...copied(reach.workspace) } }
  if (reach.kind === "docker") return { kind: "docker", container: reach.container, ...workspace }
  const { auth, host, user, port, fingerprint } = reach
  return {
    kind: "ssh",
    host,
    ...(user === undefined ? {} : { user }),
    ...(port === undefined ? {} : { port }),
    ...(auth !== undefined && "keyPath" in auth ? { keyPath: auth.keyPath } : {}),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    withPassword: auth !== undefined && "password" in auth,
    ...workspace,
  }
}

const copied = ({ paths, ignores }: { readonly paths: readonly string[]; readonly ignores: readonly string[] }) => ({
  paths: [...paths],
  ignores: [...ignores],
})

/** The way that a card stands for. */
export function reachOfCard(far: FarReach): Exclude<Reach, { readonly kind: "local" }> {
  if (far.kind === "docker") return far
  const { keyPath, withPassword: _gone, ...rest } = far
  return { ...rest, ...(keyPath === undefined ? {} : { auth: { keyPath } }) }
}
