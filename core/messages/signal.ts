import type { Call } from "../kernel/call.ts"
import type { SessionId } from "../kernel/ids.ts"
import type { Topic } from "../kernel/signals.ts"

/** What waits for a change of a board, its Session's end included. */
export function boardTopic(sessionId: SessionId): Topic {
  return `board:${sessionId}`
}

/** Tells waiters of every process; after the commit only. */
export function signalBoard(call: Pick<Call, "ports">, sessionId: SessionId): void {
  call.ports.signals.notify(boardTopic(sessionId))
}
