// The whole gate: stages cheap first, all run even if one fails, one closing line `N passed, N failed` (spec doors.md §8).
import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"

const root = fileURLToPath(new URL("..", import.meta.url))
const bin = (name: string): string => path.join(root, "node_modules", ".bin", name)

interface Tally {
  passed: number
  failed: number
  /** What failed, a few lines each: a log is often read from its end. */
  readonly failures?: readonly string[]
}

/** What is read of vitest's JSON report. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

interface Stage {
  readonly name: string
  /** Says what the stage proves. */
  readonly proves: string
  readonly fast: boolean
  run(): Promise<Tally>
}

function execute(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, HOLDFAST_TEST: "1", REDOCLY_TELEMETRY: "off", DENO_NO_UPDATE_CHECK: "1" },
    })
    child.on("error", reject)
    child.on("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
}

const VITEST = {
  node: [bin("vitest")],
  // Vitest's workers run on the runtime that runs vitest: the servers and clients of the tests are then Deno's.
  deno: [bin("deno"), "run", "--allow-all", path.join(root, "node_modules/vitest/vitest.mjs")],
} as const

/** One vitest run over folders or files of test/; its JSON report gives the counts. A run without a test is a failure. */
async function vitest(places: readonly string[], runtime: keyof typeof VITEST = "node"): Promise<Tally> {
  const scratch = await mkdtemp(path.join(tmpdir(), "holdfast-run-"))
  const report = path.join(scratch, "report.json")
  try {
    const [program, ...before] = VITEST[runtime]
    const code = await execute(program, [
      ...before,
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...places.map((place) => (place.endsWith(".ts") ? `test/${place}` : `test/${place}/`)),
    ])
    const result: Report = JSON.parse(await readFile(report, "utf8"))
    const { numPassedTests: passed, numFailedTests: failed } = result
    return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed, failures: failuresOf(result) }
  } catch (error) {
    console.error(error)
    return { passed: 0, failed: 1 }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function failuresOf({ testResults }: Report): readonly string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name)
    const failed = assertionResults.filter((test) => test.status === "failed")
    if (failed.length === 0) return status === "failed" ? [`${file}\n${firstLines(message)}`] : []
    return failed.map(
      ({ fullName, failureMessages }) => `${file} > ${fullName}\n${firstLines(failureMessages.join("\n"))}`,
    )
  })
}

function firstLines(text: string): string {
  const own = (line: string): boolean => !/^\s*at .*(node_modules|node:|<anonymous>)/.test(line)
  const lines = stripVTControlCharacters(text).split("\n").filter(own).slice(0, 12)
  return lines.map((line) => `    ${line}`).join("\n")
}

async function script(file: string): Promise<Tally> {
  const code = await execute(process.execPath, [path.join(root, file)])
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
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
      return {
        passed: own.passed + doors.passed,
        failed: own.failed + doors.failed,
        failures: [...(own.failures ?? []), ...(doors.failures ?? [])],
      }
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
const total: Tally = { passed: 0, failed: 0 }
const summary: string[] = []
const failures: string[] = []
for (const stage of chosen) {
  console.log(`\n== ${stage.name}: ${stage.proves}`)
  const started = Date.now()
  const tally = await stage.run()
  total.passed += tally.passed
  total.failed += tally.failed
  failures.push(...(tally.failures ?? []))
  const seconds = Math.round((Date.now() - started) / 1000)
  summary.push(
    `${tally.failed === 0 ? "ok  " : "FAIL"} ${stage.name.padEnd(12)} ${tally.passed} passed, ${tally.failed} failed, ${seconds} s`,
  )
}
if (failures.length > 0) console.log(`\nfailed:\n${failures.join("\n")}`)
console.log(`\n${summary.join("\n")}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
