import fc from "fast-check"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { Store } from "../../../core/store.ts"
import type { StoreUnderTest } from "../../contract/store.ts"
import { aFinish, aSession, aStart } from "../../contract/store-fixtures.ts"
import { sqliteUnderTest } from "../../contract/store-sqlite.ts"

let under: StoreUnderTest
let stores: readonly Store[]
beforeEach(async () => {
  under = await sqliteUnderTest()
  stores = [under.store, await under.second()]
})
afterEach(() => under.close())

const appends = fc.array(
  fc.record({ size: fc.integer({ min: 1, max: 5 }), by: fc.nat(1), at: fc.nat(10_000), edited: fc.boolean() }),
  { maxLength: 25 },
)

it("S-I1, S-I8: keeps exactly the last events, whatever was appended by whom, and what may only rise", async () => {
  await fc.assert(
    fc.asyncProperty(appends, fc.integer({ min: 1, max: 12 }), async (turns, retained) => {
      const session = aSession()
      const id = session.sessionId
      await under.store.write((tx) => tx.sessions.insert(session))
      for (const { size, by, at, edited } of turns) {
        const events = Array.from({ length: size }, (_, index) => (index % 2 === 0 ? aStart(at) : aFinish(at)))
        await stores[by]?.write((tx) => tx.ledger.append(id, events, { retained, repositoryEdited: edited }))
      }
      const total = turns.reduce((sum, { size }) => sum + size, 0)
      const first = Math.max(1, total - retained + 1)
      const [events, row] = await under.store.read(async (tx) => [await tx.ledger.all(id), await tx.sessions.byId(id)])
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: total - first + 1 }, (_, n) => first + n))
      expect(row?.readable === true && row.session).toEqual({
        ...session,
        eventsObserved: total,
        updatedAt: Math.max(session.updatedAt, ...turns.map(({ at }) => at)),
        repositoryEdited: turns.some(({ edited }) => edited),
      })
    }),
    { numRuns: 40 },
  )
})
