import { local } from "../../support/callers.ts"
import { ask, startHttpChild } from "../children.ts"
import { makePlace, type Place, seedDataDir } from "../place.ts"
import { loadHoldfast } from "../product.ts"
import { aboveFloor, limit, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { quantile } from "../stats.ts"

const WAITERS = 1_000

/** How soon waits of the board end, and what a thousand of them cost (spec messages.md §12). */
export async function waitRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  return [...(await wakeRows(bench, place)), ...(await restRows(bench, place))]
}

const now = (): number => Number(process.hrtime.bigint()) / 1e6

async function wakeRows(bench: Bench, place: Place): Promise<readonly Row[]> {
  const { dataDir, sessions } = await seedDataDir(place, "wake")
  const [session_id = ""] = sessions
  const { createHoldfast } = await loadHoldfast()
  const holdfast = await createHoldfast({ dataDir, env: process.env })
  bench.undo(() => holdfast.close())
  const { child: writer } = await startHttpChild(bench, "board-writer.ts", { args: [dataDir, session_id] })
  const call = async (tool: string, input: object): Promise<string> => {
    const request = { id: "bench", deadlineMs: 65_000 }
    const { result } = await holdfast.kernel.call({ tool, input, caller: local, door: "embedded", request })
    return JSON.stringify(result)
  }
  /** Ms from the reply of a post to the reply of who waits for it. */
  const latency = async (post: () => Promise<number>): Promise<number> => {
    const baseline = await call("observe_session_messages", { session_id })
    const after_observation_token = /"observation_token":"([^"]+)"/.exec(baseline)?.[1]
    const woken = call("observe_session_messages", { session_id, after_observation_token, wait_secs: 30 }).then(now)
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 100))
    const postedAt = await post()
    return Math.max(0, (await woken) - postedAt)
  }
  const here: number[] = []
  const elsewhere: number[] = []
  for (let round = 0; round < bench.count(300); round++) {
    here.push(
      await latency(async () => {
        await call("post_session_message", { session_id, kind: "note", message: "news" })
        return now()
      }),
    )
    elsewhere.push(await latency(async () => Number(await ask(writer, "post"))))
  }
  return [
    { name: "Board: a wait ends after a post here, p95", unit: "ms", subject: quantile(here, 0.95), target: limit(10) },
    {
      name: "Board: a wait ends after a post of another process, p95",
      unit: "ms",
      subject: quantile(elsewhere, 0.95),
      target: limit(120),
    },
  ]
}

async function restRows(bench: Bench, place: Place): Promise<readonly Row[]> {
  const restMs = bench.count(10_000)
  const { facts } = await startHttpChild(bench, "waiters.ts", {
    args: [place.dataDir("waiters"), String(WAITERS), String(restMs)],
    nodeArgs: ["--expose-gc"],
  })
  return [
    {
      name: "Board: heap of one of 1,000 waiting calls",
      unit: "bytes",
      subject: Number(facts.bytesEach),
      target: limit(4_096),
    },
    {
      name: "Board: CPU of 1,000 waiting calls a second",
      unit: "ms",
      subject: (Number(facts.cpu) / restMs) * 1_000,
      floor: (Number(facts.cpuBefore) / restMs) * 1_000,
      // 2 % of a core.
      target: aboveFloor(20),
    },
  ]
}
