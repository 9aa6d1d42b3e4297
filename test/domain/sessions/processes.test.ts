import { execFile } from "node:child_process"
import path from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { createIds } from "../../../core/kernel/ids.ts"
import { accepted, decideStart } from "../../../core/sessions/rules.ts"
import { openTestStore } from "../ledger/stored.ts"

const run = promisify(execFile)
const WORKER = path.join(import.meta.dirname, "append-worker.ts")

it("S36: ten processes append to one Session without gap, double or lock error", { timeout: 120_000 }, async () => {
  await using stored = await openTestStore()
  const sessionId = createIds().session()
  const command = { sessionId, ownerFingerprint: "0".repeat(64), at: 1 }
  const session = accepted(decideStart(command, { active: 0, max: 10 }))
  await stored.store.write((tx) => tx.sessions.insert(session))
  const workers = Array.from({ length: 10 }, () => run(process.execPath, [WORKER, stored.dataDir, sessionId, "100"]))
  await Promise.all(workers)
  const events = await stored.store.read((tx) => tx.ledger.all(sessionId))
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 2_000 }, (_, index) => index + 1))
  const starts = events.filter((event) => event.kind === "tool_call_started")
  const finishes = new Map(
    events.flatMap((event) => (event.kind === "tool_call_finished" ? [[event.call_id, event.started_seq]] : [])),
  )
  expect([starts.length, finishes.size]).toEqual([1_000, 1_000])
  expect(starts.every((start) => finishes.get(start.call_id) === start.seq)).toBe(true)
})
