import { createHarness } from "../../support/harness.ts"
import { longTool } from "./long-tool.ts"

// Makes one recorded call whose handler waits for a line on stdin, and tells its reply.
const [home = "", dataDir = "", session_id = ""] = process.argv.slice(2)
const goOn = new Promise((resolve) => process.stdin.once("data", resolve))
const harness = await createHarness({ beside: { home, dataDir }, tools: [longTool(() => console.log("inside"), goOn)] })
await harness.startUpkeep()
const { result } = await harness.call("t_long", { session_id })
console.log(JSON.stringify(result))
process.exit(0)
