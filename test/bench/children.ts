import { type ChildProcess, spawn } from "node:child_process"
import path from "node:path"
import { fileURLToPath } from "node:url"
import type { Bench } from "./scope.ts"

const SERVERS = fileURLToPath(new URL("./servers/", import.meta.url))

/** A server of its own process that has said where it listens. */
export interface HttpChild {
  readonly port: number
  /** Further words of the line with which it reported. */
  readonly facts: Readonly<Record<string, string>>
  readonly child: ChildProcess
}

/** Path of `servers/<file>`. */
export function serverFile(file: string): string {
  return path.join(SERVERS, file)
}

/** Starts `servers/<file>`; it reports on its IPC channel when it is ready and ends with its parent. */
export async function startHttpChild(
  bench: Bench,
  file: string,
  { args = [], nodeArgs = [] }: { readonly args?: readonly string[]; readonly nodeArgs?: readonly string[] } = {},
): Promise<HttpChild> {
  const child = spawn(process.execPath, [...nodeArgs, serverFile(file), ...args], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  bench.undo(() => endOf(child))
  const facts = await new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
    child.once("message", (message) => resolve(readFacts(message)))
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code} before it was ready.`)))
  })
  return { port: Number(facts.port), facts, child }
}

/** Starts `servers/<file>` with pipes for MCP. */
export function startPipedChild(bench: Bench, file: string, args: readonly string[] = []): ChildProcess {
  const child = spawn(process.execPath, [serverFile(file), ...args], { stdio: ["pipe", "pipe", "ignore"] })
  bench.undo(() => endOf(child))
  return child
}

/** Sends a message on a child's IPC channel; resolves with the next one that comes back. */
export function ask(child: ChildProcess, message: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once("message", resolve)
    child.send(message, (error) => {
      if (error !== null) reject(error)
    })
  })
}

/** Ends a child and waits until it is gone. */
export async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once("exit", resolve))
  child.kill("SIGTERM")
  const hard = setTimeout(() => child.kill("SIGKILL"), 3_000)
  await gone
  clearTimeout(hard)
}

function readFacts(message: unknown): Readonly<Record<string, string>> {
  if (typeof message !== "object" || message === null) throw new Error("A child reported without facts.")
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]))
}
