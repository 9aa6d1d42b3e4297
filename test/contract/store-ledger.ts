import { describe, expect, it } from "vitest"
import type { SessionId } from "../../core/kernel/ids.ts"
import type { LedgerEvent } from "../../core/ledger/events.ts"
import type { WorkflowSession } from "../../core/sessions/record.ts"
import type { Current } from "./store.ts"
import { aFinish, aSession, aStart, everyEvent } from "./store-fixtures.ts"

/** A Session's ledger (spec sessions.md §5.7, §8). */
export function ledgerContract(current: Current): void {
  describe("ledger", () => {
    const started = async (): Promise<SessionId> => {
      const session = aSession()
      await current().store.write((tx) => tx.sessions.insert(session))
      return session.sessionId
    }
    const append = (id: SessionId, events: readonly LedgerEvent[], retained = 2000, repositoryEdited = false) =>
      current().store.write((tx) => tx.ledger.append(id, events, { retained, repositoryEdited }))
    const session = async (id: SessionId): Promise<WorkflowSession> => {
      const row = await current().store.read((tx) => tx.sessions.byId(id))
      if (row?.readable !== true) throw new Error("unreadable")
      return row.session
    }

    it("gives back every kind of event as it was appended, in order", async () => {
      const id = await started()
      const events = everyEvent()
      expect(await append(id, events)).toEqual({ first_seq: 1, last_seq: events.length })
      const stored = events.map((event, index) => ({ ...event, seq: index + 1 }))
      const { store } = current()
      expect(await store.read((tx) => tx.ledger.all(id))).toEqual(stored)
      expect(await store.read((tx) => tx.ledger.newest(id, 3))).toEqual(stored.toReversed().slice(0, 3))
      expect(await store.read((tx) => tx.ledger.newest(id, 2, 3))).toEqual([stored[1], stored[0]])
      expect(await store.read((tx) => tx.ledger.newest(id, 0))).toEqual([])
    })

    it("numbers without a gap, counts, and raises the Session's time without ever lowering it", async () => {
      const id = await started()
      expect(await append(id, [aStart(5000)])).toEqual({ first_seq: 1, last_seq: 1 })
      expect(await append(id, [aStart(3000), aFinish(4000)])).toEqual({ first_seq: 2, last_seq: 3 })
      expect(await session(id)).toMatchObject({ eventsObserved: 3, updatedAt: 5000, repositoryEdited: false })
    })

    it("keeps the edit fact once it is set", async () => {
      const id = await started()
      await append(id, [aFinish(1)], 2000, true)
      await append(id, [aFinish(2)], 1, false)
      expect((await session(id)).repositoryEdited).toBe(true)
    })

    it("evicts the oldest beyond the number retained, in the same transaction", async () => {
      const id = await started()
      for (let at = 1; at <= 10; at += 1) await append(id, [aStart(at)], 4)
      await append(id, [aStart(11), aStart(12), aStart(13)], 4)
      const { store } = current()
      expect(await store.read((tx) => tx.ledger.bounds(id))).toEqual({ retained: 4, first: 10 })
      const kept = await store.read((tx) => tx.ledger.all(id))
      expect(kept.map(({ seq }) => seq)).toEqual([10, 11, 12, 13])
      expect((await session(id)).eventsObserved).toBe(13)
    })

    it("rolls an append back whole", async () => {
      const id = await started()
      const failing = current().store.write(async (tx) => {
        await tx.ledger.append(id, [aStart(1)], { retained: 9, repositoryEdited: true })
        throw new Error("no")
      })
      await expect(failing).rejects.toThrow("no")
      expect(await session(id)).toMatchObject({ eventsObserved: 0, repositoryEdited: false })
      expect(await current().store.read((tx) => tx.ledger.bounds(id))).toEqual({ retained: 0 })
    })

    it("refuses events of a Session that has no row", async () => {
      await expect(append(aSession().sessionId, [aStart(1)])).rejects.toThrow("no row")
    })

    it("tells finished calls with what counting needs", async () => {
      const id = await started()
      const good = aFinish(1, { role: "recorder" })
      const bad = aFinish(2, {
        status: "failed",
        error: { kind: "exit_nonzero", recovery: "none" },
        evidence: { execution_state: "completed" },
      })
      await append(id, [aStart(1), good, bad])
      const rows = await current().store.read((tx) => tx.ledger.finishedCalls(id))
      const groups = await current().store.read((tx) => tx.ledger.callGroups(id))
      const common = { toolName: "read_files", effect: "observe", activity: "explore" }
      expect(rows).toEqual([
        {
          ...common,
          seq: 2,
          callId: good.call_id,
          invocationId: good.invocation_id,
          role: "recorder",
          status: "succeeded",
        },
        {
          ...common,
          seq: 3,
          callId: bad.call_id,
          invocationId: bad.invocation_id,
          role: "business",
          status: "failed",
          errorKind: "exit_nonzero",
          executionState: "completed",
        },
      ])
      expect(groups).toHaveLength(2)
      expect(groups).toContainEqual({ ...common, role: "recorder", status: "succeeded", count: 1 })
      await append(id, [aFinish(3, { role: "recorder" })])
      const more = await current().store.read((tx) => tx.ledger.callGroups(id))
      expect(more).toContainEqual({ ...common, role: "recorder", status: "succeeded", count: 2 })
    })
  })
}
