// `npm run soak -- <minutes> [--count <executions>]`: short executions, 8 at a time, in live shells and as one-shots through a real
// server. Each writes a token of its own into both streams and ends with a code of its own. Reports answers that were lost, mixed or
// invented, and zombies, descriptors, memory and files that are left; any of them but memory makes it fail. Linux only.
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { createClient } from "../../sdk/index.ts"
import { startProcess } from "../support/server-process.ts"
import { openLanes } from "./lanes.ts"
import { endServer, leftovers } from "./remains.ts"
import { growth, type Sample, sample, textOf } from "./sample.ts"
import { createTally } from "./tally.ts"

const SAMPLE_MS = 10_000
/** What ended last is reaped, and a shell that died is back, in a moment. */
const REST_MS = 2_000
/** Enough to fill pools and caches, which are not counted as growth. */
const WARM_UP = 64

const { values, positionals } = parseArgs({ options: { count: { type: "string" } }, allowPositionals: true })
const minutes = Number(positionals[0] ?? "1")
const count = Number(values.count ?? Number.POSITIVE_INFINITY)
if (!(minutes > 0) || !(count > 0)) {
  console.error(
    "Say for how many minutes: npm run soak -- 10, or how many executions: npm run soak -- 60 --count 100000",
  )
  process.exit(2)
}

const env = { HOLDFAST_RATE_LIMIT_PER_MINUTE: "1000000", HOLDFAST_RUNNER_LINGER_MS: "500" }
const server = await startProcess({ env })
const tally = createTally()
const tell = (now: Sample): void => {
  console.log(`${tally.shell} in shells, ${tally.oneShot} one-shots; ${textOf(now)}`)
}
const sampling = setInterval(() => tell(sample(server)), SAMPLE_MS)
try {
  const endsAt = performance.now() + minutes * 60_000
  const client = createClient({ baseUrl: server.url, token: server.token })
  const lanes = await openLanes(client, { project: server.project, tally })
  const stretch = async (executions: number): Promise<Sample> => {
    await lanes.run({ executions, at: endsAt })
    await sleep(REST_MS)
    return sample(server)
  }
  const first = await stretch(Math.min(WARM_UP, count))
  const startedAt = performance.now()
  const last = await stretch(count - tally.executions)
  const seconds = (performance.now() - startedAt - REST_MS) / 1000
  await lanes.close()
  const left = leftovers(server)
  const remains = await endServer(server)
  const faults = [
    ...tally.faults,
    ...growth(first, last),
    ...left.map((name) => `Left in the runtime directory: ${name}`),
    ...remains,
  ]
  console.log(`first: ${textOf(first)}\nlast:  ${textOf(last)}`)
  for (const fault of faults) console.log(fault)
  console.log(
    `${tally.executions} executions (${tally.shell} in shells, ${tally.oneShot} one-shots) in ${seconds.toFixed(0)} s: ` +
      `${tally.wrong} wrong, ${tally.failed} failed, ${last.zombies} zombies, ${left.length} files left`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  clearInterval(sampling)
  await server[Symbol.asyncDispose]()
}
