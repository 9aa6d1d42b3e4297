import type { SessionId } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import type { Board, OpenBoard } from "./record.ts"

/** A board at a glance: whether there is anything to be seen. */
export interface BoardGlance {
  readonly board: Board
  readonly open: OpenBoard
}

/** A board on which nothing is open. */
export const NOTHING_OPEN: OpenBoard = Object.freeze({
  counts: Object.freeze({ guidance: 0, question: 0, todo: 0, risk: 0 }),
  ackRequired: 0,
})

/** Reads it in the caller's transaction; a board that was never used is not counted. `undefined`: no such Session. */
export async function glanceAt(tx: Tx, sessionId: SessionId): Promise<BoardGlance | undefined> {
  const board = await tx.messages.board(sessionId)
  if (board === undefined) return undefined
  return { board, open: board.lastPos === 0 ? NOTHING_OPEN : await tx.messages.open(sessionId) }
}
