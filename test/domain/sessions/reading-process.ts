import { createHarness } from "../../support/harness.ts"
import { workTools } from "./work-tools.ts"

/** One of many processes that record reads in one Session: `<home> <data directory> <session> <count>`. */
const [home = "", dataDir = "", session_id = "", count = "0"] = process.argv.slice(2)
const place = { home, dataDir }
const harness = await createHarness({ beside: place, tools: workTools, sessionLimits: { retainedEvents: 10_000 } })
for (let read = 0; read < Number(count); read += 1) {
  const { result } = await harness.call("t_read", { session_id })
  if (result.attached?.session_record?.recorded !== true) throw new Error(JSON.stringify(result))
}
await harness[Symbol.asyncDispose]()
