import { spawn } from "node:child_process"
import { mkdir, readFile } from "node:fs/promises"
import path from "node:path"

/** How a server is started. */
export interface ServeAndCall {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Home of the user who starts it: its data directory is the default one below. */
  readonly home: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts a server on a free port, calls `list_projects` once with the token that it wrote, and stops it. */
export async function serveAndCall({ program, args, cwd, home, env }: ServeAndCall): Promise<unknown> {
  await mkdir(home, { recursive: true })
  // A group of its own, as at a terminal: npm and the shell between get the signal, too.
  const child = spawn(program, args, {
    cwd,
    env: { ...env, HOME: home, HOLDFAST_PORT: "0" },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ended = new Promise<string>((resolve) => child.once("close", (code, signal) => resolve(String(code ?? signal))))
  let text = ""
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        text += chunk
        const address = /at (http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1]
        if (address !== undefined && text.includes("Ctrl-C")) resolve(address)
      })
    }
    child.once("error", reject)
    void ended.then((end) => reject(new Error(`The server ended with ${end} before it was ready:\n${text}`)))
  })
  try {
    const token = (await url) && (await readFile(path.join(home, ".local/state/holdfast/local-token"), "utf8")).trim()
    const answer = await fetch(`${await url}/tools/list_projects`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: "{}",
    })
    return await answer.json()
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT")
    await ended
  }
}
