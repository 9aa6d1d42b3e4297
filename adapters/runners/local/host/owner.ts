import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { instanceIdSchema } from "../../../../core/kernel/ids.ts"
import type { ProcessTable } from "./process-table.ts"

const ownerSchema = z.object({ pid: z.number(), start: z.number(), boot: z.string() })
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

/** The host ended in order: what it left belongs to nobody. */
export function releaseHostDirectory(directory: string): void {
  rmSync(join(directory, FILE), { force: true })
}

/** Whether the host of a directory still lives, by pid, start time and boot. */
export function isHostAlive(directory: string, processes: ProcessTable): boolean {
  const owner = readOwner(directory)
  if (owner === undefined || owner.boot !== processes.bootId()) return false
  const row = processes.read(owner.pid)
  if (row?.zombie === true) return false
  return (row?.startTime ?? (owner.pid === process.pid ? 0 : -1)) === owner.start
}

function readOwner(directory: string): z.infer<typeof ownerSchema> | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(readFileSync(join(directory, FILE), "utf8"))).data
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
