import type { Tx } from "../store.ts"
import type { AuthorityGroup } from "./principal.ts"
import { authorityFingerprint } from "./principal.ts"

/** What the operator may see of a Session's owner: the kind of principal; `unknown` for one that no row names (any more). */
export type OwnerKind = AuthorityGroup["kind"] | "unknown"

/** Tells the kind of an owner from its fingerprint, by the users and grants of this data directory (spec sessions.md §6). */
export async function readOwnerKinds(tx: Tx): Promise<(fingerprint: string) => OwnerKind> {
  const grants = await tx.credentials.list({ kind: "project_grant" })
  const groups: AuthorityGroup[] = [
    { kind: "local", id: "local" },
    ...(await tx.users.list()).map(({ name }): AuthorityGroup => ({ kind: "user", id: name })),
    ...grants.map(({ principalId }): AuthorityGroup => ({ kind: "grant", id: principalId.replace(/^grant:/, "") })),
  ]
  const kinds = new Map(groups.map((group) => [authorityFingerprint(group), group.kind]))
  return (fingerprint) => kinds.get(fingerprint) ?? "unknown"
}
