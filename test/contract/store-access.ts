import { describe, expect, it } from "vitest"
import type { Current } from "./store.ts"
import { aCredential, aUser } from "./store-fixtures.ts"

/** Users and credentials (spec kernel.md §2.2, §15). */
export function accessContract(current: Current): void {
  describe("users", () => {
    it("gives back what was stored, by name and as a list in name order", async () => {
      const { store } = current()
      const alice = aUser("alice", { projects: ["a", "b"], scopes: [] })
      await store.write(async (tx) => {
        await tx.users.insert(aUser("bob"))
        await tx.users.insert(alice)
      })
      expect(await store.read((tx) => tx.users.byName("alice"))).toEqual(alice)
      expect(await store.read((tx) => tx.users.byName("carol"))).toBeUndefined()
      expect(await store.read((tx) => tx.users.list())).toEqual([alice, aUser("bob")])
    })

    it("disables once; the name stays taken", async () => {
      const { store } = current()
      await store.write((tx) => tx.users.insert(aUser("alice")))
      expect(await store.write((tx) => tx.users.disable("alice", 9))).toBe(true)
      expect(await store.write((tx) => tx.users.disable("alice", 10))).toBe(false)
      expect(await store.write((tx) => tx.users.disable("nobody", 10))).toBe(false)
      expect(await store.read((tx) => tx.users.byName("alice"))).toEqual(aUser("alice", { disabledAt: 9 }))
      await expect(store.write((tx) => tx.users.insert(aUser("alice")))).rejects.toThrow()
    })
  })

  describe("credentials", () => {
    const full = aCredential({
      projects: ["a"],
      mode: "restricted",
      expiresAt: 900,
      lastUsedAt: 200,
      createdAt: 300,
      scopes: ["admin"],
    })

    it("gives back what was stored, by hash and by id", async () => {
      const { store } = current()
      const plain = aCredential()
      await store.write(async (tx) => {
        await tx.credentials.insert(full)
        await tx.credentials.insert(plain)
      })
      expect(await store.read((tx) => tx.credentials.byHash(full.secretHash))).toEqual(full)
      expect(await store.read((tx) => tx.credentials.byId(plain.id))).toEqual(plain)
      expect(await store.read((tx) => tx.credentials.byHash("0"))).toBeUndefined()
    })

    it("refuses a second row of one secret", async () => {
      const { store } = current()
      await store.write((tx) => tx.credentials.insert(full))
      const twin = aCredential({ secretHash: full.secretHash })
      await expect(store.write((tx) => tx.credentials.insert(twin))).rejects.toThrow()
    })

    it("lists newest first, by principal and kind", async () => {
      const { store } = current()
      const rows = [
        aCredential({ createdAt: 1 }),
        aCredential({ createdAt: 3, kind: "project_grant", principalId: "grant:g" }),
        aCredential({ createdAt: 2, principalId: "user:bob" }),
      ]
      await store.write(async (tx) => {
        for (const row of rows) await tx.credentials.insert(row)
      })
      const times = async (filter: { principalId?: string; kind?: "user_token" }) =>
        (await store.read((tx) => tx.credentials.list(filter))).map(({ createdAt }) => createdAt)
      expect(await times({})).toEqual([3, 2, 1])
      expect(await times({ kind: "user_token" })).toEqual([2, 1])
      expect(await times({ kind: "user_token", principalId: "user:alice" })).toEqual([1])
    })

    it("revokes once and never moves the last use back", async () => {
      const { store } = current()
      await store.write((tx) => tx.credentials.insert(full))
      const { id } = full
      await store.write((tx) => tx.credentials.touch(id, 500))
      await store.write((tx) => tx.credentials.touch(id, 400))
      expect(await store.write((tx) => tx.credentials.revoke(id, 600, "lost"))).toBe(true)
      expect(await store.write((tx) => tx.credentials.revoke(id, 700, undefined))).toBe(false)
      const after = { ...full, lastUsedAt: 500, revokedAt: 600, revokedReason: "lost" }
      expect(await store.read((tx) => tx.credentials.byId(id))).toEqual(after)
    })

    it("prunes what was revoked or expired before a time, nothing else", async () => {
      const { store } = current()
      const rows = [
        aCredential({ name: "revoked long ago", revokedAt: 99 }),
        aCredential({ name: "expired long ago", expiresAt: 99 }),
        aCredential({ name: "just revoked", revokedAt: 100 }),
        aCredential({ name: "just expired", expiresAt: 100 }),
        aCredential({ name: "without end" }),
      ]
      await store.write(async (tx) => {
        for (const row of rows) await tx.credentials.insert(row)
      })
      expect(await store.write((tx) => tx.credentials.prune(100))).toBe(2)
      const left = (await store.read((tx) => tx.credentials.list({}))).map(({ name }) => name)
      expect(left.sort()).toEqual(["just expired", "just revoked", "without end"])
    })
  })
}
