// The whole gate: stages cheap first, all run even if one fails, one closing line `N passed, N failed` (spec doors.md §8).
import path from "node:path"
import { execute, root, type Tally, vitest } from "./scripts/vitest-stage.ts"

interface Stage {
  readonly name: string
  /** Says what the stage proves. */
  readonly proves: string
  readonly fast: boolean
  run(): Promise<Tally>
}

async function script(file: string): Promise<Tally> {
  const code = await execute(process.execPath, [path.join(root, file)])
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, failures: [], unsteady: [] }
}

/** Two parts of one stage. */
function sum(one: Tally, other: Tally): Tally {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    failures: [...one.failures, ...other.failures],
    unsteady: [...one.unsteady, ...other.unsteady],
  }
}

const stages: readonly Stage[] = [
  {
    name: "check",
    proves: "types, lint, format, generated files and exports agree",
    fast: true,
    run: () => script("test/scripts/check.ts"),
  },
  { name: "domain", proves: "rules, through the kernel on real SQLite", fast: true, run: () => vitest(["domain"]) },
  { name: "contract", proves: "every adapter keeps its port's contract", fast: false, run: () => vitest(["contract"]) },
  { name: "doors", proves: "a real server, real clients", fast: true, run: () => vitest(["doors"]) },
  { name: "sdk", proves: "the typed client: types, retries, errors", fast: false, run: () => vitest(["sdk"]) },
  {
    name: "parity",
    proves: "the same call through every door leaves the same ledger",
    fast: false,
    run: () => vitest(["parity"]),
  },
  {
    name: "faults",
    proves: "killed at any instant, nothing acknowledged is lost",
    fast: false,
    run: () => vitest(["faults"]),
  },
  {
    name: "conformance",
    proves: "the public MCP suite, both revisions",
    fast: false,
    run: () => vitest(["conformance"]),
  },
  { name: "openapi", proves: "document lint, GPT Actions rules, fuzz", fast: false, run: () => vitest(["openapi"]) },
  { name: "docs", proves: "every documented command and example runs", fast: false, run: () => vitest(["docs"]) },
  {
    name: "deno",
    proves: "Deno checks, serves and publishes; the same door tests with server and client on Deno",
    fast: false,
    run: async () => {
      const own = await vitest(["deno"])
      // The SDK's other tests intercept requests with msw, which cannot under Deno.
      const doors = await vitest(["doors/http", "doors/mcp", "sdk/live.test.ts", "sdk/embedded.test.ts"], "deno")
      return sum(own, doors)
    },
  },
  {
    name: "packaging",
    proves: "the packed package installs, imports and serves",
    fast: false,
    run: () => vitest(["packaging"]),
  },
]

const fastOnly = process.argv.includes("--fast")
const only = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const chosen = stages.filter((stage) => (only.length > 0 ? only.includes(stage.name) : !fastOnly || stage.fast))
let total: Tally = { passed: 0, failed: 0, failures: [], unsteady: [] }
const summary: string[] = []
for (const stage of chosen) {
  console.log(`\n== ${stage.name}: ${stage.proves}`)
  const started = Date.now()
  const tally = await stage.run()
  total = sum(total, tally)
  const verdict = tally.failed > 0 ? "FAIL" : tally.unsteady.length > 0 ? "ok ~" : "ok  "
  const seconds = Math.round((Date.now() - started) / 1000)
  summary.push(`${verdict} ${stage.name.padEnd(12)} ${tally.passed} passed, ${tally.failed} failed, ${seconds} s`)
}
if (total.unsteady.length > 0) console.log(`\nunsteady (failed, then passed by itself):\n${total.unsteady.join("\n")}`)
if (total.failures.length > 0) console.log(`\nfailed:\n${total.failures.join("\n")}`)
console.log(`\n${summary.join("\n")}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
