import { execFile } from "node:child_process"
import { closeSync, constants, openSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

/** Both ends of one real pipe; `/dev/stdout` and `/dev/fd/N` work on it, as on no socket pair (spec shells.md §4.2). */
export interface OutputPipe {
  /** Non-blocking. */
  readonly readFd: number
  /** Opened for reading too: a child that keeps it never gets SIGPIPE when the reader dies (spec exec-and-jobs.md §6.2). */
  readonly writeFd: number
}

const BATCH = 32
const LOW = 8

/** Makes pipes ahead of need: Node has no pipe(2), and one `mkfifo` for many costs a command nothing. */
export interface PipePool {
  /** Rejects with the system's error when no pipe can be made. */
  take(): Promise<OutputPipe>
  close(): void
}

/** A pool of named pipes in a private directory; each name is removed as its pipe is taken, so none is used twice. */
export function createPipePool(directory: string, environment: Readonly<Record<string, string>>): PipePool {
  const run = promisify(execFile)
  let names: string[] = []
  let made = 0
  let filling: Promise<void> | undefined
  let closed = false

  async function fill(): Promise<void> {
    const fresh = Array.from({ length: BATCH }, (_, index) => join(directory, `p${made + index}`))
    made += BATCH
    await run("mkfifo", ["-m", "600", ...fresh], { env: { ...environment } })
    if (closed) remove(fresh)
    else names.push(...fresh)
  }

  function refill(): Promise<void> {
    filling ??= fill().finally(() => {
      filling = undefined
    })
    return filling
  }

  return {
    async take() {
      while (names.length === 0) await refill()
      const name = names.shift()
      if (name === undefined) return this.take()
      // A failure of this refill surfaces at the take that finds the pool empty.
      if (names.length < LOW) refill().catch(() => undefined)
      return open(name)
    },
    close() {
      closed = true
      remove(names)
      names = []
    },
  }
}

function open(name: string): OutputPipe {
  const readFd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return { readFd, writeFd: openSync(name, constants.O_RDWR) }
  } catch (error) {
    closeSync(readFd)
    throw error
  } finally {
    unlinkSync(name)
  }
}

function remove(names: readonly string[]): void {
  for (const name of names) {
    try {
      unlinkSync(name)
    } catch {
      // The runtime directory is removed as a whole afterwards.
    }
  }
}
