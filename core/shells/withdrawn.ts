import type { Tx } from "../store.ts"
import { storedFault } from "./recheck.ts"
import type { CloseReason, Shell } from "./record.ts"

/** Why stored state no longer lets a shell live, whoever changed it; `undefined` if it does (spec shells.md §3). */
export async function withdrawal(tx: Tx, shell: Shell): Promise<CloseReason | undefined> {
  return (await storedFault(tx, shell)) ?? ((await ownerMay(tx, shell)) ? undefined : "access_withdrawn")
}

/**
 * Whether the owner still is somebody here with access to the shell's Project. Principals without rows (this machine's own,
 * an embedding program's) keep theirs.
 */
async function ownerMay(tx: Tx, { ownerPrincipal, projectPk }: Shell): Promise<boolean> {
  const projects = await projectsOf(tx, ownerPrincipal)
  if (projects === undefined) return false
  if (projects === "*" || projectPk === undefined) return true
  const project = await tx.projects.byPk(projectPk)
  return project !== undefined && projects.includes(project.slug)
}

/** What the owner may access; `undefined` for one who is gone. */
async function projectsOf(tx: Tx, principalId: string): Promise<"*" | readonly string[] | undefined> {
  const name = /^user:(.+)$/.exec(principalId)?.[1]
  if (name !== undefined) {
    const user = await tx.users.byName(name)
    return user?.disabledAt === undefined ? (user?.projects ?? "*") : undefined
  }
  if (!principalId.startsWith("grant:")) return "*"
  const credentials = await tx.credentials.list({ principalId })
  const live = credentials.find(({ revokedAt }) => revokedAt === undefined)
  return live === undefined ? undefined : (live.projects ?? "*")
}
