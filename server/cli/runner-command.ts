import { appendFileSync, mkdirSync, statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { hostStartSchema, runLocalHost } from "../../adapters/runners/local/carrier/run-local-host.ts"
import type { Terminal } from "./terminal.ts"

const LOG_FILE = "host.log"
const MAX_LOG_BYTES = 262_144

/**
 * `holdfast runner`: the Runner host of a data directory (spec shells.md §2.1). A server starts it and tells it on standard
 * input what it is; nobody else has a use for it. Resolves with the exit code when it has ended.
 */
export async function runnerCommand({
  stdin,
  stderr,
  env,
}: Pick<Terminal, "stdin" | "stderr" | "env">): Promise<number> {
  const isPerson = "isTTY" in stdin && stdin.isTTY === true
  const start = isPerson ? undefined : hostStartSchema.safeParse(parsed(await text(stdin))).data
  if (start === undefined) {
    stderr.write("holdfast: runner is started by a server; it takes no commands of its own.\n")
    return 2
  }
  const log = openLog(join(start.dataDirectory, "runner"), start.hostId)
  // A fault in one place must not take down what others run here.
  process.on("uncaughtException", (error) =>
    log(`fault: ${error instanceof Error ? (error.stack ?? error.message) : error}`),
  )
  process.on("unhandledRejection", (reason) =>
    log(`fault: ${reason instanceof Error ? (reason.stack ?? reason.message) : reason}`),
  )
  try {
    const host = await runLocalHost({ start, environment: env, log })
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => host.shutdown())
    process.on("SIGHUP", () => host.repair())
    await host.ended
    return 0
  } catch (error) {
    log(`could not start: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
    return 1
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A small file of its own: its standard streams lead nowhere. */
function openLog(directory: string, hostId: string): (line: string) => void {
  const file = join(directory, LOG_FILE)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) truncateSync(file)
  return (line) => {
    try {
      appendFileSync(file, `${new Date().toISOString()} ${hostId.slice(0, 6)} ${line}\n`, { mode: 0o600 })
    } catch {
      // A full disk costs the line, not the host.
    }
  }
}
