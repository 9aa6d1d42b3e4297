import { authorityFingerprint } from "../access/principal.ts"
import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import type { Tx } from "../store.ts"
import { freeSessionId } from "./read.ts"
import type { WorkflowSession } from "./record.ts"
import type { StartCommand } from "./rules.ts"
import { accepted, cutTitle, decideStart } from "./rules.ts"

/** The fingerprint of the caller's authority group. @throws ToolError `session_authority_identity_unavailable` */
export function requireOwner(call: Pick<Call, "caller">): string {
  const { authority } = call.caller
  if (authority !== undefined) return authorityFingerprint(authority)
  throw new ToolError(
    "session_authority_identity_unavailable",
    "This principal has no authority group, so no Session can belong to it. Use a credential of a user or a grant.",
  )
}

/** Inserts a new Session of the caller in its transaction; the title is masked and cut again. Its first event is the caller's. */
export async function createSession(
  tx: Tx,
  call: Pick<Call, "caller" | "ports" | "now">,
  asked: Omit<StartCommand, "sessionId" | "ownerFingerprint" | "at">,
): Promise<WorkflowSession> {
  const { ids, ledger } = call.ports
  const ownerFingerprint = requireOwner(call)
  const { title } = asked
  const session = accepted(
    decideStart(
      {
        ...asked,
        ...(title === undefined ? {} : { title: cutTitle(ledger.redact(cutTitle(title))) }),
        sessionId: await freeSessionId(tx, ids),
        ownerFingerprint,
        at: call.now(),
      },
      { active: await tx.sessions.countActive(ownerFingerprint), max: ledger.limits.maxActiveSessions },
    ),
  )
  await tx.sessions.insert(session)
  return session
}
