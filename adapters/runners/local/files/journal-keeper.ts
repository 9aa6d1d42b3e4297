import type { EditConflict, JournalOutcome } from "../../../../core/files/fs.ts"
import { isToolError } from "../../../../core/kernel/error.ts"
import { conflictOf } from "./conflicts.ts"
import { type Confinement, OpenDirectories } from "./directory.ts"
import { isOpen, type Journal, type JournalDirectory } from "./journal.ts"
import { settle } from "./settle.ts"

/** What a keeper needs. */
export interface KeeperOptions {
  readonly journals: JournalDirectory
  readonly confinement: Confinement
  /** Wall clock, ms. */
  now(): number
  callIsOpen(callId: string): Promise<boolean>
}

/** A settled journal stays at least this long, so that each recorded role of its call can ask for the outcome. */
const KEEP_MS = 60_000

const OUTCOMES: Readonly<Record<Journal["state"], JournalOutcome>> = {
  planned: "unsettled",
  committed: "applied",
  cleaned: "applied",
  rolled_back: "rolled_back",
  conflict: "conflict",
}

/** Settles, finds and finally forgets journals. Settled ones never change again, so each is read once. */
export class JournalKeeper {
  private readonly options: KeeperOptions
  private readonly settled = new Map<string, Journal>()

  constructor(options: KeeperOptions) {
    this.options = options
  }

  /** Settles every open journal of a tree; its write lock must be held, so they belong to dead processes. */
  async settleTree(treePk: string): Promise<void> {
    for (const journal of this.all()) {
      if (journal.tree_pk === treePk && isOpen(journal)) await this.settleOne(journal)
    }
  }

  /** Trees with open journals, whoever they belong to. */
  openTrees(): readonly string[] {
    return [
      ...new Set(
        this.all()
          .filter(isOpen)
          .map(({ tree_pk }) => tree_pk),
      ),
    ]
  }

  /** The journal of a call. */
  find(invocationId: string): Journal | undefined {
    return this.all().find(({ invocation_id }) => invocation_id === invocationId)
  }

  /** Batches of a root that could not be undone; each warns until a person has removed its journal. */
  conflicts(root: string): readonly EditConflict[] {
    return this.all()
      .filter((journal) => journal.state === "conflict" && journal.root === root)
      .map(conflictOf)
  }

  /** How the edits of a call ended; undefined without a journal. */
  outcome(invocationId: string): JournalOutcome | undefined {
    const journal = this.find(invocationId)
    return journal === undefined ? undefined : OUTCOMES[journal.state]
  }

  /** Deletes settled journals that no open call names, at most so many; a conflict stays for a person to look at. */
  async sweep(most = Number.POSITIVE_INFINITY): Promise<void> {
    let removed = 0
    for (const { op, state, call_id } of this.all()) {
      if (removed >= most) return
      if (state !== "cleaned" && state !== "rolled_back") continue
      const writtenAt = this.options.journals.writtenAt(op)
      if (writtenAt === undefined || this.options.now() - writtenAt < KEEP_MS) continue
      if (await this.options.callIsOpen(call_id)) continue
      this.options.journals.remove(op)
      removed += 1
      this.settled.delete(op)
    }
  }

  private all(): readonly Journal[] {
    const ops = this.options.journals.ops()
    return ops.flatMap((op) => {
      const known = this.settled.get(op)
      if (known !== undefined) return known
      const journal = this.options.journals.read(op)
      if (journal !== undefined && !isOpen(journal)) this.settled.set(op, journal)
      return journal ?? []
    })
  }

  private async settleOne(journal: Journal): Promise<void> {
    const directories = new OpenDirectories(this.options.confinement)
    try {
      const root = directories.openRoot(journal.root)
      await settle({ directories, root, journals: this.options.journals }, journal)
    } catch (error) {
      // A root that is away is settled when it is back; the journal keeps what is needed.
      if (!isToolError(error)) throw error
    } finally {
      directories.closeAll()
    }
  }
}
