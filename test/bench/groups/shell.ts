import { ask, startHttpChild } from "../children.ts"
import { createHttpClient } from "../http-client.ts"
import { interleave } from "../measure.ts"
import { makePlace } from "../place.ts"
import { startProduct } from "../product-child.ts"
import { atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"

/** A command through HTTP against a no-op call and a raw spawn of the same (spec exec-and-jobs.md §14). */
export async function shellRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const product = await startProduct(bench, place, { sessions: 1 })
  const spawner = await startHttpChild(bench, "spawn-floor.ts")
  const client = createHttpClient()
  bench.undo(() => client.close())
  const commandRow = async (command: string): Promise<{ readonly subject: number; readonly floor: number }> => {
    const run = product.call("run_shell", { project: product.project, command })
    const noop = product.call("bench_echo", { text: command })
    const { subject, ...parts } = await interleave(
      {
        subject: () => client.send(run).then(requireExit),
        noop: () => client.send(noop),
        spawn: () => ask(spawner.child, JSON.stringify(["bash", "-c", command])),
      },
      { rounds: bench.count(200) },
    )
    return { subject, floor: parts.noop + parts.spawn }
  }
  return [
    { name: "HTTP: run_shell true", unit: "ms", ...(await commandRow("true")), target: atMost(1.5) },
    { name: "HTTP: run_shell 'echo hi'", unit: "ms", ...(await commandRow("echo hi")), target: atMost(1.5) },
  ]
}

function requireExit(text: string): void {
  if (!text.includes('"exit_code":0')) throw new Error(`A command did not end well: ${text.slice(0, 300)}`)
}
