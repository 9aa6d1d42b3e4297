import { describe, expect, it } from "vitest"
import type { SessionId } from "../../core/kernel/ids.ts"
import type { Message } from "../../core/messages/record.ts"
import type { Store } from "../../core/store.ts"
import type { Current } from "./store.ts"
import { aSession, ids } from "./store-fixtures.ts"

/** A message boards and their counters in the Session row (spec messages.md §9). */
export function messageContract(current: Current): void {
  describe("messages", () => {
    const session = async (): Promise<SessionId> => {
      const one = aSession()
      await current().store.write((tx) => tx.sessions.insert(one))
      return one.sessionId
    }
    const insert = (store: Store, ...messages: readonly Message[]): Promise<void> =>
      store.write(async (tx) => {
        for (const message of messages) await tx.messages.insert(message)
      })

    it("gives each of many boards a version that moves with its revision and its end, and none to what does not exist", async () => {
      const { store } = current()
      const boards = await Promise.all(Array.from({ length: 120 }, session))
      const [first, second, third] = boards
      if (first === undefined || second === undefined || third === undefined) return expect.fail("no boards")
      const versions = () => store.read((tx) => tx.messages.versions([...boards, ids.session()]))
      const before = await versions()
      expect([...before.keys()].sort()).toEqual([...boards].sort())
      await store.write(async (tx) => {
        await tx.messages.move(first, { revision: 1, floor: 0, lastPos: 1 }, 1)
        const row = await tx.sessions.byId(second)
        if (row?.readable !== true) return expect.fail("no Session")
        await tx.sessions.update({ ...row.session, lifecycle: "closed", closedAt: 5 })
      })
      const after = await versions()
      expect(boards.filter((id) => before.get(id) !== after.get(id))).toEqual([first, second])
      expect(await store.read((tx) => tx.messages.versions([]))).toEqual(new Map())
    })

    it("gives back what was stored, whole and in each order", async () => {
      const sessionId = await session()
      const { store } = current()
      const plain = aMessage(sessionId, 1)
      const full = aMessage(sessionId, 2, {
        kind: "todo",
        status: "resolved",
        priority: "high",
        tags: ["a", "b"],
        replyTo: plain.messageId,
        requiresAck: true,
        firstAckObservedAt: 1100,
        authorSessionId: sessionId,
        resolvedAt: 1200,
        resolution: "done",
        completion: { answerId: ids.message(), id: "c".repeat(64), hash: "d".repeat(64) },
        delivery: { keyHash: "k", contentHash: "h" },
      })
      await insert(store, plain, full)
      const stored = (message: Message) => ({ readable: true, message })
      const read = <T>(work: Parameters<typeof store.read<T>>[0]) => store.read(work)
      expect(await read((tx) => tx.messages.byId(sessionId, full.messageId))).toEqual(stored(full))
      expect(await read((tx) => tx.messages.byDeliveryKey(sessionId, "k"))).toEqual(stored(full))
      expect(await read((tx) => tx.messages.all(sessionId))).toEqual([stored(plain), stored(full)])
      expect(await read((tx) => tx.messages.list(sessionId, {}, { limit: 9 }))).toEqual([stored(full), stored(plain)])
      expect(await read((tx) => tx.messages.list(sessionId, {}, { limit: 9, beforePos: 2 }))).toEqual([stored(plain)])
      expect(await read((tx) => tx.messages.list(sessionId, { kind: "todo", status: "open" }, { limit: 9 }))).toEqual(
        [],
      )
      expect(await read((tx) => tx.messages.matching(sessionId, { replyTo: plain.messageId }))).toBe(1)
      expect(await read((tx) => tx.messages.replies(sessionId, plain.messageId, 9))).toEqual([stored(full)])
      expect(await read((tx) => tx.messages.replyCount(sessionId, plain.messageId))).toBe(1)
      expect(await read((tx) => tx.messages.changedAfter(sessionId, 10, 9))).toEqual([stored(full)])
      expect(await read((tx) => tx.messages.retained(sessionId))).toBe(2)
      const other = await session()
      expect(await read((tx) => tx.messages.byId(other, full.messageId))).toBeUndefined()
      expect(await read((tx) => tx.messages.byDeliveryKey(other, "k"))).toBeUndefined()
      expect(await read((tx) => tx.messages.all(other))).toEqual([])
    })

    it("settles, acknowledges and removes one message", async () => {
      const sessionId = await session()
      const { store } = current()
      const [one, two] = [aMessage(sessionId, 1, { requiresAck: true }), aMessage(sessionId, 2)]
      await insert(store, one, two)
      await store.write(async (tx) => {
        await tx.messages.acknowledge(sessionId, 1, { revision: 30, at: 1500 })
        await tx.messages.settle(sessionId, 1, { revision: 31, resolvedAt: 1600, resolution: "ok" })
        await tx.messages.remove(sessionId, 2)
      })
      expect(await store.read((tx) => tx.messages.all(sessionId))).toEqual([
        {
          readable: true,
          message: {
            ...one,
            revision: 31,
            firstAckObservedAt: 1500,
            status: "resolved",
            resolvedAt: 1600,
            resolution: "ok",
          },
        },
      ])
    })

    it("keeps the counters of a board, which move its Session's time forward only", async () => {
      const sessionId = await session()
      const { store } = current()
      const board = () => store.read((tx) => tx.messages.board(sessionId))
      expect(await board()).toEqual({ lifecycle: "active", revision: 0, floor: 0, lastPos: 0 })
      const updatedAt = async () => {
        const row = await store.read((tx) => tx.sessions.byId(sessionId))
        return row?.readable === true ? row.session.updatedAt : undefined
      }
      const moved = { revision: 7, floor: 3, lastPos: 5 }
      await store.write((tx) => tx.messages.move(sessionId, moved, 5000))
      expect([await board(), await updatedAt()]).toEqual([{ lifecycle: "active", ...moved }, 5000])
      await store.write((tx) => tx.messages.move(sessionId, { ...moved, revision: 8 }, 4000))
      expect([(await board())?.revision, await updatedAt()]).toEqual([8, 5000])
      expect(await store.read((tx) => tx.messages.board(ids.session()))).toBeUndefined()
    })

    it("counts what is open, and shows messages without texts for retention and attention", async () => {
      const sessionId = await session()
      const { store } = current()
      const todo = aMessage(sessionId, 1, { kind: "todo", requiresAck: true })
      const reply = aMessage(sessionId, 2, { replyTo: todo.messageId, status: "resolved", resolvedAt: 1 })
      const risk = aMessage(sessionId, 3, { kind: "risk", requiresAck: true, firstAckObservedAt: 2, priority: "low" })
      const settled = aMessage(sessionId, 4, { kind: "todo", status: "resolved", resolvedAt: 1 })
      const stray = aMessage(sessionId, 5, { replyTo: settled.messageId })
      await insert(store, todo, reply, risk, settled, stray)
      const boards = [sessionId, ...(await Promise.all(Array.from({ length: 60 }, session)))]
      const each = await store.read((tx) => tx.messages.openOnEach(boards))
      expect([...each]).toEqual([[sessionId, await store.read((tx) => tx.messages.open(sessionId))]])
      expect(await store.read((tx) => tx.messages.open(sessionId))).toEqual({
        counts: { guidance: 0, question: 0, todo: 1, risk: 1 },
        ackRequired: 2,
      })
      const oldest = await store.read((tx) => tx.messages.oldestChanged(sessionId, 10, 9))
      expect(oldest.map(({ pos, repliesToOpenTodo }) => [pos, repliesToOpenTodo])).toEqual([
        [2, true],
        [3, false],
        [4, false],
        [5, false],
      ])
      expect(await store.read((tx) => tx.messages.ackRequired(sessionId))).toEqual([
        factsOf(todo, false),
        factsOf(risk, true),
      ])
    })

    it("refuses a repeated id, position, revision or delivery key, and a completion without its hash", async () => {
      const sessionId = await session()
      const { store } = current()
      const one = aMessage(sessionId, 1, { delivery: { keyHash: "k", contentHash: "h" } })
      await insert(store, one)
      for (const clash of [
        aMessage(sessionId, 2, { messageId: one.messageId }),
        aMessage(sessionId, 1, { revision: 99 }),
        aMessage(sessionId, 2, { revision: one.revision }),
        aMessage(sessionId, 2, { delivery: { keyHash: "k", contentHash: "x" } }),
        aMessage(sessionId, 2, { status: "resolved" }),
      ])
        await expect(insert(store, clash)).rejects.toThrow()
      const elsewhere = await session()
      await insert(store, aMessage(elsewhere, 1, { delivery: { keyHash: "k", contentHash: "h" } }))
      expect(await store.read((tx) => tx.messages.retained(sessionId))).toBe(1)
    })

    it("shows a change to another store once it is committed, and nothing of one that was rolled back", async () => {
      const sessionId = await session()
      const { store, second } = current()
      const other = await second()
      const failing = store.write(async (tx) => {
        await tx.messages.insert(aMessage(sessionId, 1))
        await tx.messages.move(sessionId, { revision: 1, floor: 0, lastPos: 1 }, 1)
        throw new Error("no")
      })
      await expect(failing).rejects.toThrow("no")
      expect(await other.read((tx) => tx.messages.board(sessionId))).toMatchObject({ revision: 0, lastPos: 0 })
      expect(await other.read((tx) => tx.messages.all(sessionId))).toEqual([])
      await insert(store, aMessage(sessionId, 1))
      expect(await other.read((tx) => tx.messages.all(sessionId))).toHaveLength(1)
    })
  })
}

function aMessage(sessionId: SessionId, pos: number, more: Partial<Message> = {}): Message {
  return {
    sessionId,
    messageId: ids.message(),
    pos,
    revision: 9 + pos,
    createdAt: 1000,
    kind: "note",
    status: "open",
    priority: "normal",
    message: `message ${pos}`,
    tags: [],
    requiresAck: false,
    ...more,
  }
}

function factsOf({ messageId, pos, revision, kind, status, priority, requiresAck }: Message, acknowledged: boolean) {
  return { messageId, pos, revision, kind, status, priority, requiresAck, acknowledged, repliesToOpenTodo: false }
}
