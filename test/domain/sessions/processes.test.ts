import { execFile } from "node:child_process"
import path from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { startKernel } from "./kernel-under-test.ts"
import { checkSession } from "./session-invariants.ts"

const run = promisify(execFile)
const READER = path.join(import.meta.dirname, "reading-process.ts")
const PROCESSES = 10
const READS = 100

it("S36: ten processes record reads in one Session without gap, double or lock error", {
  timeout: 180_000,
}, async () => {
  await using kernel = await startKernel({ sessionLimits: { retainedEvents: 10_000 } })
  const session_id = await kernel.session({})
  const args = ["--no-warnings", READER, kernel.home, kernel.dataDir, session_id, String(READS)]
  await Promise.all(Array.from({ length: PROCESSES }, () => run(process.execPath, args)))
  const calls = PROCESSES * READS
  expect(await kernel.ok("session_summary", { session_id, limit: 0 })).toMatchObject({
    events_total: 2 * calls + 1,
    counts: { tool_calls: calls, succeeded: calls },
    open_calls: { total: 0 },
  })
  await checkSession(kernel, session_id, 10_000)
})
