import { execFile } from "node:child_process"
import { unlinkSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"

const BATCH = 32
const LOW = 8

/** FIFOs made ahead of need: the runtimes have no mkfifo(3), and one process makes many (spec shells.md §5.1). */
export interface FifoSupply {
  /** One that nobody has open, or `undefined` when a refill must be waited for. */
  takeNow(): string | undefined
  /** Rejects with the system's error when none can be made. */
  take(): Promise<string>
  /** Takes one back that nobody has open any more. */
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
      if (closed) remove([path])
      else names.push(path)
    },
    renew() {
      names = []
    },
    close() {
      closed = true
      remove(names)
      names = []
    },
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
