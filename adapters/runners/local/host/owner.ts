import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { instanceIdSchema } from "../../../../core/kernel/ids.ts"
import type { ProcessTable } from "./process-table.ts"

const ownerSchema = z.object({
  pid: z.number(),
  start: z.number(),
  boot: z.string(),
  /** It went in order and left processes to the next host. */
  left: z.boolean().exactOptional(),
})
const FILE = "owner"

/** The directory of one host below `<data>/runner`. */
export function hostDirectory(dataDirectory: string, hostId: string): string {
  return join(dataDirectory, "runner", hostId)
}

/** Makes the host's directory and says in it which process the host lives in. */
export function claimHostDirectory(directory: string, processes: ProcessTable): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const start = processes.read(process.pid)?.startTime ?? 0
  writeFileSync(join(directory, FILE), JSON.stringify({ pid: process.pid, start, boot: processes.bootId() }), {
    mode: 0o600,
  })
}

/** The host ended in order: it left no process. */
export function releaseHostDirectory(directory: string): void {
  rmSync(join(directory, FILE), { force: true })
}

/** The host goes in order; the processes that it held live on and are the next host's. */
export function leaveHostDirectory(directory: string): void {
  const owner = readOwner(directory)
  if (owner !== undefined)
    writeFileSync(join(directory, FILE), JSON.stringify({ ...owner, left: true }), { mode: 0o600 })
}

/** Whether the host of a directory, known to be gone, ended in order and left no process; also one that never was. */
export function leftNothing(directory: string): boolean {
  return readOwner(directory) === undefined
}

/**
 * Whether processes that the host of a directory started in this boot may live: it lives itself, or it did not end in order and
 * nobody has taken over what it held.
 */
export function mayHoldProcesses(directory: string, processes: ProcessTable): boolean {
  return readOwner(directory)?.boot === processes.bootId()
}

/** Whether the host of a directory still lives, by pid, start time and boot. */
export function isHostAlive(directory: string, processes: ProcessTable): boolean {
  return isOwnerAlive(join(directory, FILE), processes)
}

function isOwnerAlive(file: string, processes: ProcessTable): boolean {
  const owner = readOwnerFile(file)
  if (owner === undefined || owner.left === true || owner.boot !== processes.bootId()) return false
  const row = processes.read(owner.pid)
  if (row?.zombie === true) return false
  return (row?.startTime ?? (owner.pid === process.pid ? 0 : -1)) === owner.start
}

const readOwner = (directory: string) => readOwnerFile(join(directory, FILE))

function readOwnerFile(file: string): z.infer<typeof ownerSchema> | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data
  } catch {
    return undefined
  }
}

/** Ids of all hosts that left something in this data directory; other domains keep their own folders beside them. */
export function listHosts(dataDirectory: string): readonly string[] {
  try {
    return readdirSync(join(dataDirectory, "runner")).filter((name) => instanceIdSchema.safeParse(name).success)
  } catch {
    return []
  }
}

/** Asks a living host to make its runtime directory whole again; nothing happens to any other process. */
export function nudgeHost(directory: string, processes: ProcessTable): void {
  const owner = readOwner(directory)
  if (owner === undefined || owner.pid === process.pid || !isHostAlive(directory, processes)) return
  try {
    process.kill(owner.pid, "SIGHUP")
  } catch {
    // It ended in this very moment.
  }
}

/**
 * Takes over the directory of a host that is gone: from now on it is this process's. `false` when another process was faster,
 * or there is no owner to take it from.
 */
export function takeHostDirectory(directory: string, processes: ProcessTable): boolean {
  const put = join(directory, `${FILE}.${process.pid}`)
  try {
    // Of two who rename one file one fails; what was renamed may be the other one's own by now.
    renameSync(join(directory, FILE), put)
    if (!isOwnerAlive(put, processes)) {
      rmSync(put)
      claimHostDirectory(directory, processes)
      return true
    }
    renameSync(put, join(directory, FILE))
    return false
  } catch {
    return false
  }
}
