import { execFile } from "node:child_process"
import { open } from "node:fs/promises"
import { promisify } from "node:util"
import { startEmbedded } from "../embedded.ts"
import { interleave } from "../measure.ts"
import { makePlace } from "../place.ts"
import { atMost, type Row } from "../row.ts"
import type { Bench } from "../scope.ts"

const run = promisify(execFile)
const LARGE = 67_000_000
const SMALL = 1_000_000
const TAIL_BYTES = 65_536

/** Numbered lines of a log, so many bytes; a few of them match the pattern. */
const logOf = (bytes: number): string =>
  `seq -f 'step %012.0f of the build has done what it was told, and says so at length' 1 1000000 | head -c ${bytes}`
const PATTERN = "step 000000[0-9]00000 of"

/** Reading and searching a spool of 64 MiB (spec exec-and-jobs.md §14). */
export async function jobLogRows(bench: Bench): Promise<readonly Row[]> {
  const place = await makePlace(bench)
  const product = await startEmbedded(bench, place, "logs")
  const file = await place.file("log", "")
  await run("bash", ["-c", `${logOf(LARGE)} > ${file}`])
  const large = await product.job(logOf(LARGE))
  const small = await product.job(logOf(SMALL))
  const buffer = Buffer.alloc(TAIL_BYTES)
  const tail = (job_id: string) => product.call("job_log", { job_id, tail_lines: 200, stream: "stdout" })
  const times = await interleave(
    {
      large: () => tail(large),
      small: () => tail(small),
      noop: () => product.call("bench_echo", { text: "x" }),
      async read() {
        const handle = await open(file)
        const { size } = await handle.stat()
        await handle.read(buffer, 0, TAIL_BYTES, size - TAIL_BYTES)
        await handle.close()
      },
    },
    { rounds: bench.count(500) },
  )
  const { stdout: lines } = await run("grep", ["-c", "-E", PATTERN, file])
  const search = await interleave(
    {
      async subject() {
        const request = { job_id: large, grep_pattern: PATTERN, max_matches: 500, stream: "stdout" }
        const text = JSON.stringify(await product.call("job_log", request))
        const found = text.match(/"byte":/g)?.length
        if (found !== Number(lines)) throw new Error(`The search found ${found} lines of ${lines}`)
      },
      floor: () => run("grep", ["-c", "-E", PATTERN, file]),
    },
    { rounds: bench.quick ? 3 : 9, warmup: 1 },
  )
  return [
    {
      name: "job_log tail 200 of 64 MiB (no-op + reading 64 KiB)",
      unit: "ms",
      subject: times.large,
      floor: times.noop + times.read,
      target: atMost(3),
    },
    {
      name: "job_log tail 200 of 64 MiB against 1 MB",
      unit: "ms",
      subject: times.large,
      floor: times.small,
      target: atMost(1.2),
    },
    { name: "job_log grep over 64 MiB (grep -c)", unit: "ms", ...search, target: atMost(20) },
  ]
}
