import { constants, statSync } from "node:fs"
import { mkdir, open, readdir, rm, stat } from "node:fs/promises"
import path from "node:path"
import type { AuditLine, AuditSink } from "../../core/shells/audit-log/command-log.ts"

/** The audit log on disk: one file, or a directory with a file a group of lines (port `AuditSink`, spec shells.md §13). */
export interface AuditLog extends AuditSink {
  /** Removes files of a directory that nothing was added to for the configured days; dates in the future stay. */
  sweep(now: number): Promise<void>
  /** Resolves when everything appended so far is written, or could not be. */
  flush(): Promise<void>
}

/** Where the log is and how long it is kept. */
export interface AuditLogOptions {
  /** Absolute. A directory if it is one, or ends with a separator; else a file. */
  readonly target: string
  /** 0: never removed. */
  readonly days: number
  /** Told the first failure to write, and no later one. */
  readonly warn: (error: unknown) => void
}

const DAY_MS = 86_400_000
const PRIVATE_FILE = 0o600
const PRIVATE_DIRECTORY = 0o700
/** Units of text that wait for a disk; what comes on top is left out. */
const MAX_WAITING = 16_777_216
const OWN_NAME = /^.+-\d+\.jsonl$/

/** Appends lines in order, off the caller's path; a disk that fails costs lines, never a result. */
export function createAuditLog({ target, days, warn }: AuditLogOptions): AuditLog {
  const isDirectory = target.endsWith(path.sep) || isExistingDirectory(target)
  const fileOf = (line: AuditLine): string => (isDirectory ? path.join(target, fileName(line)) : target)
  let waiting = new Map<string, string>()
  let units = 0
  let writing: Promise<void> | undefined
  let warned = false

  function fault(error: unknown): void {
    if (!warned) warn(error)
    warned = true
  }

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = waiting
      waiting = new Map()
      units = 0
      for (const [file, text] of batch) await appendPrivately(file, text).catch(fault)
    }
    writing = undefined
  }

  return {
    append(line) {
      const text = `${line.text}\n`
      if (units + text.length > MAX_WAITING) return fault(new Error("the disk is too slow for the audit log"))
      units += text.length
      const file = fileOf(line)
      waiting.set(file, (waiting.get(file) ?? "") + text)
      writing ??= Promise.resolve().then(writeAll)
    },
    async sweep(now) {
      if (isDirectory && days > 0) await removeOld(target, now - days * DAY_MS).catch(fault)
    },
    async flush() {
      await writing
    },
  }
}

function isExistingDirectory(target: string): boolean {
  return statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** `<group>-<since ms>.jsonl`; an id names no other place. */
function fileName({ group, since }: AuditLine): string {
  return `${group.replaceAll(/[^A-Za-z0-9._@:-]/g, "_")}-${since}.jsonl`
}

async function appendPrivately(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_DIRECTORY })
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW
  const handle = await open(file, flags, PRIVATE_FILE)
  try {
    if (((await handle.stat()).mode & 0o077) !== 0) await handle.chmod(PRIVATE_FILE)
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
}

async function removeOld(directory: string, before: number): Promise<void> {
  const names = await readdir(directory).catch(() => [])
  for (const name of names.filter((entry) => OWN_NAME.test(entry))) {
    const file = path.join(directory, name)
    const { mtimeMs } = await stat(file)
    if (mtimeMs < before) await rm(file, { force: true })
  }
}
