// Posts to a board when it is told to: `<data directory> <session>`. It answers with the monotonic clock of the machine, in ms, at
// the commit's reply.
import { openBoardCalls } from "../board-calls.ts"
import { withBench } from "../scope.ts"
import { report } from "./report.ts"

const [dataDir = "", session_id = ""] = process.argv.slice(2)
await withBench(false, async (bench) => {
  const calls = await openBoardCalls(bench, dataDir)
  process.on("message", async () => {
    await calls.post({ session_id, kind: "note", message: "news" })
    process.send?.(Number(process.hrtime.bigint()) / 1e6)
  })
  report({ port: 0 })
  await new Promise(() => undefined)
})
