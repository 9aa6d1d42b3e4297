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
/** The file while somebody takes it over: that one's pid and start time. */
const PUT_AWAY = /^owner\.(\d+)\.(\d+)$/

/** The directory of one host below `<data>/runner`. */
export function hostDirectory(dataDirectory: string, hostId: string): string {
  return join(dataDirectory, "runner", hostId)
}

/** Makes the host's directory and says in it which process the host lives in. */
export function claimHostDirectory(directory: string, processes: ProcessTable): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeOwner(directory, { pid: process.pid, start: ownStart(processes), boot: processes.bootId() })
}

const ownStart = (processes: ProcessTable): number => processes.read(process.pid)?.startTime ?? 0

/** Whole at any moment: half a file would say that the host has left nothing. */
function writeOwner(directory: string, owner: z.infer<typeof ownerSchema>): void {
  const made = join(directory, `new-${FILE}.${process.pid}`)
  writeFileSync(made, JSON.stringify(owner), { mode: 0o600 })
  renameSync(made, join(directory, FILE))
}

/** The host ended in order: it left no process. */
export function releaseHostDirectory(directory: string): void {
  rmSync(join(directory, FILE), { force: true })
}

/** The host goes in order; the processes that it held live on and are the next host's. */
export function leaveHostDirectory(directory: string): void {
  const owner = readOwner(directory)
  if (owner !== undefined) writeOwner(directory, { ...owner, left: true })
}

/** Whether the host of a directory, known to be gone, ended in order and left no process; also one that never was. */
export function leftNothing(directory: string): boolean {
  return readOwner(directory) === undefined
}

/**
 * Whether processes that the host of a directory started in this boot may live: it lives itself, or it did not end in order and
 * nobody has taken over what it held, or somebody is about to.
 */
export function mayHoldProcesses(directory: string, processes: ProcessTable): boolean {
  const files = [FILE, ...namesIn(directory).filter((name) => PUT_AWAY.test(name))]
  return files.some((file) => readOwnerFile(join(directory, file))?.boot === processes.bootId())
}

/**
 * Whether a host that is gone left processes of this boot in its directory which nobody has taken over yet; also where one who
 * was about to take it over died.
 */
export function hasLeftProcesses(directory: string, processes: ProcessTable): boolean {
  const owner = readOwner(directory)
  if (owner !== undefined) return owner.boot === processes.bootId() && !isHostAlive(directory, processes)
  return halfTaken(directory, processes).some((file) => readOwnerFile(file)?.boot === processes.bootId())
}

/** Gives a directory its owner back when one who was about to take it over died; nothing where it has an owner. */
export function restoreOwner(directory: string, processes: ProcessTable): void {
  const [file] = readOwner(directory) === undefined ? halfTaken(directory, processes) : []
  if (file === undefined) return
  try {
    renameSync(file, join(directory, FILE))
  } catch {
    // Another one was faster.
  }
}

/** What those who took an owner's file put away and did not live to replace. */
function halfTaken(directory: string, processes: ProcessTable): readonly string[] {
  return namesIn(directory).flatMap((name) => {
    const [, pid, start] = PUT_AWAY.exec(name) ?? []
    if (pid === undefined || Number(pid) === process.pid) return []
    const row = processes.read(Number(pid))
    return row?.zombie === false && row.startTime === Number(start) ? [] : [join(directory, name)]
  })
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
  return namesIn(join(dataDirectory, "runner")).filter((name) => instanceIdSchema.safeParse(name).success)
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
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
  const put = join(directory, `${FILE}.${process.pid}.${ownStart(processes)}`)
  try {
    // Of two who rename one file one fails; what was renamed may be the other one's own by now.
    renameSync(join(directory, FILE), put)
    if (!isOwnerAlive(put, processes)) {
      claimHostDirectory(directory, processes)
      for (const file of [put, ...halfTaken(directory, processes)]) rmSync(file, { force: true })
      return true
    }
    renameSync(put, join(directory, FILE))
    return false
  } catch {
    return false
  }
}
