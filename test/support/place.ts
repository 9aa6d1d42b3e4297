import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { endHosts } from "./runner-hosts.ts"

/** A temporary home with a data directory and a git repository `demo` below it. */
export interface Place {
  readonly home: string
  readonly dataDir: string
  /** Root of the Project `demo`. */
  readonly root: string
  /** Environment of a user without configuration of the machine. */
  readonly env: Record<string, string>
  /** Ends the Runner hosts of its data directory and removes everything. */
  remove(): Promise<void>
}

/** Files of `demo`, committed. */
export const DEMO_FILES: Readonly<Record<string, string>> = {
  "README.md": "# Demo\n",
  "notes.txt": "alpha\nbeta\ngamma\n",
  "src/greeting.js": 'export const greeting = "hello"\n',
}

/** Makes one; remove it after the server that used it has closed. */
export async function makePlace(): Promise<Place> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), "hf-server-")))
  const root = path.join(home, "demo")
  const env = environmentOf(home)
  for (const [name, text] of Object.entries(DEMO_FILES)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), text)
  }
  const git = (...args: readonly string[]): void => {
    execFileSync("git", args, { cwd: root, env, stdio: "ignore" })
  }
  git("init", "--quiet", "--initial-branch=main")
  git("add", "--all")
  git("commit", "--quiet", "--message", "First")
  return {
    home,
    dataDir: path.join(home, "data"),
    root,
    env,
    async remove() {
      for (const dataDir of [path.join(home, "data"), path.join(home, ".local/state/holdfast")]) await endHosts(dataDir)
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function environmentOf(home: string): Record<string, string> {
  const who = { name: "A", email: "a@example.org" }
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: who.name,
    GIT_AUTHOR_EMAIL: who.email,
    GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
    GIT_COMMITTER_NAME: who.name,
    GIT_COMMITTER_EMAIL: who.email,
    GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
  }
}
