import type { Call } from "../kernel/call.ts"
import type { SessionId } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import { readSession } from "./read.ts"
import type { ExecutionContext } from "./record.ts"
import { accepted, decideContext } from "./rules.ts"

/** Both contexts of an update, and whether they differ. */
export interface ContextUpdate {
  readonly previous: ExecutionContext
  readonly current: ExecutionContext
  readonly changed: boolean
}

/**
 * Replaces the whole context of an active Session in the caller's transaction; `context` is in its stored form. Equal
 * contexts leave no event and move no time (spec sessions.md §6).
 */
export async function updateContext(
  tx: Tx,
  call: Pick<Call, "ports" | "door" | "now">,
  { sessionId, context }: { readonly sessionId: SessionId; readonly context: ExecutionContext },
): Promise<ContextUpdate> {
  const before = await readSession(tx, sessionId)
  const { session, changed } = accepted(decideContext(before, context))
  const update: ContextUpdate = { previous: before.context, current: session.context, changed }
  if (!changed) return update
  await tx.sessions.update(session)
  await call.ports.ledger.append(tx, sessionId, [
    {
      kind: "session_execution_context_updated",
      at: call.now(),
      door: call.door,
      previous: { ...update.previous },
      current: { ...update.current },
    },
  ])
  return update
}
