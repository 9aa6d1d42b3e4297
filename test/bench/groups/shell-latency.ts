import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { constants, openSync } from "node:fs"
import { Socket } from "node:net"
import path from "node:path"
import { ask, startHttpChild } from "../children.ts"
import { type BenchHost, openShell, startSocketHost } from "../hosts.ts"
import { interleave, interleaveValues } from "../measure.ts"
import { makePlace, type Place } from "../place.ts"
import { loadControlReduction } from "../product.ts"
import { atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { sinceStamp, stampIn, stampsIn } from "../stamps.ts"
import { median } from "../stats.ts"

const LINES = 20
/** Each line is the moment at which it was written. */
const TELLING = `for line in {1..${LINES}}; do sleep 0.01; echo $EPOCHREALTIME; done`

const [ESCAPE, NUL, BACKSPACE] = ["\u001b", "\u0000", "\b"]
const CONTROLS = new RegExp(`${ESCAPE}\\[[0-?]*[ -/]*[@-~]|\\r(?!\\n)|[${NUL}-${BACKSPACE}]`, "g")

/** How soon what a child writes is seen, what an open costs its server, and reduction (spec shells.md §18). */
export async function shellLatencyRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const host = await startSocketHost(bench, place)
  const shell = await openShell(host)
  const latency = await interleaveValues(
    { subject: () => followed(host, shell), floor: () => rawLatency(place) },
    { rounds: bench.count(100) },
  )
  const large = await startHttpChild(bench, "port-client.ts", { args: ["1024"] })
  const held = await interleaveValues(
    {
      subject: async () => Number(await ask(large.child, "open")),
      floor: async () => Number(await ask(large.child, "spawn")),
    },
    { rounds: bench.count(200) },
  )
  return [
    { name: "from a child's write to its subscriber, through the socket", unit: "ms", ...latency, target: atMost(3) },
    { name: "loop held up by an open, 1 GB heap", unit: "ms", ...held, target: atMost(1 / 20) },
    await reductionRow(bench),
  ]
}

/** Median of one command whose output somebody follows. */
async function followed({ jobs }: BenchHost, shell: Awaited<ReturnType<typeof openShell>>): Promise<number> {
  const jobId = await shell.begin(TELLING)
  const seen: number[] = []
  let from = 0
  for (let revision = 0; ; ) {
    const facts = await jobs.watch(jobId, { from: revision, until: "change", reading: { stdout: from, stderr: 0 } })
    const page = facts?.ahead?.stdout ?? (await jobs.read(jobId, "stdout", { from, max: 4096 }))
    if (facts === undefined || page === undefined) throw new Error("The command is not known any more.")
    revision = facts.revision
    from += page.bytes.length
    for (const stamp of stampsIn(Buffer.from(page.bytes).toString())) seen.push(sinceStamp(stamp))
    if (facts.state === "ended" && from === page.total) break
  }
  await jobs.ack([jobId])
  if (seen.length !== LINES) throw new Error(`${seen.length} of ${LINES} lines came.`)
  return median(seen)
}

async function rawLatency(place: Place): Promise<number> {
  const fifo = path.join(place.home, `fifo-${performance.now()}`)
  execFileSync("mkfifo", [fifo])
  const socket = new Socket({ fd: openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK), readable: true })
  const seen: number[] = []
  socket.on("data", (chunk) => {
    seen.push(sinceStamp(stampIn(chunk.toString())))
  })
  const child = spawn("bash", ["-c", `exec > ${fifo}; ${TELLING}`], { stdio: "ignore" })
  await Promise.all([once(child, "exit"), once(socket, "end")])
  socket.destroy()
  return median(seen)
}

async function reductionRow(bench: Bench): Promise<Row> {
  const { ControlReducer } = await loadControlReduction()
  const text = progressText(1_048_576)
  const p50 = await interleave(
    {
      subject() {
        const reducer = new ControlReducer()
        return reducer.push(text) + reducer.end()
      },
      floor: () => text.replace(CONTROLS, ""),
    },
    { rounds: bench.count(300) },
  )
  return { name: "control reduction of 1 MiB of progress", unit: "ms", ...p50, target: atMost(4) }
}

/** What a download shows: a bar that is drawn again and again, and now and then a line. */
function progressText(length: number): string {
  let text = ""
  for (let step = 0; text.length < length; step++) {
    const bar = "#".repeat(step % 40).padEnd(40)
    text += `\r\u001b[2K\u001b[32m${bar}\u001b[0m ${step % 100}% of package-${step}`
    if (step % 40 === 39) text += `\r\n\u001b[1mfetched package-${step}\u001b[0m\n`
  }
  return text.slice(0, length)
}
