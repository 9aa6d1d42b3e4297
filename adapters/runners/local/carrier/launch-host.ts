import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import { inheritedDescriptors } from "../host/inherited.ts"
import { covered } from "../host/spawn.ts"
import type { HostStart } from "./host-start.ts"

/** Program and arguments that run a Runner host (`holdfast runner`). */
export type HostCommand = readonly [string, ...string[]]

/** A host that was started and may not listen yet. */
export interface LaunchedHost {
  readonly pid: number
  /** It ended, perhaps before it ever listened. */
  readonly ended: Promise<void>
}

/**
 * Starts a host in a session of its own: it outlives this process and shares nothing with it. Rejects with the system's error
 * when there can be no process.
 */
export async function launchHost(
  [program, ...args]: HostCommand,
  start: HostStart,
  environment: Readonly<Record<string, string>>,
): Promise<LaunchedHost> {
  const child = begin(program, args, environment)
  const { pid } = child
  if (pid === undefined) {
    const [error] = await once(child, "error")
    throw error
  }
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  child.unref()
  // One that dies before it has read its start is told by its end.
  child.stdin?.on("error", () => undefined)
  child.stdin?.end(JSON.stringify(start))
  return { pid, ended }
}

function begin(program: string, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const nothing = openSync("/dev/null", "r+")
  try {
    return spawn(program, args, {
      cwd: "/",
      env,
      detached: true,
      // What this process was given is nothing to a host, which would have to hide it from each of its commands.
      stdio: ["pipe", "ignore", "ignore", ...covered(inheritedDescriptors(), nothing)],
    })
  } finally {
    closeSync(nothing)
  }
}
