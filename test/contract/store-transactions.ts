import { describe, expect, it } from "vitest"
import type { Tx } from "../../core/store.ts"
import type { Current } from "./store.ts"
import { aSession, aUser } from "./store-fixtures.ts"

/** Transactions: atomic, isolated, one writer at a time, of no use afterwards. */
export function transactionContract(current: Current): void {
  describe("transactions", () => {
    const names = async (): Promise<readonly string[]> => {
      const users = await current().store.read((tx) => tx.users.list())
      return users.map(({ name }) => name)
    }

    it("commits what the work did and returns its value", async () => {
      const { store } = current()
      const value = await store.write(async (tx) => {
        await tx.users.insert(aUser("alice"))
        return 42
      })
      expect(value).toBe(42)
      expect(await names()).toEqual(["alice"])
    })

    it("keeps nothing of work that throws, and goes on", async () => {
      const { store } = current()
      const failing = store.write(async (tx) => {
        await tx.users.insert(aUser("alice"))
        throw new Error("changed my mind")
      })
      await expect(failing).rejects.toThrow("changed my mind")
      await store.write((tx) => tx.users.insert(aUser("bob")))
      expect(await names()).toEqual(["bob"])
    })

    it("keeps nothing of work whose statement fails", async () => {
      const { store } = current()
      await store.write((tx) => tx.users.insert(aUser("alice")))
      const failing = store.write(async (tx) => {
        await tx.users.insert(aUser("bob"))
        await tx.users.insert(aUser("alice"))
      })
      await expect(failing).rejects.toThrow()
      expect(await names()).toEqual(["alice"])
    })

    it("runs writes one after another in the order they were asked for", async () => {
      const { store } = current()
      const session = aSession()
      const order: number[] = []
      await Promise.all(
        [1, 2, 3, 4, 5].map((turn) =>
          store.write(async (tx) => {
            order.push(turn)
            await tx.sessions.byId(session.sessionId)
            order.push(turn)
          }),
        ),
      )
      expect(order).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    })

    it("shows a read one state, whatever is written meanwhile", async () => {
      const { store } = current()
      const seen = await store.read(async (tx) => {
        const before = await tx.users.list()
        await store.write((other) => other.users.insert(aUser("alice")))
        return [before.length, (await tx.users.list()).length]
      })
      expect(seen).toEqual([0, 0])
      expect(await names()).toEqual(["alice"])
    })

    it("reads what a finished write wrote", async () => {
      const { store } = current()
      for (const name of ["a", "b", "c"]) {
        await store.write((tx) => tx.users.insert(aUser(name)))
        expect(await store.read((tx) => tx.users.byName(name))).toEqual(aUser(name))
      }
    })

    it("reads one query without a transaction, after every write that has ended, and no second one", async () => {
      const { store } = current()
      await store.write((tx) => tx.users.insert(aUser("alice")))
      expect(await store.readOnce((tx) => tx.users.byName("alice"))).toEqual(aUser("alice"))
      const twice = store.readOnce(async (tx) => [await tx.users.byName("alice"), await tx.users.byName("bob")])
      await expect(twice).rejects.toThrow("transaction has ended")
      await expect(store.readOnce((tx) => tx.users.insert(aUser("bob")))).rejects.toThrow()
    })

    it("reads one query as it is after a transaction that is open", async () => {
      const { store } = current()
      const seen: (string | undefined)[] = []
      const long = store.read(async (tx) => {
        seen.push((await tx.users.byName("alice"))?.name)
        await store.write((other) => other.users.insert(aUser("alice")))
        seen.push((await tx.users.byName("alice"))?.name)
      })
      await Promise.all([long, store.readOnce(async (tx) => seen.push((await tx.users.byName("alice"))?.name))])
      expect(seen).toEqual([undefined, undefined, "alice"])
    })

    it("refuses a write in a read transaction", async () => {
      await expect(current().store.read((tx) => tx.users.insert(aUser("alice")))).rejects.toThrow()
      expect(await names()).toEqual([])
    })

    it("refuses a tx that outlived its callback", async () => {
      const { store } = current()
      let kept: Tx | undefined
      await store.write(async (tx) => {
        kept = tx
      })
      await expect(kept?.users.insert(aUser("late"))).rejects.toThrow("transaction has ended")
      expect(await names()).toEqual([])
    })

    it("tells its dialect, schema version and size, and keeps one instance key", async () => {
      const { store, second } = current()
      const facts = await store.facts()
      expect(facts.schemaVersion).toBe(8)
      expect(facts.sizeBytes).toBeGreaterThan(10_000)
      const key = await store.instanceKey()
      expect(key).toMatch(/^[0-9a-f]{64}$/)
      expect(await (await second()).instanceKey()).toBe(key)
    })
  })
}
