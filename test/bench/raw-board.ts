import Sqlite from "better-sqlite3"
import { PRAGMAS } from "./raw-ledger.ts"

/** What changes of a board cost at least: better-sqlite3 with nothing above it, on the product's own tables and rows. */
export interface RawBoard {
  /** A post on a full board: one transaction of an insert, a delete and an update. */
  post(): void
  /** A completion: one transaction of two updates and an insert. */
  complete(): void
  /** What an observer without news has to read. */
  look(): void
  /** Reads the newest messages and makes them JSON. */
  newest(count: number): string
  close(): void
}

/** Opens a copy of a data directory's database whose Session `session` has a board with messages and an open todo. */
export function openRawBoard(file: string, session: string): RawBoard {
  const database = new Sqlite(file, { timeout: 5_000 })
  for (const pragma of PRAGMAS) database.pragma(pragma)
  const model = database
    .prepare<[string], Record<string, unknown>>(
      "select * from session_messages where session_id = ? and kind = 'note' order by pos desc limit 1",
    )
    .get(session)
  const todo = database
    .prepare<[string], { pos: number }>(
      "select pos from session_messages where session_id = ? and kind = 'todo' limit 1",
    )
    .get(session)
  if (model === undefined || todo === undefined) throw new Error("The board has no note or no todo to copy.")
  const columns = Object.keys(model)
  const insert = database.prepare(
    `insert into session_messages (${columns.join(", ")}) values (${columns.map((column) => `@${column}`).join(", ")})`,
  )
  const oldest = database.prepare<[string], { pos: number }>(
    "select pos from session_messages where session_id = ? order by revision limit 1",
  )
  const remove = database.prepare("delete from session_messages where session_id = ? and pos = ?")
  const advance = database.prepare(
    `update sessions set message_observation_revision = @revision, message_last_pos = @pos, updated_at = @at
     where session_id = @session`,
  )
  const settle = database.prepare(
    `update session_messages set status = 'resolved', resolved_at = @at, revision = @revision,
       completion_id = @id, completion_hash = @id, resolved_by_message_id = @id where session_id = @session and pos = @pos`,
  )
  const board = database.prepare("select * from sessions where session_id = ?")
  const newest = database.prepare("select * from session_messages where session_id = ? order by pos desc limit ?")
  // Beyond every number that the board has used.
  let next = 1_000_000
  const add = (): void => {
    next += 1
    const at = Date.now()
    advance.run({ revision: next, pos: next, at, session })
    insert.run({ ...model, pos: next, revision: next, created_at: at, message_id: messageId(next) })
  }
  const post = database.transaction((victim: number) => {
    add()
    remove.run(session, victim)
  })
  const complete = database.transaction(() => {
    next += 1
    settle.run({ session, pos: todo.pos, revision: next, at: Date.now(), id: "0".repeat(64) })
    add()
  })
  return {
    // The victim is found outside, as the floor is the change alone.
    post: () => post.immediate(oldest.get(session)?.pos ?? 0),
    complete: () => complete.immediate(),
    look: () => void board.get(session),
    newest: (count) => JSON.stringify(newest.all(session, count)),
    close: () => database.close(),
  }
}

function messageId(serial: number): string {
  return `wc_msg_${String(serial).padStart(16, "0")}`
}
