import { type SpawnOptions, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, symlink } from "node:fs/promises"
import path from "node:path"
import { REPOSITORY } from "./build.ts"

/** Where this machine's own programs lie: `PATH` without what npm scripts put in front of it. */
const directories = (process.env.PATH ?? "")
  .split(path.delimiter)
  .filter((directory) => directory !== "" && !path.resolve(directory).includes("node_modules"))

/** A program of this machine, never one of the repository. */
export function hostProgram(name: string): string {
  const found = directories.map((directory) => path.join(directory, name)).find((file) => existsSync(file))
  if (found === undefined) throw new Error(`This machine has no ${name} on its PATH.`)
  return found
}

/** Runtimes that a package must run on; the names are directories of programs. */
export const RUNTIMES = {
  "Node 24": path.join(REPOSITORY, "node_modules/node/bin/node"),
  "Node 22.14": path.join(REPOSITORY, "node_modules/node22/bin/node"),
} as const

/** Makes a directory that holds npm, npx, sh, git and one Node, to be the whole `PATH` of a child. */
export async function programsWith(node: string, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  await symlink(node, path.join(directory, "node"))
  for (const name of ["npm", "npx", "sh", "git"]) await symlink(hostProgram(name), path.join(directory, name))
  return directory
}

const KEPT =
  /^(home|tmpdir|no_proxy|https?_proxy|node_extra_ca_certs|ssl_cert_file|npm_config_(registry|cache|userconfig|globalconfig|offline|cafile|proxy|https_proxy|noproxy))$/i

/** The environment of a person at a shell: nothing of the npm script that runs this test but how to reach the registry. */
export function personEnv(PATH: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    KEPT.test(name) && value !== undefined ? [[name, value] as const] : [],
  )
  return { ...Object.fromEntries(kept), DENO_NO_UPDATE_CHECK: "1", npm_config_update_notifier: "false", ...extra, PATH }
}

/** What a finished program said. */
export interface ProgramEnd {
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export function runProgram(program: string, args: readonly string[], options: SpawnOptions): Promise<ProgramEnd> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout?.on("data", (chunk) => {
    stdout += chunk
  })
  child.stderr?.on("data", (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => resolve({ code: code ?? signal ?? "unknown", stdout, stderr }))
  })
}

/** As `runProgram`, for steps that must succeed. */
export async function mustRun(program: string, args: readonly string[], options: SpawnOptions): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, options)
  if (code !== 0) throw new Error(`${path.basename(program)} ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}
