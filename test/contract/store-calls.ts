import { describe, expect, it } from "vitest"
import type { CallKeyRow } from "../../core/kernel/call-keys.ts"
import type { OpenCall } from "../../core/ledger/store.ts"
import type { Current } from "./store.ts"
import { ids } from "./store-fixtures.ts"

function anOpenCall(more: Partial<OpenCall> = {}): OpenCall {
  return {
    callId: ids.call(),
    invocationId: ids.invocation(),
    tool: "run_shell",
    instance: ids.instance(),
    startedAt: 5,
    ...more,
  }
}

function aKey(more: Partial<CallKeyRow> = {}): CallKeyRow {
  return {
    keyHash: ids.token(),
    tool: "run_shell",
    inputHash: ids.token(),
    callId: ids.call(),
    state: "started",
    deadlineAt: 50,
    createdAt: 10,
    expiresAt: 100,
    ...more,
  }
}

/** Running calls, call keys and instances (spec kernel.md §15, doors.md §2.5). */
export function callContract(current: Current): void {
  describe("open calls", () => {
    it("gives back what was stored, by Session and by instance, oldest first", async () => {
      const { store } = current()
      const [sessionId, instance] = [ids.session(), ids.instance()]
      const first = anOpenCall({ instance, sessionId, role: "recorder", startedSeq: 3, hint: { job_id: "j" } })
      const second = anOpenCall({ instance, startedAt: 6 })
      await store.write((tx) => tx.openCalls.insert([second, first, anOpenCall()]))
      expect(await store.read((tx) => tx.openCalls.ofSession(sessionId))).toEqual([first])
      expect(await store.read((tx) => tx.openCalls.ofInstances([instance]))).toEqual([first, second])
      expect(await store.read((tx) => tx.openCalls.ofInstances([]))).toEqual([])
    })

    it("takes each row once: the delete decides who finishes", async () => {
      const { store } = current()
      const [one, two] = [anOpenCall(), anOpenCall()]
      await store.write((tx) => tx.openCalls.insert([one, two]))
      const both = [one.callId, two.callId]
      expect(await store.write((tx) => tx.openCalls.take([one.callId, ids.call()]))).toEqual([one.callId])
      expect(await store.write((tx) => tx.openCalls.take(both))).toEqual([two.callId])
      expect(await store.read((tx) => tx.openCalls.exists(two.callId))).toBe(false)
    })

    it("notes where a call's effect is to be found", async () => {
      const { store } = current()
      const call = anOpenCall()
      await store.write((tx) => tx.openCalls.insert([call]))
      const hint = { job_id: "wc_job_1", project_pk: "p", key_hash: "k" }
      await store.write((tx) => tx.openCalls.setHint(call.callId, hint))
      expect(await store.read((tx) => tx.openCalls.ofInstances([call.instance]))).toEqual([{ ...call, hint }])
      expect(await store.read((tx) => tx.openCalls.exists(call.callId))).toBe(true)
      expect(await store.read((tx) => tx.openCalls.exists("not an id"))).toBe(false)
    })
  })

  describe("call keys", () => {
    it("gives back what was stored and finishes it with its bytes", async () => {
      const { store } = current()
      const key = aKey()
      await store.write((tx) => tx.callKeys.insert(key))
      expect(await store.read((tx) => tx.callKeys.byHash(key.keyHash))).toEqual(key)
      const result = Uint8Array.from([0, 1, 254, 255])
      await store.write((tx) => tx.callKeys.finish(key.keyHash, result))
      const row = await store.read((tx) => tx.callKeys.byHash(key.keyHash))
      expect(row?.state).toBe("finished")
      expect([...(row?.result ?? [])]).toEqual([0, 1, 254, 255])
      await expect(store.write((tx) => tx.callKeys.insert(key))).rejects.toThrow()
    })

    it("notes what recovery found, by call, and finishes without bytes", async () => {
      const { store } = current()
      const key = aKey()
      await store.write((tx) => tx.callKeys.insert(key))
      await store.write((tx) => tx.callKeys.recover(key.callId, '{"kind":"interrupted"}'))
      await store.write((tx) => tx.callKeys.finish(key.keyHash, undefined))
      const row = await store.read((tx) => tx.callKeys.byHash(key.keyHash))
      expect(row).toEqual({ ...key, state: "finished", recovered: '{"kind":"interrupted"}' })
    })

    it("prunes expired rows, the oldest first, as many as it may", async () => {
      const { store } = current()
      const keys = [30, 10, 20, 40].map((expiresAt) => aKey({ expiresAt }))
      await store.write(async (tx) => {
        for (const key of keys) await tx.callKeys.insert(key)
      })
      expect(await store.write((tx) => tx.callKeys.prune(30, 2))).toBe(2)
      const left = await store.read((tx) => Promise.all(keys.map(({ keyHash }) => tx.callKeys.byHash(keyHash))))
      expect(left.map((row) => row?.expiresAt)).toEqual([30, undefined, undefined, 40])
      expect(await store.write((tx) => tx.callKeys.prune(30, 2))).toBe(1)
      expect(await store.write((tx) => tx.callKeys.prune(30, 2))).toBe(0)
    })
  })

  describe("instances", () => {
    it("registers, renews and removes", async () => {
      const { store } = current()
      const instance = {
        instance: ids.instance(),
        host: "h",
        pid: 12,
        pidStartedAt: "boot:1",
        startedAt: 1,
        seenAt: 1,
      }
      await store.write((tx) => tx.instances.insert(instance))
      await store.write((tx) => tx.instances.renew(instance.instance, 11))
      expect(await store.read((tx) => tx.instances.list())).toEqual([{ ...instance, seenAt: 11 }])
      await store.write((tx) => tx.instances.remove(instance.instance))
      expect(await store.read((tx) => tx.instances.list())).toEqual([])
    })
  })
}
