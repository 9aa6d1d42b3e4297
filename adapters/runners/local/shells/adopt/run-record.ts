import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { jobIdSchema } from "../../../../../core/kernel/ids.ts"

const recordSchema = z.object({
  job: jobIdSchema,
  token: z.string(),
  /** Names of its pipes. */
  out: z.string(),
  err: z.string().exactOptional(),
  startedAt: z.number(),
  timeoutMs: z.number(),
  streams: z.enum(["split", "merged"]),
  tty: z.boolean(),
  /** Background work that was there before it. */
  older: z.array(z.object({ pid: z.number(), startTime: z.number() })),
  /** What was known of the shell's traps when it was sent (spec shells.md §5.5). */
  canAbort: z.boolean(),
  trapsInt: z.boolean(),
  /** Commands that ran since the newest snapshot, this one among them. */
  behind: z.number(),
})

/** The command whose frame was sent last to one generation of a shell; no byte of its text or output. */
export type RunRecord = z.infer<typeof recordSchema>

const FILE = "run"
/** One write of one length, so that a reader never sees parts of two. */
const BYTES = 1024
const MAX_OLDER = 8

/** Says what runs in a generation, in one system call a command. */
export interface RunNotes {
  note(record: RunRecord): void
  close(): void
}

/** Opens the file beside the FIFOs. */
export function createRunNotes(directory: string): RunNotes {
  const fd = openSync(join(directory, FILE), constants.O_WRONLY | constants.O_CREAT, 0o600)
  const buffer = Buffer.alloc(BYTES)
  let open = true
  return {
    note(record) {
      const isShort = record.older.length <= MAX_OLDER
      const text = JSON.stringify(isShort ? record : { ...record, older: record.older.slice(0, MAX_OLDER) })
      if (!open) return
      if (text.length > BYTES) {
        writeSync(fd, text, 0)
        return
      }
      buffer.fill(" ", buffer.write(text, "latin1"))
      writeSync(fd, buffer, 0, BYTES, 0)
    },
    close() {
      if (open) closeSync(fd)
      open = false
    },
  }
}

/** The last command of a generation; `undefined` where none was sent. */
export function readRunRecord(directory: string): RunRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(readFileSync(join(directory, FILE), "utf8"))).data
  } catch {
    return undefined
  }
}
