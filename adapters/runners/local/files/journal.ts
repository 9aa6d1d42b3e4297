import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { syncFile } from "./effects.ts"
import { hasErrno } from "./errno.ts"

const operationSchema = z.strictObject({
  kind: z.enum(["create", "replace"]),
  /** Real names from the root to the parent directory. */
  directory: z.array(z.string()),
  name: z.string(),
  /** Temporary name of the new content beside the target. */
  staged: z.string(),
  /** Temporary name of the original beside the target; a new file has none. */
  backup: z.string().optional(),
  old_sha256: z.string().optional(),
  new_sha256: z.string(),
  /** Written in place: backup and new content lie in the journal's own directory. */
  in_place: z.boolean(),
})

/** One journalled effect. */
export type JournalOperation = z.infer<typeof operationSchema>

const journalSchema = z.strictObject({
  version: z.literal(1),
  op: z.string().regex(/^[0-9a-f]{32}$/),
  call_id: z.string(),
  invocation_id: z.string(),
  tree_pk: z.string(),
  root: z.string(),
  state: z.enum(["planned", "committed", "cleaned", "rolled_back", "conflict"]),
  /** Directories that did not exist, parents first. */
  made_directories: z.array(z.array(z.string())),
  operations: z.array(operationSchema),
})

/** Everything that is needed to finish or undo a batch of edits after a crash (files-and-git.md §4.4). */
export type Journal = z.infer<typeof journalSchema>

/** A journal that is still to be settled by whoever holds its tree's write lock. */
export const isOpen = (journal: Journal): boolean => journal.state === "planned" || journal.state === "committed"

/** Gives a file a new whole content under its name; a reader sees the old one or the new one. */
async function writeWhole(
  path: string,
  content: string | Uint8Array,
  how: { readonly durable: boolean },
): Promise<void> {
  const temporary = `${path}.tmp`
  const fd = openSync(temporary, "w", 0o600)
  try {
    writeFileSync(fd, content)
    if (how.durable) await syncFile(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, path)
}

async function syncDirectory(path: string): Promise<void> {
  const fd = openSync(path, "r")
  try {
    await syncFile(fd)
  } finally {
    closeSync(fd)
  }
}

/** Where the journals of a data directory lie. */
export const editsDirectory = (dataDir: string): string => join(dataDir, "runner", "edits")

/** The journals of one data directory. */
export class JournalDirectory {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /**
   * Writes a journal's present state so that a crash leaves the old or the new one. `cleaned` is not synced: losing it
   * leaves `committed`, and cleaning once more changes nothing.
   */
  async write(journal: Journal): Promise<void> {
    const durable = journal.state !== "cleaned"
    mkdirSync(this.path, { recursive: true, mode: 0o700 })
    await writeWhole(this.file(journal.op), JSON.stringify(journal), { durable })
    if (durable) await syncDirectory(this.path)
  }

  /** Ids of all journals. */
  ops(): readonly string[] {
    try {
      return readdirSync(this.path).flatMap((name) => /^([0-9a-f]{32})\.json$/.exec(name)?.[1] ?? [])
    } catch (error) {
      if (hasErrno(error, ["ENOENT"])) return []
      throw error
    }
  }

  /** One journal; undefined when another process has just removed it. @throws when its content is not a journal. */
  read(op: string): Journal | undefined {
    try {
      return journalSchema.parse(JSON.parse(readFileSync(this.file(op), "utf8")))
    } catch (error) {
      if (hasErrno(error, ["ENOENT"])) return undefined
      throw error
    }
  }

  /** Wall-clock milliseconds of the last state; undefined when the journal is gone. */
  writtenAt(op: string): number | undefined {
    return statSync(this.file(op), { throwIfNoEntry: false })?.mtimeMs
  }

  /** Forgets a settled journal. */
  remove(op: string): void {
    rmSync(this.file(op), { force: true })
    rmSync(join(this.path, op), { recursive: true, force: true })
  }

  /** Path of a backup or new content kept in the journal's own directory. */
  kept(op: string, index: number, suffix: "old" | "new"): string {
    return join(this.path, op, `${index}.${suffix}`)
  }

  /** Keeps bytes in the journal's own directory, durably. */
  async keep(
    op: string,
    index: number,
    kept: { readonly suffix: "old" | "new"; readonly bytes: Uint8Array },
  ): Promise<void> {
    const directory = join(this.path, op)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    await writeWhole(this.kept(op, index, kept.suffix), kept.bytes, { durable: true })
    await syncDirectory(directory)
  }

  /** Removes what `keep` wrote. */
  dropKept(op: string): void {
    rmSync(join(this.path, op), { recursive: true, force: true })
  }

  private file(op: string): string {
    return join(this.path, `${op}.json`)
  }
}
