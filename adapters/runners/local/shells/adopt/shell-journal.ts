import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { type ShellUid, shellUidSchema } from "../../../../../core/kernel/ids.ts"

const entrySchema = z.discriminatedUnion("e", [
  z.object({
    e: z.literal("opened"),
    shell: shellUidSchema,
    at: z.number(),
    boot: z.string(),
    pid: z.number(),
    start: z.number(),
    /** Where its FIFOs are. */
    directory: z.string(),
  }),
  z.object({
    e: z.literal("closed"),
    shell: shellUidSchema,
    at: z.number(),
    state: z.enum(["closed", "lost", "poisoned"]),
    reason: z.string(),
  }),
  /** Its end is stored, or another host has it. */
  z.object({ e: z.literal("settled"), shell: shellUidSchema }),
  /** The host's own folder of the runtime directory. */
  z.object({ e: z.literal("folder"), directory: z.string() }),
])

/** One line of a host's journal of shells (spec shells.md §15): no text, environment or output. */
export type ShellEntry = z.infer<typeof entrySchema>
type Opened = Extract<ShellEntry, { readonly e: "opened" }>
type Closed = Extract<ShellEntry, { readonly e: "closed" }>

/** What a journal says of one shell that is not settled. */
export interface JournalledShell {
  readonly shellUid: ShellUid
  /** Its generations, the newest last. */
  readonly opened: readonly Opened[]
  readonly closed?: Closed
}

/** Which shells a host has; survives it. */
export interface ShellJournal {
  /** Throws the system's error when it cannot be written. */
  append(entry: ShellEntry): void
  close(): void
}

const FILE = "shells"

/** Opens the journal in a host's directory, or goes on in it. */
export function openShellJournal(directory: string): ShellJournal {
  const fd = openSync(join(directory, FILE), "a", 0o600)
  let open = true
  // The death of a host may have torn the last line.
  writeSync(fd, "\n")
  return {
    append(entry) {
      if (!open) throw new Error("the journal is closed")
      writeSync(fd, `${JSON.stringify(entry)}\n`)
    },
    close() {
      if (open) closeSync(fd)
      open = false
    },
  }
}

/** The shells of a host's directory that nobody has settled. */
export function readShellJournal(directory: string): readonly JournalledShell[] {
  const shells = new Map<ShellUid, JournalledShell>()
  for (const line of linesOf(join(directory, FILE))) {
    const entry = parse(line)
    if (entry === undefined || entry.e === "folder") continue
    const known = shells.get(entry.shell) ?? { shellUid: entry.shell, opened: [] }
    if (entry.e === "settled") shells.delete(entry.shell)
    else if (entry.e === "closed") shells.set(entry.shell, { ...known, closed: entry })
    else shells.set(entry.shell, { ...known, opened: [...known.opened, entry] })
  }
  return [...shells.values()]
}

/** The runtime folder that this host made; shells that it took over may live in another's. */
export function readShellFolders(directory: string): readonly string[] {
  return linesOf(join(directory, FILE)).flatMap((line) => {
    const entry = parse(line)
    return entry?.e === "folder" ? [entry.directory] : []
  })
}

function parse(line: string): ShellEntry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n")
  } catch {
    return []
  }
}
