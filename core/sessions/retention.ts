import type { SessionId } from "../kernel/ids.ts"
import type { Store, Tx } from "../store.ts"
import { readSession } from "./read.ts"
import type { ExpiryBounds } from "./store.ts"

const DAY_MS = 86_400_000
/** Sessions that one sweep lets expire at most (spec sessions.md §3.4). */
const SESSIONS_A_SWEEP = 200

/** How long Sessions are kept, days (spec sessions.md §1.3). */
export interface SessionRetention {
  /** After the last change of a closed one. */
  readonly closedDays: number
  /** After the last change of an active one. */
  readonly idleDays: number
}

/** The product's defaults. */
export const DEFAULT_SESSION_RETENTION: SessionRetention = { closedDays: 90, idleDays: 365 }

/** Sessions whose last change lies before these times may expire, if nothing goes on in them. */
export function expiryBounds(now: number, { closedDays, idleDays }: SessionRetention): ExpiryBounds {
  return { closedBefore: now - closedDays * DAY_MS, activeBefore: now - idleDays * DAY_MS }
}

/**
 * Lets the oldest expired Sessions go, ≤ 200, one transaction each, which asks again whether it still may; answers how many
 * went. Any process may sweep at any time: the delete decides (spec sessions.md §3.4).
 */
export async function sweepSessions(store: Store, now: number, retention: SessionRetention): Promise<number> {
  const bounds = expiryBounds(now, retention)
  const due = await store.read((tx) => tx.sessions.expirable(bounds, SESSIONS_A_SWEEP))
  let gone = 0
  for (const sessionId of due) {
    if (await store.write((tx) => tx.sessions.expire(sessionId, { ...bounds, at: now }))) gone += 1
  }
  return gone
}

/**
 * Lets a closed Session go before its time, in the operator's transaction; nothing changes for an active one and for one in
 * which calls, Jobs or a shell still go on. @throws ToolError `unknown_session_id`
 */
export async function expireSession(tx: Tx, sessionId: SessionId, now: number): Promise<"expired" | "active" | "busy"> {
  // A row that cannot be read has a lifecycle all the same, and no other way to go.
  const board = await tx.messages.board(sessionId)
  const { lifecycle } = board ?? (await readSession(tx, sessionId))
  if (lifecycle === "active") return "active"
  const always = { closedBefore: Number.MAX_SAFE_INTEGER, activeBefore: 0 }
  return (await tx.sessions.expire(sessionId, { ...always, at: now })) ? "expired" : "busy"
}
