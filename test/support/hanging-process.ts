import { createHarness } from "./harness.ts"
import { createTestTools } from "./test-tools.ts"

/** A server process that a test kills in the middle of its calls: `node hanging-process.ts <home> <data dir>`. */
const [home = "", dataDir = ""] = process.argv.slice(2)
const tools = createTestTools()
const harness = await createHarness({ tools: tools.definitions, beside: { home, dataDir } })
await harness.startUpkeep()
const sessions = [await harness.session(), await harness.session(), await harness.session()] as const
const [observed, stored, executed] = sessions
const hanging = [
  harness.call("t_wait", { session_id: observed, ms: 60_000 }),
  harness.call("t_commit", { session_id: stored, ms: 60_000 }),
  harness.call("t_run", { session_id: executed, ms: 60_000 }),
]
while (tools.entered("t_wait") + tools.entered("t_commit") + tools.entered("t_run") < hanging.length)
  await new Promise((resolve) => setTimeout(resolve, 20))
console.log(JSON.stringify(sessions))
await Promise.all(hanging)
