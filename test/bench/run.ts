// `npm run bench [-- --quick] [-- --only http,kernel]`: medians of one run on one machine, each beside its floor of the same run.
import { execFileSync, fork } from "node:child_process"
import { availableParallelism, cpus, loadavg } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { GROUPS } from "./groups/all.ts"
import { buildIsStale, DIST, REPOSITORY } from "./product.ts"
import { type Row, verdictOf } from "./row.ts"
import { tableOf } from "./table.ts"

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string", multiple: true, default: [] } },
})
const wanted = values.only.flatMap((list) => list.split(","))
const unknown = wanted.filter((name) => GROUPS[name] === undefined)
if (unknown.length > 0) {
  console.error(`No such group: ${unknown.join(", ")}. There are: ${Object.keys(GROUPS).join(", ")}.`)
  process.exit(2)
}

if (process.env.HOLDFAST_BENCH_DIST === undefined && buildIsStale()) {
  console.log("Building dist/ …")
  execFileSync(process.execPath, [path.join(REPOSITORY, "test/scripts/build.ts")], { stdio: "inherit" })
}

const startedAt = performance.now()
const loadBefore = load()
const rows: Row[] = []
let failed = 0
for (const name of Object.keys(GROUPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const groupStartedAt = performance.now()
  try {
    rows.push(...(await runGroup(name)))
    console.error(`${name}: ${secondsSince(groupStartedAt)} s`)
  } catch (error) {
    failed += 1
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const missed = rows.filter((row) => verdictOf(row) === "MISSED")
console.log(tableOf(rows))
console.log(
  `\n${rows.length} rows, ${missed.length} MISSED, ${failed} groups failed; ${secondsSince(startedAt)} s, ` +
    `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model ?? "unknown CPU"}, load ${loadBefore} before, ${load()} after` +
    `\nbuild ${path.relative(REPOSITORY, DIST)}${values.quick ? "; quick pass: few rounds, noisy numbers" : ""}`,
)
process.exitCode = failed === 0 ? 0 : 1

function secondsSince(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(0)
}

function load(): string {
  return loadavg()[0]?.toFixed(1) ?? "?"
}

function runGroup(name: string): Promise<readonly Row[]> {
  const file = fileURLToPath(new URL("./group-process.ts", import.meta.url))
  const child = fork(file, [name, values.quick ? "quick" : "full"], { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  return new Promise((resolve, reject) => {
    let measured: readonly Row[] | undefined
    child.on("message", (message: readonly Row[]) => {
      measured = message
    })
    child.on("exit", (code) => {
      if (measured === undefined) reject(new Error(`ended with ${code} and measured nothing`))
      else resolve(measured)
    })
  })
}
