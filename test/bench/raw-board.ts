import { randomBytes } from "node:crypto"
import Sqlite from "better-sqlite3"
import { PRAGMAS } from "./raw-ledger.ts"

/** What changes of a board cost at least: better-sqlite3 with nothing above it, on the product's own tables and rows. */
export interface RawBoard {
  /** A post on a full board: one transaction of an insert, a delete and an update. */
  post(): void
  /** Adds open todos to be completed. */
  addTodos(count: number): void
  /** A completion of one of them: one transaction of two updates and an insert. */
  complete(): void
  /** What an observer without news has to read. */
  look(): void
  /** Reads the newest messages and makes them JSON. */
  newest(count: number): string
  close(): void
}

/** Opens a copy of a data directory's database whose Session `session` has a board with messages. */
export function openRawBoard(file: string, session: string): RawBoard {
  const database = new Sqlite(file, { timeout: 5_000 })
  for (const pragma of PRAGMAS) database.pragma(pragma)
  const model = database
    .prepare<[string], Record<string, unknown>>(
      "select * from session_messages where session_id = ? and kind = 'note' order by pos desc limit 1",
    )
    .get(session)
  if (model === undefined) throw new Error("The board has no note to copy.")
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
  const add = (changed: Readonly<Record<string, unknown>> = {}): string => {
    next += 1
    const at = Date.now()
    const message_id = messageId()
    advance.run({ revision: next, pos: next, at, session })
    insert.run({ ...model, pos: next, revision: next, created_at: at, message_id, ...changed })
    return message_id
  }
  const post = database.transaction((victim: number) => {
    add()
    remove.run(session, victim)
  })
  const todos: { readonly pos: number; readonly message_id: string }[] = []
  const addTodos = database.transaction((count: number) => {
    for (let added = 0; added < count; added++) {
      const message_id = add({ kind: "todo" })
      todos.push({ pos: next, message_id })
    }
  })
  const complete = database.transaction(() => {
    const todo = todos.pop()
    if (todo === undefined) throw new Error("There is no todo left to complete.")
    next += 1
    settle.run({ session, pos: todo.pos, revision: next, at: Date.now(), id: "0".repeat(64) })
    add({ kind: "answer", reply_to: todo.message_id })
  })
  return {
    // The victim is found outside, as the floor is the change alone.
    post: () => post.immediate(oldest.get(session)?.pos ?? 0),
    addTodos: (count) => addTodos.immediate(count),
    complete: () => complete.immediate(),
    look: () => void board.get(session),
    newest: (count) => JSON.stringify(newest.all(session, count)),
    close: () => database.close(),
  }
}

/** Random like the product's, so that its index is as scattered. */
function messageId(): string {
  return `wc_msg_${randomBytes(12).toString("base64url")}`
}
