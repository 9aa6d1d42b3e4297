import { spawn } from "node:child_process"

const OLDEST_MAJOR = 13

/** Path of the ripgrep that comes with the package; undefined where this platform has none. */
async function bundled(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath
  } catch {
    return undefined
  }
}

/** Major version that a ripgrep binary reports; undefined when it does not run. */
function majorOf(binary: string, env: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn(binary, ["--no-config", "--version"], { env: { ...env }, stdio: ["ignore", "pipe", "ignore"] })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
    })
    child.once("error", () => resolve(undefined))
    child.once("close", () => {
      const major = /(\d+)\.\d+/.exec(text)?.[1]
      resolve(major === undefined ? undefined : Number(major))
    })
  })
}

/** The ripgrep to use: the bundled one, else one ≥ 13 on PATH; undefined means the native walker. */
export async function findRipgrep(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  for (const binary of [await bundled(), "rg"]) {
    if (binary !== undefined && ((await majorOf(binary, env)) ?? 0) >= OLDEST_MAJOR) return binary
  }
  return undefined
}
