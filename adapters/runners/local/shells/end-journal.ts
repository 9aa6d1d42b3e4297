import type { EndedEntry, Journal, JournalEntry } from "../host/journal.ts"

/**
 * The journal as commands of shells use it. An end that a status file proves is told before it is written (spec shells.md
 * §6): it goes with the next entry, or when this turn of the event loop is over.
 */
export interface EndJournal {
  /** Throws the system's error when the entry could not be written. */
  accept(entry: JournalEntry): void
  /** `written` is called once it is written: until then something else must prove it. */
  end(entry: EndedEntry, written?: () => void): void
  /** Writes what waits. */
  flush(): void
  /** From now on nothing waits. */
  close(): void
}

/** Over the journal of a host; `isPrompt`: nothing waits. */
export function createEndJournal(journal: Pick<Journal, "append">, isPrompt = false): EndJournal {
  let waiting: { readonly entry: EndedEntry; readonly written: (() => void) | undefined }[] = []
  let turn: ReturnType<typeof setImmediate> | undefined
  let isClosed = isPrompt

  function write(entries: readonly JournalEntry[]): void {
    clearImmediate(turn)
    turn = undefined
    // Those of a write that fails wait for the next one.
    journal.append(...waiting.map(({ entry }) => entry), ...entries)
    const ends = waiting
    waiting = []
    for (const { written } of ends) written?.()
  }

  function flush(): void {
    if (waiting.length === 0) return
    try {
      write([])
    } catch {
      // Servers that live learn the end from the facts, and the next host from the status file, which is kept.
    }
  }

  return {
    accept: (entry) => write([entry]),
    end(entry, written) {
      waiting.push({ entry, written })
      if (isClosed) flush()
      else turn ??= setImmediate(flush)
    },
    flush,
    close() {
      isClosed = true
      flush()
    },
  }
}
