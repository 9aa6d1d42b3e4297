import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { outcomeRecordSchema, totalsRecordSchema } from "../../../../core/jobs/record-schema.ts"

/** What another host needs to go on with a Job. */
const placeSchema = z.object({
  /** The private folder of the runtime directory that holds the Job's pipes. */
  runtime: z.string(),
  timeoutMs: z.number(),
  background: z.enum(["end", "keep"]),
  /** It runs on another machine. */
  far: z.literal(true).exactOptional(),
})
export type JournalledPlace = z.infer<typeof placeSchema>

const entrySchema = z.discriminatedUnion("e", [
  z.object({
    e: z.literal("accepted"),
    job: z.string(),
    at: z.number(),
    boot: z.string(),
    place: placeSchema.exactOptional(),
  }),
  z.object({ e: z.literal("started"), job: z.string(), at: z.number(), pid: z.number(), start: z.number() }),
  z.object({
    e: z.literal("ended"),
    job: z.string(),
    at: z.number(),
    /** Absent when the process never came into being. */
    outcome: outcomeRecordSchema.exactOptional(),
    totals: totalsRecordSchema,
    gap: z.boolean(),
  }),
])

/** One line of a host's journal (spec exec-and-jobs.md §6.1): no byte of a command, its input or its output. */
export type JournalEntry = z.infer<typeof entrySchema>
export type EndedEntry = Extract<JournalEntry, { readonly e: "ended" }>

/** All entries of one Job, in the order they were written. */
export interface JournalledRun {
  readonly accepted: { readonly at: number; readonly boot: string; readonly place?: JournalledPlace }
  readonly started?: { readonly at: number; readonly pid: number; readonly start: number }
  readonly ended?: EndedEntry
}

/** The order book of a host: what it took on, what ran, how it ended; survives the death of the host. */
export interface Journal {
  /** In one write; throws the system's error when the entries could not be written. */
  append(...entries: readonly JournalEntry[]): void
  /** The Job's entries need not be kept any more. */
  forget(jobId: string): void
  close(): void
}

/** Name of the journal in a host's directory. */
export const JOURNAL_FILE = "journal"

const COMPACT_AFTER = 2000

/** Opens a new journal in the host's directory. */
export function createJournal(directory: string): Journal {
  const path = join(directory, JOURNAL_FILE)
  let fd = openSync(path, "a", 0o600)
  let closed = false
  const kept = new Map<string, JournalEntry[]>()
  let forgotten = 0

  function compact(): void {
    const fresh = `${path}.new`
    const next = openSync(fresh, "w", 0o600)
    for (const entries of kept.values()) for (const entry of entries) writeSync(next, line(entry))
    fsyncSync(next)
    renameSync(fresh, path)
    closeSync(fd)
    fd = next
    forgotten = 0
  }

  return {
    append(...entries) {
      // The number of a closed descriptor may name another file by now.
      if (closed) throw new Error("the journal is closed")
      writeSync(fd, entries.map(line).join(""))
      for (const entry of entries) {
        if (entry.e === "accepted") kept.set(entry.job, [])
        // Of a Job that was forgotten before its end was written there is nothing to keep.
        kept.get(entry.job)?.push(entry)
      }
    },
    forget(jobId) {
      if (closed || !kept.delete(jobId)) return
      forgotten += 1
      if (forgotten >= COMPACT_AFTER && forgotten > kept.size) compact()
    },
    close() {
      closed = true
      closeSync(fd)
    },
  }
}

/** Goes on in the journal of a host that is gone; nothing of it is ever forgotten by this. */
export function reopenJournal(directory: string): Journal {
  const fd = openSync(join(directory, JOURNAL_FILE), "a", 0o600)
  let closed = false
  // Its death may have torn the last line, which must not take the next one with it.
  writeSync(fd, "\n")
  return {
    append(...entries) {
      if (closed) throw new Error("the journal is closed")
      writeSync(fd, entries.map(line).join(""))
    },
    forget: () => undefined,
    close() {
      closed = true
      closeSync(fd)
    },
  }
}

const line = (entry: JournalEntry): string => `${JSON.stringify(entry)}\n`

/** Reads the journal of a host that is gone; a torn last line, which its death may leave, is no entry. */
export function readJournal(directory: string): ReadonlyMap<string, JournalledRun> {
  const runs = new Map<string, JournalledRun>()
  for (const text of readLines(join(directory, JOURNAL_FILE))) {
    const entry = parseEntry(text)
    if (entry !== undefined) runs.set(entry.job, withEntry(runs.get(entry.job), entry))
  }
  return runs
}

function withEntry(run: JournalledRun | undefined, entry: JournalEntry): JournalledRun {
  const accepted = run?.accepted ?? acceptance(entry)
  switch (entry.e) {
    case "accepted":
      return { ...run, accepted }
    case "started":
      return { ...run, accepted, started: { at: entry.at, pid: entry.pid, start: entry.start } }
    case "ended":
      return { ...run, accepted, ended: entry }
  }
}

function acceptance(entry: JournalEntry): JournalledRun["accepted"] {
  if (entry.e !== "accepted") return { at: entry.at, boot: "" }
  const { at, boot, place } = entry
  return { at, boot, ...(place === undefined ? {} : { place }) }
}

function parseEntry(text: string): JournalEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n")
  } catch {
    return []
  }
}
