import { execFile } from "node:child_process"
import { closeSync, constants, lstatSync, openSync, unlinkSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

const BATCH = 32
const LOW = 8
const MODE = 0o600
const MODE_BITS = 0o7777
/** More than a host usually keeps: that many in a row are no work of a command. */
const MOST_SKIPPED = 256

/** FIFOs made ahead of need: the runtimes have no mkfifo(3), and one process makes many (spec shells.md §5.1). */
export interface FifoSupply {
  /** One that nobody has open, or `undefined` when a refill must be waited for. */
  takeNow(): string | undefined
  /** Rejects with the system's error when none can be made. */
  take(): Promise<string>
  /** Takes one back; one that somebody still has open, or has changed, is removed. */
  give(path: string): void
  /** Somebody removed the directory, which is there again: forgets the names in it. */
  renew(): void
  close(): void
}

/** FIFOs in a private directory, their names beginning with `prefix`. */
export function createFifoSupply(
  directory: string,
  { prefix, environment }: { readonly prefix: string; readonly environment: Readonly<Record<string, string>> },
): FifoSupply {
  const run = promisify(execFile)
  let names: string[] = []
  let made = 0
  let filling: Promise<void> | undefined
  let closed = false

  async function fill(): Promise<void> {
    const fresh = Array.from({ length: BATCH }, (_, index) => join(directory, `${prefix}${made + index}`))
    made += BATCH
    await run("mkfifo", ["-m", MODE.toString(8), ...fresh], { env: { ...environment } })
    if (closed) removeFifos(fresh)
    else names.push(...fresh)
  }

  function refill(): Promise<void> {
    filling ??= fill().finally(() => {
      filling = undefined
    })
    return filling
  }

  function takeNow(): string | undefined {
    const name = names.pop()
    // A failure of this refill surfaces at the take that finds the pool empty.
    if (names.length < LOW && !closed) refill().catch(() => undefined)
    return name
  }

  async function take(): Promise<string> {
    for (;;) {
      const name = takeNow()
      if (name !== undefined) return name
      if (closed) throw new Error("the pool of pipes is closed")
      await refill()
    }
  }

  return {
    takeNow,
    take,
    give(path) {
      if (closed || !isAsMade(path)) removeFifos([path])
      else names.push(path)
    },
    renew() {
      names = []
    },
    close() {
      closed = true
      removeFifos(names)
      names = []
    },
  }
}

/**
 * The next one as `open` opens it. One that a command has removed or made inaccessible is no loss of another one's: it is
 * dropped. Rejects with the system's error when there is none to open.
 */
export async function takeOpened<Opened>(
  supply: Pick<FifoSupply, "take">,
  open: (path: string) => Opened,
): Promise<Opened> {
  for (let skipped = 0; ; skipped += 1) {
    const path = await supply.take()
    try {
      return open(path)
    } catch (error) {
      removeFifos([path])
      if (!isSpoilt(error) || skipped >= MOST_SKIPPED) throw error
    }
  }
}

/** Whether the error of an open says that a command has removed the pipe, or taken its permissions away. */
export function isSpoilt(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "EACCES"
}

/**
 * Whether a pipe can serve another command: its permissions are those it was made with, and nobody has it open, so that
 * nobody can read or write what is not theirs.
 */
export const isAsMade = (path: string): boolean => isUnchanged(path) && isClosed(path)

/** Whether it is there with the permissions it was made with. */
export function isUnchanged(path: string): boolean {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found?.isFIFO() === true && (found.mode & MODE_BITS) === MODE
  } catch {
    // Whatever is wrong with its folder, it serves nobody.
    return false
  }
}

/** Whether nobody reads from a pipe that nobody writes into. */
function isClosed(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
    return false
  } catch (error) {
    return codeOf(error) === "ENXIO"
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined
}

/** Removes pipes of ours; what is gone or cannot be removed now goes with the runtime directory. */
export function removeFifos(names: readonly string[]): void {
  for (const name of names) {
    try {
      unlinkSync(name)
    } catch {
      // The runtime directory is removed as a whole afterwards.
    }
  }
}
