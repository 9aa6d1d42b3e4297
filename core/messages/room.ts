import type { SessionId } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import type { Board, MessageFacts } from "./record.ts"
import { isPinned, lifted, MAX_RETAINED, surplus } from "./rules.ts"

/** Most boards begin with what may go; more of the board is looked at only when it holds obligations first. */
const LOOK_AT = 16

/** What a board holds, and which of it may go for one more message, in the order of going. */
export interface Room {
  readonly retained: number
  readonly victims: readonly MessageFacts[]
}

/** Reads that; a board which never had 200 messages is not counted. */
export async function readRoom(tx: Tx, sessionId: SessionId, board: Board): Promise<Room> {
  if (board.lastPos < MAX_RETAINED) return { retained: board.lastPos, victims: [] }
  const retained = await tx.messages.retained(sessionId)
  return { retained, victims: await findVictims(tx, sessionId, surplus(retained)) }
}

async function findVictims(tx: Tx, sessionId: SessionId, wanted: number): Promise<readonly MessageFacts[]> {
  const found: MessageFacts[] = []
  let after = 0
  for (let limit = wanted; found.length < wanted; limit = LOOK_AT) {
    const page = await tx.messages.oldestChanged(sessionId, after, limit)
    found.push(...page.filter((message) => !isPinned(message)))
    const last = page.at(-1)
    if (last === undefined || page.length < limit) break
    after = last.revision
  }
  return found.slice(0, wanted)
}

/** Removes messages from a board. */
export async function evict(tx: Tx, sessionId: SessionId, evicted: readonly MessageFacts[]): Promise<void> {
  for (const { pos } of evicted) await tx.messages.remove(sessionId, pos)
}

/** Makes room for an answer as far as there is something to evict: a completion is never refused for space. */
export async function makeRoomForAnswer(tx: Tx, sessionId: SessionId, board: Board): Promise<Board> {
  const { victims } = await readRoom(tx, sessionId, board)
  await evict(tx, sessionId, victims)
  return lifted(board, victims)
}
