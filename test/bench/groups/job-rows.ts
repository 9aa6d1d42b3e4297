import path from "node:path"
import { endHosts } from "../../support/runner-hosts.ts"
import { type HttpChild, startHttpChild } from "../children.ts"
import { type Embedded, startEmbedded } from "../embedded.ts"
import { createHttpClient, type Prepared } from "../http-client.ts"
import { interleave, interleaveValues } from "../measure.ts"
import { makePlace, type Place } from "../place.ts"
import { aboveFloor, atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"
import { fillJobs } from "../seed.ts"

const RUNNING = 50
const TERMINAL = 1_000

/** What stored Jobs cost a start and a restart (spec exec-and-jobs.md §14). */
export async function jobRowRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  return [await startRow(bench, place), await restartRow(bench, place)]
}

async function startRow(bench: Bench, place: Place): Promise<Row> {
  const many = bench.count(20_000)
  const few = await startEmbedded(bench, place, "few")
  const seeded = await startEmbedded(bench, place, "many")
  const run = (product: Embedded) => product.call("run_process", { project: product.project, executable: "true" })
  for (let made = 0; made < 10; made++) {
    await run(few)
    await run(seeded)
  }
  await seeded.close()
  fillJobs(path.join(place.dataDir("many"), "holdfast.db"), many)
  const full = await startEmbedded(bench, place, "many")
  const p50 = await interleave({ subject: () => run(full), floor: () => run(few) }, { rounds: bench.count(300) })
  return { name: `run_process true with ${many} Jobs stored, against 10`, unit: "ms", ...p50, target: atMost(1.2) }
}

async function restartRow(bench: Bench, place: Place): Promise<Row> {
  const empty = await startRestarting(bench, place, { name: "empty", running: 0 })
  const full = await startRestarting(bench, place, { name: "full", running: RUNNING })
  fillJobs(path.join(place.dataDir("full"), "holdfast.db"), TERMINAL)
  const rounds = { rounds: bench.quick ? 3 : 9, warmup: 1 }
  const p50 = await interleaveValues({ subject: full, floor: empty }, rounds)
  return {
    name: `restart to the first job_status, ${TERMINAL} ended and ${RUNNING} running Jobs`,
    unit: "ms",
    ...p50,
    target: aboveFloor(100),
  }
}

/**
 * A server that was killed while its first Job had ended and so many more ran: what comes back starts it again, takes the
 * milliseconds to the answer of `job_status`, and kills it again.
 */
async function startRestarting(
  bench: Bench,
  place: Place,
  { name, running }: { readonly name: string; readonly running: number },
): Promise<() => Promise<number>> {
  const dataDir = place.dataDir(name)
  const client = createHttpClient()
  bench.undo(() => client.close())
  bench.undo(() => endHosts(dataDir))
  let server: HttpChild | undefined
  const start = async (): Promise<HttpChild> => {
    server = await startHttpChild(bench, "product-http.ts", { args: [dataDir, place.directory] })
    return server
  }
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => server?.child.once("exit", resolve))
    server?.child.kill("SIGKILL")
    await ended
  }
  const { port, facts } = await start()
  const { project = "" } = facts
  const ask = (tool: string, input: object, at = port): Prepared => ({
    port: at,
    path: `/tools/${tool}`,
    headers: { Authorization: `Bearer ${facts.token}`, "Content-Type": "application/json" },
    body: JSON.stringify(input),
  })
  const done = jobIn(await client.send(ask("run_shell", { project, command: "true" })))
  const sleeper = ask("run_job", { project, command: "exec sleep 600" })
  const sleeping = await Promise.all(Array.from({ length: running }, async () => jobIn(await client.send(sleeper))))
  const job = sleeping.at(-1) ?? done
  await kill()
  return async () => {
    const startedAt = performance.now()
    const again = await start()
    const reply = await client.send(ask("job_status", { job_id: job }, again.port))
    const took = performance.now() - startedAt
    if (!reply.includes(running > 0 ? '"running"' : '"completed"')) throw new Error(`What it was is lost: ${reply}`)
    await kill()
    return took
  }
}

function jobIn(reply: string): string {
  const id = /"job_id":"([^"]+)"/.exec(reply)?.[1]
  if (id === undefined) throw new Error(`No Job was started: ${reply.slice(0, 300)}`)
  return id
}
