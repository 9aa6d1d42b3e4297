import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { afterEach, beforeEach, expect, it } from "vitest"
import { openStore } from "../../../adapters/storage/index.ts"
import { aFinish, aSession, aStart, OWNER } from "../../contract/store-fixtures.ts"
import { dataDirectory } from "../../contract/store-sqlite.ts"

let place: Awaited<ReturnType<typeof dataDirectory>>
let store: Awaited<ReturnType<typeof openStore>>
const session = aSession()

beforeEach(async () => {
  place = await dataDirectory()
  store = await openStore({ dataDir: place.dataDir })
  await store.write(async (tx) => {
    await tx.sessions.insert(session)
    const events = [aStart(1), aFinish(2), aFinish(3)]
    await tx.ledger.append(session.sessionId, events, { retained: 2000, repositoryEdited: false })
  })
})
afterEach(async () => {
  await store.close()
  await place.remove()
})

function damage(statement: string): void {
  const database = new Sqlite(join(place.dataDir, "holdfast.db"))
  database.pragma("ignore_check_constraints = ON")
  expect(database.prepare(statement).run().changes).toBe(1)
  database.close()
}

it.each([
  ["no JSON", "update session_events set payload = '{' where seq = 2"],
  ["no object", "update session_events set payload = '7' where seq = 2"],
  ["a payload without its members", "update session_events set payload = '{}' where seq = 2"],
  ["an unknown member", "update session_events set payload = json_set(payload, '$.extra', 1) where seq = 2"],
  ["a column of another form", "update session_events set call_id = 'x' where seq = 2"],
  ["a kind nobody knows", "update session_events set kind = 'novel' where seq = 2"],
  ["a missing column", "update session_events set status = null where seq = 2"],
])("serves an event with %s as unreadable, its neighbours whole, and counts without it", async (_, statement) => {
  damage(statement)
  const events = await store.read((tx) => tx.ledger.all(session.sessionId))
  expect(events.map(({ kind, seq }) => [kind, seq])).toEqual([
    ["tool_call_started", 1],
    ["unreadable", 2],
    ["tool_call_finished", 3],
  ])
  expect(Object.keys(events[1] ?? {}).sort()).toEqual(["event_id", "kind", "seq"])
  const finished = await store.read((tx) => tx.ledger.finishedCalls(session.sessionId))
  expect(finished.map(({ seq }) => seq)).toEqual([3])
})

it("gives of an unreadable Session row what authority checks need", async () => {
  damage("update sessions set mode = 'odd'")
  const row = await store.read((tx) => tx.sessions.byId(session.sessionId))
  expect(row).toEqual({ readable: false, sessionId: session.sessionId, ownerFingerprint: OWNER })
  expect(await store.read((tx) => tx.sessions.recentOf(OWNER, undefined, 5))).toEqual([])
})

it("hands out a fingerprint of another form as it is stored", async () => {
  damage("update sessions set owner_authority_fingerprint = 'ABC'")
  const row = await store.read((tx) => tx.sessions.byId(session.sessionId))
  expect(row?.readable === true && row.session.ownerFingerprint).toBe("ABC")
})
