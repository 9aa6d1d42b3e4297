import { readdir, rm, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { type JobId, jobIdSchema } from "../../../../core/kernel/ids.ts"
import { JOURNAL_FILE } from "./journal.ts"
import { hostDirectory, isHostAlive, listHosts } from "./owner.ts"
import type { ProcessTable } from "./process-table.ts"
import { isSmallFile, readSmallFile } from "./small-file.ts"

/** The finished spool of one Job, or a file with those of several that wrote little. */
interface FinishedSpool {
  readonly path: string
  readonly bytes: number
  /** Last write: the end, or the last late output (wall clock, ms). */
  readonly lastWrite: number
}

/** Which spools may go, and when (spec exec-and-jobs.md §7.1). */
export interface EvictionRule {
  readonly dataDirectory: string
  readonly ownHostId: string
  readonly processes: ProcessTable
  /** Jobs of this host that run, or whose kept background processes still write. */
  isActive(jobId: JobId): boolean
  /** Jobs of this host can still write into this file of small outputs. */
  isInUse(path: string): boolean
  readonly totalBytes: number
  readonly maxAgeMs: number
  readonly now: number
  /** Hosts whose Jobs have not all ended in the store; absent: not known. */
  readonly owingHosts?: readonly string[]
}

const NEW_HOST_MS = 60_000

/** Removes finished spools that are too old, then the oldest ones until the rest fits; returns whose output is gone. */
export async function evictSpools(rule: EvictionRule): Promise<readonly JobId[]> {
  const { finished, activeBytes } = await survey(rule)
  finished.sort((a, b) => a.lastWrite - b.lastWrite)
  let bytes = activeBytes + finished.reduce((sum, spool) => sum + spool.bytes, 0)
  const gone: JobId[] = []
  for (const spool of finished) {
    if (spool.lastWrite > rule.now - rule.maxAgeMs && bytes <= rule.totalBytes) break
    const jobs = jobsIn(spool.path)
    await rm(spool.path, { recursive: true, force: true })
    bytes -= spool.bytes
    gone.push(...jobs)
  }
  await removeOldHosts(rule)
  return gone
}

/**
 * A host that is gone and holds no spool any more is forgotten once no Job needs its journal, or once that is as old as a
 * spool may get. One that is just being made has no owner yet: it is left alone.
 */
async function removeOldHosts(rule: EvictionRule): Promise<void> {
  for (const hostId of listHosts(rule.dataDirectory)) {
    const host = hostDirectory(rule.dataDirectory, hostId)
    if (hostId === rule.ownHostId || isHostAlive(host, rule.processes) || (await names(join(host, "spool"))).length > 0)
      continue
    const isSettled = rule.owingHosts !== undefined && !rule.owingHosts.includes(hostId)
    const keptMs = isSettled ? NEW_HOST_MS : rule.maxAgeMs
    if ((await lastChange(host)) <= rule.now - keptMs) await rm(host, { recursive: true, force: true })
  }
}

/** When journal or directory changed last, wall clock ms. */
async function lastChange(host: string): Promise<number> {
  const journal = await stat(join(host, JOURNAL_FILE)).catch(() => undefined)
  const directory = await stat(host).catch(() => undefined)
  return Math.max(journal?.mtimeMs ?? 0, directory?.mtimeMs ?? 0)
}

async function survey(
  rule: EvictionRule,
): Promise<{ readonly finished: FinishedSpool[]; readonly activeBytes: number }> {
  const finished: FinishedSpool[] = []
  let activeBytes = 0
  for (const hostId of listHosts(rule.dataDirectory)) {
    const host = hostDirectory(rule.dataDirectory, hostId)
    const own = hostId === rule.ownHostId
    const foreign = !own && isHostAlive(host, rule.processes)
    for (const name of await names(join(host, "spool"))) {
      const path = join(host, "spool", name)
      const jobId = jobIdSchema.safeParse(name).data
      if (jobId === undefined && !isSmallFile(name)) continue
      const isActive = jobId === undefined ? rule.isInUse(path) : rule.isActive(jobId)
      const spool = await measure(path)
      // A living host evicts its own; what it holds counts for everybody.
      if (foreign || (own && isActive)) activeBytes += spool.bytes
      else finished.push(spool)
    }
  }
  return { finished, activeBytes }
}

/** The Jobs whose output goes with a path. */
function jobsIn(path: string): readonly JobId[] {
  const name = basename(path)
  const jobs = isSmallFile(name) ? [...readSmallFile(path).jobs.keys()] : [name]
  return jobs.flatMap((job) => jobIdSchema.safeParse(job).data ?? [])
}

async function measure(path: string): Promise<FinishedSpool> {
  const own = await stat(path).catch(() => undefined)
  const files = own?.isFile() === true ? [path] : (await names(path)).map((name) => join(path, name))
  let bytes = 0
  let lastWrite = 0
  for (const file of files) {
    const facts = await stat(file).catch(() => undefined)
    bytes += facts?.size ?? 0
    lastWrite = Math.max(lastWrite, facts?.mtimeMs ?? 0)
  }
  return { path, bytes, lastWrite }
}

/** Another process may remove a directory at any time: it then simply holds nothing. */
async function names(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => [])
}
