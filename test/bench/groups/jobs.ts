import { spawn } from "node:child_process"
import { once } from "node:events"
import { ask, startHttpChild } from "../children.ts"
import { startSocketHost } from "../hosts.ts"
import { createHttpClient } from "../http-client.ts"
import { interleave, interleaveValues, throughput } from "../measure.ts"
import { makePlace } from "../place.ts"
import { portRuns } from "../port-runs.ts"
import { startProduct } from "../product-child.ts"
import { aboveFloor, atLeast, atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { sinceStamp, stampIn } from "../stamps.ts"

const SMALL_MB = "50"
const LARGE_MB = "1024"

/** One-shots at the port, from small and large processes (spec exec-and-jobs.md §14). */
export async function jobRows(bench: Bench): Promise<readonly Row[]> {
  const small = await startHttpChild(bench, "port-client.ts", { args: [SMALL_MB] })
  const large = await startHttpChild(bench, "port-client.ts", { args: [LARGE_MB] })
  const spawner = await startHttpChild(bench, "spawn-floor.ts", { args: [SMALL_MB] })
  const run = await interleave(
    {
      small: () => ask(small.child, "run"),
      large: () => ask(large.child, "run"),
      floor: () => ask(spawner.child, JSON.stringify(["true"])),
    },
    { rounds: bench.count(300) },
  )
  const held = await interleaveValues(
    {
      subject: async () => Number(await ask(large.child, "start")),
      floor: async () => Number(await ask(large.child, "spawn")),
    },
    { rounds: bench.count(300) },
  )
  return [
    { name: "run_process true at the port", unit: "ms", subject: run.small, floor: run.floor, target: atMost(1.6) },
    {
      name: "run_process true at the port, 1 GB heap against 50 MB",
      unit: "ms",
      subject: run.large,
      floor: run.small,
      target: atMost(1.1),
    },
    { name: "loop held up by a start, 1 GB heap", unit: "ms", ...held, target: atMost(1 / 20) },
    await throughputRow(bench),
    await replyRow(bench),
  ]
}

async function throughputRow(bench: Bench): Promise<Row> {
  const place = await makePlace(bench)
  const runs = await portRuns(await startSocketHost(bench, place), place.directory)
  const rates = await throughput(
    { subject: runs.run, floor: () => once(spawn("true", { stdio: ["ignore", "pipe", "pipe"] }), "close") },
    { turns: 5, count: bench.count(400), width: 8 },
  )
  return { name: "run_process true, 8-way", unit: "calls/s", ...rates, target: atLeast(0.6) }
}

/** Says when it ends, as its last word. */
const TELLING = "sleep 0.02; echo $EPOCHREALTIME"

/** From the end of a process to the answer of the call that waits for it. */
async function replyRow(bench: Bench): Promise<Row> {
  const place = await makePlace(bench)
  const product = await startProduct(bench, place, { sessions: 1 })
  const client = createHttpClient()
  bench.undo(() => client.close())
  const call = product.call("run_shell", { project: product.project, command: TELLING, shell: "bash" })
  const latency = await interleaveValues(
    {
      subject: async () => {
        const reply = await client.send(call)
        return sinceStamp(stampIn(reply))
      },
      floor: async () => {
        const child = spawn("bash", ["-c", TELLING], { stdio: ["ignore", "pipe", "ignore"] })
        let text = ""
        child.stdout.on("data", (chunk) => {
          text += chunk
        })
        const closed = once(child, "close")
        await once(child, "exit")
        const now = performance.now()
        await closed
        return sinceStamp(stampIn(text), now)
      },
    },
    { rounds: bench.count(200) },
  )
  return { name: "from the end of a process to the reply over HTTP", unit: "ms", ...latency, target: aboveFloor(10) }
}
