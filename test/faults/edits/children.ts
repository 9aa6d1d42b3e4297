import { type ChildProcess, spawn } from "node:child_process"
import { execPath } from "node:process"
import { fileURLToPath } from "node:url"

/** How a child process ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
  readonly stdout: string
}

/** Waits for a child and keeps what it said. */
export function ended(child: ChildProcess): Promise<Ended> {
  let stderr = ""
  let stdout = ""
  child.stderr?.on("data", (chunk) => {
    stderr += String(chunk)
  })
  child.stdout?.on("data", (chunk) => {
    stdout += String(chunk)
  })
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => resolve({ code, signal, stderr, stdout }))
  })
}

/** Path of a script in this folder. */
export const scriptPath = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Runs a script of this folder as its own process. */
export function runScript(name: string, args: readonly string[]): Promise<Ended> {
  return ended(spawn(execPath, ["--disable-warning=ExperimentalWarning", scriptPath(name), ...args]))
}
