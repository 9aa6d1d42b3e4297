import path from "node:path"
import Database from "better-sqlite3"
import { expect, it } from "vitest"
import { createIds, type SessionId } from "../../../core/kernel/ids.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import { decideStart } from "../../../core/sessions/rules.ts"
import { summarise } from "../../../core/sessions/summary.ts"
import type { Store } from "../../../core/store.ts"
import { finishedDraft, startedDraft } from "./drafts.ts"
import { openTestStore } from "./stored.ts"

const ids = createIds()
const plain = (text: string): string => text

async function insertSession(store: Store): Promise<SessionId> {
  const sessionId = ids.session()
  const command = { sessionId, ownerFingerprint: "0".repeat(64), at: 1_000 }
  const { value } = decideStart(command, { active: 0, max: 10 })
  if (value === undefined) throw new Error("refused")
  await store.write((tx) => tx.sessions.insert(value))
  return sessionId
}

it("S28: of 2,500 appended events the newest 2,000 are retained, without gap", async () => {
  await using stored = await openTestStore()
  const ledger = createLedger({ ids, redact: plain })
  const id = await insertSession(stored.store)
  for (let part = 0; part < 5; part += 1) {
    await stored.store.write((tx) =>
      ledger.append(
        tx,
        id,
        Array.from({ length: 500 }, () => finishedDraft()),
      ),
    )
  }
  const events = await stored.store.read((tx) => ledger.newest(tx, id, 3_000))
  expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 2_000 }, (_, index) => 2_500 - index))
  expect(await stored.store.read((tx) => tx.ledger.bounds(id))).toEqual({ retained: 2_000, first: 501 })
})

it("S31: an edit stays known after its event was evicted", async () => {
  await using stored = await openTestStore()
  const ledger = createLedger({ ids, redact: plain, limits: { retainedEvents: 3 } })
  const id = await insertSession(stored.store)
  const edit = finishedDraft({ activity: "edit", effect: "mutate", evidence: { state_changed: true } })
  await stored.store.write((tx) => ledger.append(tx, id, [edit]))
  for (let count = 0; count < 5; count += 1) await stored.store.write((tx) => ledger.append(tx, id, [finishedDraft()]))
  const row = await stored.store.read((tx) => tx.sessions.byId(id))
  expect(row).toMatchObject({ readable: true, session: { repositoryEdited: true, eventsObserved: 6 } })
})

it("S33: a secret is masked before it is stored", async () => {
  await using stored = await openTestStore()
  const ledger = createLedger({ ids, redact: (text) => text.replaceAll("hunter2hunter2", "[redacted:p]") })
  const id = await insertSession(stored.store)
  await stored.store.write((tx) => ledger.append(tx, id, [startedDraft("x hunter2hunter2")]))
  const [raw] = await stored.store.read((tx) => tx.ledger.all(id))
  expect(raw).toMatchObject({ title: "x [redacted:p]" })
})

it("S34: a secret that becomes known later is masked when old events are read", async () => {
  await using stored = await openTestStore()
  const id = await insertSession(stored.store)
  const before = createLedger({ ids, redact: plain })
  await stored.store.write((tx) => before.append(tx, id, [finishedDraft({ facts: { note: "zq-LITERAL-77" } })]))
  const after = createLedger({ ids, redact: (text) => text.replaceAll("zq-LITERAL-77", "[redacted:Z]") })
  const [event] = await stored.store.read((tx) => after.newest(tx, id, 1))
  expect(event).toMatchObject({ facts: { note: "[redacted:Z]" } })
})

it("S42: a damaged row is shown as unreadable, enters no count, and its neighbours are served", async () => {
  await using stored = await openTestStore()
  const ledger = createLedger({ ids, redact: plain })
  const id = await insertSession(stored.store)
  await stored.store.write((tx) => ledger.append(tx, id, [finishedDraft(), finishedDraft(), finishedDraft()]))
  const database = new Database(path.join(stored.dataDir, "holdfast.db"))
  database.prepare("update session_events set payload = '{' where seq = 2").run()
  database.close()
  const call = { invocationId: ids.invocation(), ports: { ledger } } as never
  const summary = await stored.store.read((tx) => summarise(tx, call, { sessionId: id, limit: 50 }))
  expect(summary.events.map(({ seq, kind }) => [seq, kind])).toEqual([
    [3, "tool_call_finished"],
    [2, "unreadable"],
    [1, "tool_call_finished"],
  ])
  expect(summary).toMatchObject({ unreadable_events: 1, counts: { tool_calls: 2 } })
})

it("S43: the number orders events when the clock goes back, and updated_at does not go back", async () => {
  await using stored = await openTestStore()
  const ledger = createLedger({ ids, redact: plain })
  const id = await insertSession(stored.store)
  const at = 10_000_000
  await stored.store.write((tx) =>
    ledger.append(
      tx,
      id,
      [1, 2, 3].map(() => finishedDraft({ at })),
    ),
  )
  await stored.store.write((tx) => ledger.append(tx, id, [finishedDraft({ at: at - 3_600_000 })]))
  const [event] = await stored.store.read((tx) => ledger.newest(tx, id, 1))
  const row = await stored.store.read((tx) => tx.sessions.byId(id))
  expect(event).toMatchObject({ seq: 4, at: at - 3_600_000 })
  expect(row).toMatchObject({ session: { updatedAt: at } })
})
