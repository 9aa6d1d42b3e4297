import { spawn } from "node:child_process"
import { PassThrough } from "node:stream"
import { main } from "../../../server/cli/main.ts"
import { ensureBuild } from "../../support/build.ts"
import type { Place } from "../../support/place.ts"

/** What a finished command line said. */
export interface CommandEnd {
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

/** Around one command line. */
export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdin?: string
}

/** Runs `holdfast …` to its end as a user of `place`; the data directory is the place's unless the environment says otherwise. */
export async function runHoldfast(
  place: Place,
  args: readonly string[],
  { env = {}, cwd = place.root, stdin = "" }: CommandOptions = {},
): Promise<CommandEnd> {
  const bin = await ensureBuild()
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...place.env, HOLDFAST_DATA_DIR: place.dataDir, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk) => {
    stdout += chunk
  })
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  child.stdin.end(stdin)
  return await new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => resolve({ code: code ?? signal ?? "unknown", stdout, stderr }))
  })
}

/** The same command line in this process: for what ends before anything is served, in a hundredth of the time. */
export async function runInProcess(place: Place, args: readonly string[]): Promise<CommandEnd> {
  const stdout = new PassThrough().setEncoding("utf8")
  const stderr = new PassThrough().setEncoding("utf8")
  const code = await main(args, {
    stdout,
    stderr,
    stdin: new PassThrough(),
    env: { ...place.env, HOLDFAST_DATA_DIR: place.dataDir },
    cwd: place.root,
    launch: ["holdfast"],
  })
  return { code, stdout: String(stdout.read() ?? ""), stderr: String(stderr.read() ?? "") }
}

/** A fault as the command line must say it: one line, one sentence, nothing on standard output. */
export const oneSentence = /^holdfast: [^\n]+\.\n$/
