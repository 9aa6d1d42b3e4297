// Waiters in a process of their own: `<data directory> <count> <ms>`. It says what each holds of the heap, in bytes, and how much
// CPU time the process takes in so many ms of rest without and with them. Needs `--expose-gc`.
import { local } from "../../support/callers.ts"
import { loadHoldfast } from "../product.ts"
import { report } from "./report.ts"

const [dataDir = "", count = "0", restMs = "0"] = process.argv.slice(2)
const { createHoldfast } = await loadHoldfast()
const holdfast = await createHoldfast({ dataDir, env: process.env })
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function call(tool: string, input: object): Promise<Record<string, unknown>> {
  const request = { id: "bench", deadlineMs: 65_000 }
  const { result } = await holdfast.kernel.call({ tool, input, caller: local, door: "embedded", request })
  if (!result.success) throw new Error(result.error.message)
  return { ...result.output }
}

async function heapInUse(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    await later(50)
    global.gc?.()
  }
  return process.memoryUsage().heapUsed
}

async function cpuAtRest(): Promise<number> {
  const before = process.cpuUsage()
  await later(Number(restMs))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const boards: { session_id: unknown; after_observation_token: unknown }[] = []
for (let made = 0; made < Number(count); made++) {
  const { session_id } = await call("start_session", {})
  const { observation_token } = await call("observe_session_messages", { session_id })
  boards.push({ session_id, after_observation_token: observation_token })
}
const wait = (seconds: number) => (board: object) => call("observe_session_messages", { ...board, wait_secs: seconds })
// Once before, so that what is made at first use is not counted.
await Promise.all(boards.slice(0, 20).map(wait(1)))
const heapBefore = await heapInUse()
const cpuBefore = await cpuAtRest()
const waits = Promise.all(boards.map(wait(60)))
const heap = (await heapInUse()) - heapBefore
const cpu = await cpuAtRest()
report({ port: 0, bytesEach: heap / boards.length, cpuBefore, cpu })
await waits
