// Both ports of a Runner host of its own, used from a process with `<MB>` of memory. Its parent asks: `run` runs `true`; `start`,
// `spawn` and `open` answer for how many milliseconds this process's loop was held up by starting `true` at the port or directly, or
// by opening a live shell.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { z } from "zod"
import { ballastOf } from "../ballast.ts"
import { openShell, startSocketHost } from "../hosts.ts"
import { makePlace } from "../place.ts"
import { portRuns } from "../port-runs.ts"
import { withBench } from "../scope.ts"
import { report } from "./report.ts"

const ballast = ballastOf(Number(process.argv[2] ?? "50"))

/** How long the loop is busy until the work is done. */
async function heldUp<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const before = performance.eventLoopUtilization()
  const result = await work()
  return { ms: performance.eventLoopUtilization(before).active, result }
}

await withBench(false, async (bench) => {
  const place = await makePlace(bench)
  const host = await startSocketHost(bench, place)
  const runs = await portRuns(host, place.directory)
  const answers = {
    async run() {
      await runs.run()
      return 0
    },
    async start() {
      const { ms, result } = await heldUp(runs.start)
      await runs.finish(result)
      return ms
    },
    async spawn() {
      const startedAt = performance.now()
      const child = spawn("true", { stdio: "ignore" })
      const ms = performance.now() - startedAt
      await once(child, "exit")
      return ms
    },
    async open() {
      const { ms, result } = await heldUp(() => openShell(host))
      await result.close()
      return ms
    },
  }
  const verbSchema = z.enum(["run", "start", "spawn", "open"])
  process.on("message", (message) => {
    void answers[verbSchema.parse(message)]().then((ms) => process.send?.(ms))
  })
  const asked = once(process, "SIGTERM")
  report({ ballast: ballast.length })
  await asked
})
process.exit(0)
