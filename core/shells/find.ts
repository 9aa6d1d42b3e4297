import { jobOwner } from "../jobs/access.ts"
import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import type { Tx } from "../store.ts"
import { shellNotFound } from "./errors.ts"
import type { Shell } from "./record.ts"
import type { ShellRunner } from "./runner.ts"

/** A free shell of the caller. Throws `shell_not_found`, the same for foreign and unknown ids. */
export async function findFree(tx: Tx, call: Pick<Call, "principal">, shellId: string): Promise<Shell> {
  const shell = await tx.shells.byId(shellId)
  if (shell?.family !== "free" || shell.ownerPrincipal !== call.principal.id) throw shellNotFound("free")
  return shell
}

/** A shell of the call's Session and Project; without an id the Session's live or last one. Throws `shell_not_found`. */
export async function findBound(
  tx: Tx,
  call: Pick<Call, "caller" | "requireProject" | "requireSession">,
  shellId: string | undefined,
): Promise<Shell> {
  const { sessionId } = call.requireSession()
  const shell = shellId === undefined ? await tx.shells.ofSession(sessionId) : await tx.shells.byId(shellId)
  if (
    shell?.family !== "bound" ||
    shell.sessionId !== sessionId ||
    shell.projectPk !== call.requireProject().pk ||
    shell.ownerFingerprint !== jobOwner(call.caller)
  ) {
    throw shellNotFound("bound")
  }
  return shell
}

/** The Runner that holds free shells: the one of this machine. Throws `runner_unavailable`. */
export function localRunner(call: Pick<Call, "ports">) {
  const runner = call.ports.runners.get("local")
  if (runner !== undefined) return runner
  throw new ToolError("runner_unavailable", "The Runner of this machine is not online. Try again later.", {
    executionState: "not_started",
  })
}

/** The live half of a Runner. */
export const shellsOf = (call: Pick<Call, "ports">): ShellRunner => localRunner(call).shells
