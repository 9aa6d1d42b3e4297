import type { Call } from "../kernel/call.ts"
import type { SessionId } from "../kernel/ids.ts"
import { readSession } from "../sessions/read.ts"
import { accepted, decideActive } from "../sessions/rules.ts"
import type { Tx } from "../store.ts"
import type { BoardKeys } from "./keys.ts"
import type { Board } from "./record.ts"

/** The keys of a Session's board. */
export function boardKeys(call: Pick<Call, "ports">, sessionId: SessionId): Promise<BoardKeys> {
  return call.ports.boards.of(sessionId)
}

/** The board of a Session, in the caller's transaction. @throws ToolError `unknown_session_id` */
export async function readBoard(tx: Tx, sessionId: SessionId): Promise<Board> {
  const board = await tx.messages.board(sessionId)
  if (board !== undefined) return board
  await readSession(tx, sessionId)
  throw new Error("A Session that can be read has a board.")
}

/** The board of a Session that is active, for what changes it. @throws ToolError `unknown_session_id`, `session_closed` */
export async function readActiveBoard(tx: Tx, sessionId: SessionId): Promise<Board> {
  const board = await readBoard(tx, sessionId)
  accepted(decideActive({ sessionId, lifecycle: board.lifecycle }, "business"))
  return board
}

/** Masks the secrets of several texts and counts the masks. */
export function createMasker(call: Pick<Call, "ports">): { mask(text: string): string; readonly count: number } {
  const redactor = call.ports.secrets.redactor()
  let count = 0
  return {
    mask(text) {
      const masked = redactor.redactText(text)
      count += masked.count
      return masked.text
    },
    get count() {
      return count
    },
  }
}
