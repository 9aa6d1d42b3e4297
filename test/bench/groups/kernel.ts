import { randomBytes } from "node:crypto"
import { local } from "../../support/callers.ts"
import { interleave } from "../measure.ts"
import { makePlace } from "../place.ts"
import { loadHoldfast } from "../product.ts"
import { atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { benchTools, echoTool } from "../tools.ts"

const BATCH = 50

/** `kernel.call` of a no-op, and the in-process client above it (spec kernel.md §18, doors.md §11). */
export async function kernelRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const { createHoldfast } = await loadHoldfast()
  const holdfast = await createHoldfast({ dataDir: place.dataDir("kernel"), tools: benchTools })
  bench.undo(() => holdfast.close())
  const text = "x".repeat(100)
  const { kernel, client } = holdfast
  const call = (tool: string, input: object) =>
    kernel.call({ tool, input, caller: local, door: "embedded", request: { id: "bench", deadlineMs: 40_000 } })
  const bare = async (): Promise<string> => {
    const input = echoTool.input.parse({ text })
    randomBytes(16)
    randomBytes(16)
    const output: unknown = { text: input.text }
    return JSON.stringify({ success: true, output: echoTool.output.parse(output) })
  }
  const noop = await interleave(
    { subject: times(() => call("bench_echo", { text })), floor: times(bare) },
    { rounds: bench.count(1000), batch: BATCH },
  )
  const embedded = await interleave(
    { subject: times(() => client.tools.list_projects()), floor: times(() => call("list_projects", {})) },
    { rounds: bench.count(80), batch: BATCH },
  )
  return [
    { name: "kernel.call: no-op, nothing recorded", unit: "ms", ...noop, target: atMost(3) },
    { name: "In-process client: list_projects", unit: "ms", ...embedded, target: atMost(1.1) },
  ]
}

function times(work: () => Promise<unknown>) {
  return async (): Promise<void> => {
    for (let done = 0; done < BATCH; done++) await work()
  }
}
