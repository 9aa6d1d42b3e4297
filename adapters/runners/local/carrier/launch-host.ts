import { spawn } from "node:child_process"
import { once } from "node:events"
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
  const child = spawn(program, args, {
    cwd: "/",
    env: { ...environment },
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  const { pid } = child
  if (pid === undefined) {
    const [error] = await once(child, "error")
    throw error
  }
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  child.unref()
  // One that dies before it has read its start is told by its end.
  child.stdin.on("error", () => undefined)
  child.stdin.end(JSON.stringify(start))
  return { pid, ended }
}
