import type { Call } from "../kernel/call.ts"
import { isToolError } from "../kernel/error.ts"
import type { Tx } from "../store.ts"
import { policyFingerprint, resourceGeneration } from "./policy.ts"
import type { CloseReason, Shell } from "./record.ts"

/** A call that waited longer for its shell is judged again as a whole. */
const FRESH_MS = 50

/**
 * Why the configuration no longer lets a bound shell go on; `undefined` if it does (spec shells.md §11). The kernel's own
 * checks of the call answered the rest a moment ago.
 */
export async function policyFault(call: Pick<Call, "ports">, shell: Shell): Promise<CloseReason | undefined> {
  if (shell.projectPk === undefined || shell.policyFingerprint === undefined) return undefined
  if ((await policyFingerprint(call, shell.projectPk)) !== shell.policyFingerprint) return "policy_changed"
  const { target } = shell
  if (target.kind !== "ssh" || target.resource === undefined) return undefined
  return (await resourceGeneration(call, target.resource)) === target.resourceGeneration
    ? undefined
    : "resource_changed"
}

/** Why stored state no longer lets a bound shell go on, in the caller's transaction (spec shells.md §11). */
export async function storedFault(tx: Tx, shell: Shell): Promise<CloseReason | undefined> {
  if (shell.sessionId === undefined || shell.projectPk === undefined) return undefined
  const row = await tx.sessions.byId(shell.sessionId)
  if (row?.readable !== true || row.session.lifecycle !== "active") return "session_closed"
  if (row.session.mode === "read_only" || row.session.guards.deny_shell_tools) return "policy_changed"
  const project = await tx.projects.byPk(shell.projectPk)
  return project === undefined || project.unregisteredAt !== undefined ? "project_closed" : undefined
}

/** The same and what the caller may still do, for a call that waited `queuedMs` for its turn. */
export async function waitedFault(
  tx: Tx,
  call: Pick<Call, "requireAccess">,
  { shell, queuedMs }: { readonly shell: Shell; readonly queuedMs: number },
): Promise<CloseReason | undefined> {
  if (queuedMs < FRESH_MS) return undefined
  const stored = await storedFault(tx, shell)
  if (stored !== undefined) return stored
  try {
    await call.requireAccess(tx)
    return undefined
  } catch (error) {
    if (isToolError(error)) return "access_withdrawn"
    throw error
  }
}
