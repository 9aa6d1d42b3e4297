import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"

/** The root of the repository. */
export const root: string = fileURLToPath(new URL("../..", import.meta.url))

/** How a stage of the gate went. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  /** What failed, a few lines each: a log is often read from its end. */
  readonly failures: readonly string[]
  /** What failed at first and passed when its file was run once more by itself. */
  readonly unsteady: readonly string[]
}

/** Many files that fail are no accident of a busy machine. */
const MOST_RUN_AGAIN = 3
const SHOWN_LINES = 12

interface FileResult {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly assertionResults: readonly {
    readonly fullName: string
    readonly status: string
    readonly failureMessages: readonly string[]
  }[]
}

const bin = (name: string): string => path.join(root, "node_modules", ".bin", name)

const VITEST = {
  node: [bin("vitest")],
  // Vitest's workers run on the runtime that runs vitest: the servers and clients of the tests are then Deno's.
  deno: [bin("deno"), "run", "--allow-all", path.join(root, "node_modules/vitest/vitest.mjs")],
} as const

/** Runs a program in the root of the repository; its exit code. */
export function execute(command: string, args: readonly string[]): Promise<number> {
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

/**
 * Folders or files of test/. A run without a test is a failure. Few files that fail are run once more by themselves: what passes
 * then is counted as passed and named as unsteady.
 */
export async function vitest(places: readonly string[], runtime: keyof typeof VITEST = "node"): Promise<Tally> {
  const first = await run(
    places.map((place) => (place.endsWith(".ts") ? `test/${place}` : `test/${place}/`)),
    runtime,
  )
  const failing = first.files.filter((file) => failuresOf(file).length > 0)
  if (first.broke || failing.length === 0 || failing.length > MOST_RUN_AGAIN) return tallyOf(first)
  const names = failing.map(({ name }) => path.relative(root, name))
  console.log(`\n== once more, by themselves: ${names.join(", ")}`)
  const second = await run(names, runtime)
  const others = first.files.filter((file) => !failing.includes(file))
  const result = tallyOf({ files: [...others, ...second.files], broke: second.broke })
  const failsAgain = (failure: string): boolean => result.failures.some((again) => titleOf(again) === titleOf(failure))
  return { ...result, unsteady: failing.flatMap(failuresOf).filter((failure) => !failsAgain(failure)) }
}

interface Run {
  readonly files: readonly FileResult[]
  /** It ended badly for another reason than a test. */
  readonly broke: boolean
}

async function run(places: readonly string[], runtime: keyof typeof VITEST): Promise<Run> {
  const scratch = await mkdtemp(path.join(tmpdir(), "holdfast-run-"))
  const report = path.join(scratch, "report.json")
  try {
    const [program, ...before] = VITEST[runtime]
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
    const code = await execute(program, [...before, "run", ...reporters, ...places])
    const { testResults }: { testResults: readonly FileResult[] } = JSON.parse(await readFile(report, "utf8"))
    return { files: testResults, broke: code !== 0 && testResults.every((file) => failuresOf(file).length === 0) }
  } catch (error) {
    console.error(error)
    return { files: [], broke: true }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function tallyOf({ files, broke }: Run): Tally {
  const passed = files.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "passed"))
  const failures = files.flatMap(failuresOf)
  const isEmpty = passed.length === 0 && failures.length === 0
  return { passed: passed.length, failed: failures.length + (broke || isEmpty ? 1 : 0), failures, unsteady: [] }
}

function failuresOf({ name, status, message, assertionResults }: FileResult): readonly string[] {
  const file = path.relative(root, name)
  const failed = assertionResults.filter((test) => test.status === "failed")
  if (failed.length === 0) return status === "failed" ? [`${file}\n${firstLines(message)}`] : []
  return failed.map((test) => `${file} > ${test.fullName}\n${firstLines(test.failureMessages.join("\n"))}`)
}

const titleOf = (failure: string): string | undefined => failure.split("\n")[0]

function firstLines(text: string): string {
  const own = (line: string): boolean => !/^\s*at .*(node_modules|node:|<anonymous>)/.test(line)
  const lines = stripVTControlCharacters(text).split("\n").filter(own).slice(0, SHOWN_LINES)
  return lines.map((line) => `    ${line}`).join("\n")
}
