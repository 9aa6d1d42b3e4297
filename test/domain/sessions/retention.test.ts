import path from "node:path"
import Sqlite from "better-sqlite3"
import { describe, expect, it } from "vitest"
import { type SessionId, sessionIdSchema } from "../../../core/kernel/ids.ts"
import { expireSession, sweepSessions } from "../../../core/sessions/retention.ts"
import { aJob, aShell, ids } from "../../contract/store-fixtures.ts"
import { bob } from "../../support/callers.ts"
import { type KernelUnderTest, startKernel } from "./kernel-under-test.ts"

const DAY_MS = 86_400_000
const DAYS = { closedDays: 90, idleDays: 365 }

async function closed(kernel: KernelUnderTest): Promise<SessionId> {
  const id = sessionIdSchema.parse(await kernel.session({}))
  await kernel.ok("close_session", { session_id: id })
  return id
}

const sweep = (kernel: KernelUnderTest, aheadMs: number): Promise<number> =>
  sweepSessions(kernel.store, Date.now() + aheadMs, DAYS)

describe("retention", () => {
  it("S39: closed ones go after 90 days unless a Job goes on; the tombstone tells only its own group", async () => {
    await using kernel = await startKernel()
    kernel.time.offset = -(91 * DAY_MS)
    const withJob = await closed(kernel)
    await kernel.store.write((tx) => tx.jobs.insert(aJob({ sessionId: withJob })))
    kernel.time.offset = -(90 * DAY_MS + 60_000)
    const gone = await closed(kernel)
    kernel.time.offset = -(364 * DAY_MS)
    const idle = await kernel.session({})
    kernel.time.offset = 0
    const young = await closed(kernel)
    expect(await sweep(kernel, 0)).toBe(1)
    for (const session_id of [withJob, idle, young]) await kernel.ok("session_summary", { session_id })
    const asked = await kernel.refused("session_summary", { session_id: gone })
    expect(asked).toEqual({
      kind: "unknown_session_id",
      details: { role: "business", reason: "expired", expired_at: expect.any(Number) },
    })
    expect(await kernel.refused("session_summary", { session_id: gone }, { as: bob })).toEqual({
      kind: "unknown_session_id",
      details: { role: "business", reason: "unknown" },
    })
    expect(await sweep(kernel, 0)).toBe(0)
  })

  it("an active one goes after 365 days without a change; its events go with it", async () => {
    await using kernel = await startKernel()
    const id = sessionIdSchema.parse(await kernel.session({}))
    expect(await sweep(kernel, 365 * DAY_MS - 3_600_000)).toBe(0)
    expect(await sweep(kernel, 365 * DAY_MS + 60_000)).toBe(1)
    const [rows, tombstone] = await kernel.store.read(async (tx) => [
      await tx.ledger.all(id),
      await tx.sessions.tombstone(id),
    ])
    expect(rows).toEqual([])
    expect(tombstone).toMatchObject({ sessionId: id })
    expect((await kernel.fails("session_summary", { session_id: id })).http).toBe(404)
  })

  it("one with a call in flight stays", async () => {
    await using kernel = await startKernel()
    const id = sessionIdSchema.parse(await kernel.session({}))
    const call = {
      callId: ids.call(),
      invocationId: ids.invocation(),
      role: "business" as const,
      sessionId: id,
      tool: "t_run",
      instance: ids.instance(),
      startedAt: 1,
    }
    await kernel.store.write((tx) => tx.openCalls.insert([call]))
    expect(await sweep(kernel, 400 * DAY_MS)).toBe(0)
    await kernel.store.write((tx) => tx.openCalls.take([call.callId]))
    expect(await sweep(kernel, 400 * DAY_MS)).toBe(1)
  })

  it("one with a live shell stays, by hand too, until the shell has ended", async () => {
    await using kernel = await startKernel()
    const id = await closed(kernel)
    const shell = aShell({ family: "bound", shellId: ids.boundShell(), sessionId: id, projectPk: ids.projectPk() })
    await kernel.store.write((tx) => tx.shells.insert(shell))
    const expire = () => kernel.store.write((tx) => expireSession(tx, id, 5))
    expect(await sweep(kernel, 400 * DAY_MS)).toBe(0)
    expect(await expire()).toBe("busy")
    await kernel.store.write((tx) =>
      tx.shells.update({ ...shell, state: "closed", reason: "session_closed", closedAt: 9 }, shell),
    )
    expect(await expire()).toBe("expired")
  })

  it("a closed one whose row cannot be read can go by hand: nothing else can be done with it", async () => {
    await using kernel = await startKernel()
    const id = await closed(kernel)
    const database = new Sqlite(path.join(kernel.dataDir, "holdfast.db"))
    database.prepare("update sessions set closed_at = 'never' where session_id = ?").run(id)
    database.close()
    expect((await kernel.fails("session_summary", { session_id: id })).kind).toBe("session_unreadable")
    expect(await kernel.store.write((tx) => expireSession(tx, id, 5))).toBe("expired")
    expect((await kernel.fails("session_summary", { session_id: id })).kind).toBe("unknown_session_id")
  })

  it("a sweep lets 200 go at most, the oldest first, and two sweeps at once let each go once", async () => {
    await using kernel = await startKernel()
    await using other = await startKernel({ beside: kernel })
    for (let count = 0; count < 205; count += 1) await kernel.session({})
    const both = await Promise.all([sweep(kernel, 400 * DAY_MS), sweep(other, 400 * DAY_MS)])
    const left = await kernel.store.read((tx) => tx.sessions.countAllActive())
    expect(both[0] + both[1] + left).toBe(205)
    expect(Math.max(...both)).toBeLessThanOrEqual(200)
    expect(await sweep(kernel, 400 * DAY_MS)).toBe(left)
  })

  it("a server sweeps when it starts, by its own clock", async () => {
    await using kernel = await startKernel()
    kernel.time.offset = -(91 * DAY_MS)
    const id = await closed(kernel)
    kernel.time.offset = 0
    await kernel.startUpkeep()
    await expect.poll(() => kernel.store.read((tx) => tx.sessions.byId(id)), { timeout: 10_000 }).toBeUndefined()
  })

  it("by hand only a closed one in which nothing goes on expires", async () => {
    await using kernel = await startKernel()
    const id = sessionIdSchema.parse(await kernel.session({}))
    const expire = () => kernel.store.write((tx) => expireSession(tx, id, 5))
    expect(await expire()).toBe("active")
    await kernel.ok("close_session", { session_id: id })
    const job = aJob({ sessionId: id })
    await kernel.store.write((tx) => tx.jobs.insert(job))
    expect(await expire()).toBe("busy")
    await kernel.store.write((tx) =>
      tx.jobs.update({ ...job, status: "completed", executionState: "completed", finishedAt: 200 }, job),
    )
    expect(await expire()).toBe("expired")
    await expect(expire()).rejects.toMatchObject({ kind: "unknown_session_id", details: { reason: "expired" } })
  })
})

it("a tombstone keeps the id from ever being given out again", async () => {
  await using kernel = await startKernel()
  const id = await closed(kernel)
  await kernel.store.write((tx) => expireSession(tx, id, 5))
  const repeating = { ...ids, session: () => id }
  await using again = await startKernel({ beside: kernel, ids: repeating })
  expect((await again.fails("start_session", {})).kind).toBe("internal_error")
})
