import { type ChildProcess, spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { ensureBuild } from "./build.ts"
import { makePlace, type Place } from "./place.ts"

/** The runtime of the tests, as a command that runs a file with every right. */
export const RUNTIME: readonly [string, ...string[]] =
  process.versions.deno === undefined ? [process.execPath] : [process.execPath, "run", "--allow-all"]

/** How a child of the command line is started. */
export interface ProcessOptions {
  /** Further arguments, such as `--surface full`. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly place?: Place
  /** The program that runs `bin.js`; default: the runtime of the tests. */
  readonly command?: readonly [string, ...string[]]
}

/** `holdfast serve` as a process of its own. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly token: string
  readonly project: "demo"
  readonly place: Place
  readonly child: ChildProcess
  /** What it wrote to standard output. */
  stdout(): string
  /** What it wrote to standard error. */
  stderr(): string
  /** Resolves with the exit code, or the name of the signal that ended it. */
  readonly exited: Promise<number | string>
}

/** Starts `holdfast serve <demo>` on a free port and waits until it answers. */
export async function startProcess(options: ProcessOptions = {}): Promise<ServerProcess> {
  const { place = await makePlace() } = options
  const { program, args } = await commandLine("serve", place, {
    ...options,
    args: ["--port", "0", ...(options.args ?? [])],
  })
  const child = spawn(program, args, { env: { ...place.env, ...options.env }, stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (chunk) => {
    stdout += chunk
  })
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  const exited = new Promise<number | string>((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? signal ?? "unknown"))
  })
  const url = await announcedUrl(child, exited, () => stderr)
  return {
    url,
    port: Number(new URL(url).port),
    token: (await readFile(path.join(place.dataDir, "local-token"), "utf8")).trim(),
    project: "demo",
    place,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await exited
      if (options.place === undefined) await place.remove()
    },
  }
}

/** `holdfast mcp <demo>` for the official client, which starts the child itself when it connects. */
export async function startStdio(
  options: ProcessOptions = {},
): Promise<{ readonly transport: StdioClientTransport; readonly place: Place }> {
  const { place = await makePlace() } = options
  const { program, args } = await commandLine("mcp", place, options)
  const transport = new StdioClientTransport({
    command: program,
    args: [...args],
    env: { ...place.env, ...options.env },
    stderr: "pipe",
  })
  return { transport, place }
}

/** The program and arguments of one command on a place. */
export async function commandLine(
  command: "serve" | "mcp",
  place: Place,
  { args = [], command: [program, ...before] = RUNTIME }: ProcessOptions = {},
): Promise<{ readonly program: string; readonly args: readonly string[] }> {
  const bin = await ensureBuild()
  const own = [command, place.root, "--data-dir", place.dataDir, "--allowed-roots", place.home]
  return { program, args: [...before, bin, ...own, ...args] }
}

function announcedUrl(child: ChildProcess, exited: Promise<number | string>, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ""
    child.stdout?.on("data", (chunk) => {
      text += chunk
      const url = /at (http:\/\/\S+)/.exec(text)?.[1]
      if (url !== undefined && text.includes("Ctrl-C")) resolve(url)
    })
    void exited.then((code) => reject(new Error(`The server ended with ${code} before it was ready: ${stderr()}`)))
  })
}
