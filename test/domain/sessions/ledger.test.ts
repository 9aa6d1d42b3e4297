import path from "node:path"
import Database from "better-sqlite3"
import { expect, it } from "vitest"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import { ids } from "../../contract/store-fixtures.ts"
import { finishedDraft } from "../ledger/drafts.ts"
import { startKernel } from "./kernel-under-test.ts"

it("S25: a pair of one invocation that ended differently in its two roles is two calls", async () => {
  await using kernel = await startKernel()
  const session_id = await kernel.session({})
  const invocation_id = ids.invocation()
  const ledger = createLedger({ ids, redact: (text) => text })
  const failed = { status: "failed" as const, error: { kind: "internal_error", recovery: "none" } }
  await kernel.store.write((tx) =>
    ledger.append(tx, sessionIdSchema.parse(session_id), [
      finishedDraft({ invocation_id, role: "recorder", ...failed }),
      finishedDraft({ invocation_id, role: "business" }),
    ]),
  )
  expect(await kernel.ok("session_summary", { session_id })).toMatchObject({
    counts: { tool_calls: 2, succeeded: 1, failed: 1 },
  })
})

it("S28: of 2,500 events the newest 2,000 are retained, without gap", { timeout: 120_000 }, async () => {
  await using kernel = await startKernel()
  await kernel.project("a")
  const session_id = await kernel.session({ project: "a" })
  const context = { project: "a", session_id, execution_context: { default_cwd: "src" } }
  await kernel.ok("update_session_context", context)
  for (let read = 0; read < 1_249; read += 1) await kernel.ok("t_read", { session_id })
  expect(await kernel.ok("session_summary", { session_id, limit: 0 })).toMatchObject({
    events_total: 2_500,
    events_retained: 2_000,
    events_evicted: 500,
    ledger_first_retained_sequence: 501,
    counts: { tool_calls: 1_000 },
  })
  const seqs = (await kernel.events(session_id)).map(({ seq }) => seq)
  expect(seqs).toEqual(Array.from({ length: 2_000 }, (_, index) => 501 + index))
})

it("S31: an edit stays known after its events were evicted and the server was started again", async () => {
  await using kernel = await startKernel({ sessionLimits: { retainedEvents: 4 } })
  await kernel.project("a")
  const session_id = await kernel.session({ project: "a" })
  await kernel.ok("t_edit", { session_id, paths: ["f"] })
  for (let read = 0; read < 6; read += 1) await kernel.ok("t_read", { session_id })
  await using again = await startKernel({ beside: kernel })
  const summary = await again.ok("session_summary", { session_id })
  expect(summary).toMatchObject({ repository_edited: true, events_total: 15, events_retained: 4 })
  expect(summary.counts).toMatchObject({ by_activity: { edit: 0 } })
})

it.each([
  ["no JSON", "payload = '{'"],
  ["another member", "payload = json_set(payload, '$.extra', 1)"],
  ["another status", "status = null"],
])(
  "S42: a row with %s is unreadable, counted as that and nothing else, and its neighbours are served",
  async (_, change) => {
    await using kernel = await startKernel()
    const session_id = await kernel.session({})
    for (let read = 0; read < 3; read += 1) await kernel.ok("t_read", { session_id })
    const before = await kernel.ok("session_summary", { session_id })
    expect(before).toMatchObject({ unreadable_events: 0, counts: { tool_calls: 3 } })
    const database = new Database(path.join(kernel.dataDir, "holdfast.db"))
    database.pragma("ignore_check_constraints = ON")
    expect(database.prepare(`update session_events set ${change} where seq = 5`).run().changes).toBe(1)
    database.close()
    const after = await kernel.ok("session_summary", { session_id })
    expect(after).toMatchObject({ unreadable_events: 1, events_retained: 7, counts: { tool_calls: 2, succeeded: 2 } })
    const all = (summary: typeof after) => (Array.isArray(summary.events) ? summary.events : [])
    const shown = all(after).find(({ seq }) => seq === 5)
    expect(shown).toEqual({ kind: "unreadable", seq: 5, event_id: expect.stringMatching(/^evt_/) })
    expect(all(after).filter(({ seq }) => seq !== 5)).toEqual(all(before).filter(({ seq }) => seq !== 5))
  },
)
