import { readdir, readFile, readlink, rm } from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { runtimeDirectoryOf } from "../../adapters/runners/local/index.ts"

const GONE_WITHIN_MS = 5000
const LOOK_EVERY_MS = 20

/** Pids of the Runner hosts of a data directory that live in processes of their own. */
export async function hostPids(dataDir: string): Promise<readonly number[]> {
  const directories = await readdir(path.join(dataDir, "runner")).catch(() => [])
  const pids = await Promise.all(directories.map((name) => ownerOf(path.join(dataDir, "runner", name))))
  const alive = await Promise.all(pids.map(async (pid) => (await isHost(pid)) && pid))
  // A host has the directories of those that it took over from, too.
  return [...new Set(alive.filter((pid) => typeof pid === "number"))]
}

async function ownerOf(directory: string): Promise<number> {
  try {
    return JSON.parse(await readFile(path.join(directory, "owner"), "utf8")).pid
  } catch {
    return 0
  }
}

/** A pid may be another process's by now. */
async function isHost(pid: number): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
  return line.split("\0").includes("runner")
}

/** Ends the hosts of a data directory and all that they hold, waits for them, and removes their runtime directory. */
export async function endHosts(dataDir: string): Promise<void> {
  const pids = await hostPids(dataDir)
  for (const pid of pids) kill(pid, "SIGTERM")
  const until = Date.now() + GONE_WITHIN_MS
  while ((await hostPids(dataDir)).length > 0 && Date.now() < until) await sleep(LOOK_EVERY_MS)
  for (const pid of await hostPids(dataDir)) kill(pid, "SIGKILL")
  const runtime = await runtimeOf(dataDir)
  if (runtime === undefined) return
  // Shells and commands of a host that was killed live on for the next one.
  for (const pid of await holders(runtime)) kill(pid, "SIGKILL")
  await rm(runtime, { recursive: true, force: true })
}

/** Pids of the processes that have something below a directory open; Linux only. */
async function holders(directory: string): Promise<readonly number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  const held = await Promise.all(
    pids.map(async (pid) => (await opened(pid)).some((name) => name.startsWith(`${directory}/`))),
  )
  return pids.filter((pid, index) => held[index] && pid !== process.pid)
}

async function opened(pid: number): Promise<readonly string[]> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => [])
  return Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")))
}

function kill(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself.
  }
}

/** `undefined` for a data directory that never was. */
async function runtimeOf(dataDir: string): Promise<string | undefined> {
  try {
    return runtimeDirectoryOf(dataDir)
  } catch {
    return undefined
  }
}
