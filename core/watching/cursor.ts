import { z } from "zod"
import { type JobId, jobIdSchema, type ShellUid, shellUidSchema } from "../kernel/ids.ts"

/** What was told of a Job that is not over: nothing yet, its start, its end (bytes may still come). */
export const TOLD = ["known", "started", "ended"] as const
/** One of `TOLD`. */
export type Told = (typeof TOLD)[number]

/** How far a Job was followed. */
export interface JobPosition {
  readonly jobId: JobId
  readonly stdout: number
  readonly stderr: number
  readonly told: Told
}

/** A place in what can be watched, from which one can go on in any server of the data directory (spec shells.md §13). */
export interface WatchPosition {
  /** Jobs created before it are over or among `jobs`; ms. */
  readonly since: number
  /** Marks of Jobs created and shells closed since then that are over. */
  readonly over: readonly string[]
  readonly jobs: readonly JobPosition[]
  /** Shells whose opening was told and whose closing was not. */
  readonly shells: readonly ShellUid[]
}

/** Longest cursor: it has to fit into a request target. */
export const MAX_CURSOR = 8_192
const MARK_UNITS = 10
const JOB_PREFIX = "wc_job_"

/** A Job among those of a few seconds. */
export const markOf = (jobId: JobId): string => jobId.slice(JOB_PREFIX.length, JOB_PREFIX.length + MARK_UNITS)

/** A shell among those. */
export const shellMark = (uid: ShellUid): string => uid.slice(0, MARK_UNITS)

const offset = z.int().min(0)
const cursorSchema = z.tuple([
  z.literal(1),
  z.int().min(0),
  z.array(z.string().regex(/^[0-9a-z]{10}$/)),
  z.array(z.tuple([z.string().max(24), offset, offset, z.int().min(0).max(2)])),
  z.array(shellUidSchema),
])

/** A position as text; `undefined` where it would be longer than `MAX_CURSOR`. */
export function encodePosition({ since, over, jobs, shells }: WatchPosition): string | undefined {
  const parts: z.input<typeof cursorSchema> = [
    1,
    since,
    [...over],
    jobs.map(({ jobId, stdout, stderr, told }) => [shortId(jobId), stdout, stderr, TOLD.indexOf(told)]),
    [...shells],
  ]
  const text = Buffer.from(JSON.stringify(parts)).toString("base64url")
  return text.length > MAX_CURSOR ? undefined : text
}

/** The position that a cursor names; `undefined` for a text that is none. */
export function decodePosition(cursor: string): WatchPosition | undefined {
  if (cursor.length > MAX_CURSOR || !/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined
  const parsed = cursorSchema.safeParse(jsonOf(Buffer.from(cursor, "base64url").toString("utf8")))
  if (!parsed.success) return undefined
  const [, since, over, packed, shells] = parsed.data
  const jobs: JobPosition[] = []
  for (const [id, stdout, stderr, told] of packed) {
    const jobId = jobIdSchema.safeParse(`${JOB_PREFIX}${Buffer.from(id, "base64url").toString("hex")}`)
    const state = TOLD[told]
    if (!jobId.success || state === undefined) return undefined
    jobs.push({ jobId: jobId.data, stdout, stderr, told: state })
  }
  return { since, over, jobs, shells }
}

const shortId = (jobId: JobId): string => Buffer.from(jobId.slice(JOB_PREFIX.length), "hex").toString("base64url")

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
