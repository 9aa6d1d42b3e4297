import path from "node:path"
import Database from "better-sqlite3"
import { describe, expect, it } from "vitest"
import { authorityFingerprint } from "../../../core/access/principal.ts"
import { aSession } from "../../contract/store-fixtures.ts"
import { alice, bob } from "../../support/callers.ts"
import type { CallOptions } from "../../support/harness.ts"
import { type KernelUnderTest, startKernel } from "./kernel-under-test.ts"

interface Page {
  readonly sessions: readonly Record<string, unknown>[]
  readonly total: unknown
  readonly next_cursor?: unknown
}

async function page(kernel: KernelUnderTest, input: object = {}, how: CallOptions = {}): Promise<Page> {
  const { sessions, ...rest } = await kernel.ok("list_sessions", input, how)
  return { total: rest.total, ...rest, sessions: Array.isArray(sessions) ? sessions : [] }
}

/** Every page to the end. */
async function pages(kernel: KernelUnderTest, input: object, how: CallOptions = {}): Promise<readonly Page[]> {
  const all = [await page(kernel, input, how)]
  for (let last = all[0]; last?.next_cursor !== undefined; last = all.at(-1)) {
    all.push(await page(kernel, { ...input, cursor: last.next_cursor }, how))
  }
  return all
}

const ids = (...of: readonly Page[]): unknown[] =>
  of.flatMap(({ sessions }) => sessions.map(({ session_id }) => session_id))

describe("list_sessions", () => {
  it("S38: pages are by newest change, each Session on exactly one; without a project all of them, own ones only", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    for (let count = 0; count < 120; count += 1) {
      kernel.time.offset = (count % 40) * 1_000
      await kernel.session({ project: "a" })
    }
    for (let count = 0; count < 5; count += 1) await kernel.session({})
    for (let count = 0; count < 3; count += 1) await kernel.session({ project: "a" }, { as: bob })
    const all = await pages(kernel, { project: "a", limit: 50 })
    expect(all.map(({ sessions }) => sessions.length)).toEqual([50, 50, 20])
    expect(new Set(ids(...all)).size).toBe(120)
    const times = all.flatMap(({ sessions }) => sessions.map(({ updated_at }) => Number(updated_at)))
    expect(times).toEqual([...times].sort((one, other) => other - one))
    expect((await page(kernel, { limit: 1 })).total).toBe(125)
    expect(await page(kernel, { project: "a", limit: 50 }, { as: bob })).toMatchObject({ total: 3 })
  })

  it("equal times are ordered by id, and a page may begin between them", async () => {
    await using kernel = await startKernel()
    const ownerFingerprint = authorityFingerprint({ kind: "user", id: "alice" })
    const made = Array.from({ length: 7 }, (_, index) =>
      aSession({ ownerFingerprint, lifecycle: index % 2 === 0 ? "active" : "closed" }),
    )
    await kernel.store.write(async (tx) => {
      for (const session of made) await tx.sessions.insert(session)
    })
    const sorted = made.map(({ sessionId }) => sessionId).sort()
    expect(ids(...(await pages(kernel, { limit: 2 })))).toEqual(sorted)
    const closed = await pages(kernel, { limit: 1, lifecycle: "closed" })
    expect(closed.map(({ total }) => total)).toEqual([3, 3, 3])
  })

  it("a cursor belongs to its filters and its caller; a damaged one is refused", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    for (let count = 0; count < 3; count += 1) await kernel.session({ project: "a" })
    const { next_cursor: cursor } = await page(kernel, { project: "a", limit: 1 })
    expect(String(cursor).length).toBeLessThanOrEqual(256)
    const refused = async (input: object, how: CallOptions = {}) => await kernel.refused("list_sessions", input, how)
    const damaged = { kind: "invalid_arguments", details: { field: "cursor" } }
    expect(await refused({ cursor, limit: 1 })).toMatchObject(damaged)
    expect(await refused({ project: "a", lifecycle: "active", cursor })).toMatchObject(damaged)
    expect(await refused({ project: "a", cursor }, { as: bob })).toMatchObject(damaged)
    expect(await refused({ project: "a", cursor: `${String(cursor).slice(0, -3)}AAA` })).toMatchObject(damaged)
    expect(await refused({ project: "a", cursor: "x" })).toMatchObject(damaged)
    expect((await refused({ limit: 51 })).kind).toBe("invalid_arguments")
    expect((await refused({ limit: 0 })).kind).toBe("invalid_arguments")
    expect(ids(await page(kernel, { project: "a", limit: 50, cursor }))).toHaveLength(2)
  })

  it("a caller sees only Projects that it may access, and project-less Sessions", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    await kernel.project("b")
    const [, inB, free] = [
      await kernel.session({ project: "a" }),
      await kernel.session({ project: "b" }),
      await kernel.session({}),
    ]
    const as = { ...alice, projects: ["b"] }
    const seen = await page(kernel, {}, { as })
    expect(ids(seen).sort()).toEqual([inB, free].sort())
    expect(seen.total).toBe(2)
    expect((await kernel.refused("list_sessions", { project: "a" }, { as })).kind).toBe("project_not_found")
  })

  it("a Session of an ended registration is shown with its last slug, and not under a new one", async () => {
    await using kernel = await startKernel()
    const { root } = await kernel.project("a")
    const old = await kernel.session({ project: "a", title: "old" })
    await kernel.ok("unregister_project", { project: "a", expected_revision: 1, confirm: true })
    const [shown] = (await page(kernel)).sessions
    expect(shown).toEqual({
      session_id: old,
      project: "a",
      project_unregistered: true,
      title: "old",
      lifecycle: "active",
      mode: "normal",
      created_at: shown?.created_at,
      updated_at: shown?.updated_at,
      events_total: 1,
      open_counts: { guidance: 0, question: 0, todo: 0, risk: 0 },
      ack_required_open: 0,
    })
    expect(root).toContain("a")
  })

  it("a damaged Session is listed as unreadable and answers session_unreadable to everything else", async () => {
    await using kernel = await startKernel()
    const id = await kernel.session({ title: "t" })
    const database = new Database(path.join(kernel.dataDir, "holdfast.db"))
    expect(database.prepare("update sessions set created_at = 'x'").run().changes).toBe(1)
    database.close()
    expect(await page(kernel)).toEqual({ sessions: [{ session_id: id, lifecycle: "unreadable" }], total: 1 })
    for (const tool of ["session_summary", "close_session"]) {
      expect((await kernel.refused(tool, { session_id: id })).kind).toBe("session_unreadable")
    }
  })

  it("a small reply holds fewer Sessions and the next page has the others", async () => {
    await using kernel = await startKernel()
    for (let count = 0; count < 12; count += 1) await kernel.session({ title: "t".repeat(200) })
    const all: Page[] = []
    let cursor: unknown
    do {
      const next: Page = await page(
        kernel,
        { limit: 50, ...(cursor === undefined ? {} : { cursor }) },
        { replyLimit: 3_000 },
      )
      expect(next.sessions.length).toBeLessThan(12)
      all.push(next)
      cursor = next.next_cursor
    } while (cursor !== undefined)
    expect(new Set(ids(...all)).size).toBe(12)
  })
})
