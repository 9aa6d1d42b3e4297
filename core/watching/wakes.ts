import type { ShellUid } from "../kernel/ids.ts"
import type { RunnerDirectory } from "../runners/runner.ts"

/** How long a source of events that failed is left alone. */
const RETRY_MS = 1_000

/** Remembers that something happened until somebody asks; costs nothing until then. */
export class Wakes {
  #isAwake = true
  #waiting: (() => void) | undefined

  /** Something happened. */
  readonly wake = (): void => {
    this.#isAwake = true
    this.#waiting?.()
    this.#waiting = undefined
  }

  /** Resolves when something has happened since the last time. */
  async next(): Promise<void> {
    if (!this.#isAwake) await new Promise<void>((resolve) => (this.#waiting = resolve))
    this.#isAwake = false
  }
}

/** Calls `happened` whenever a Job or a shell of a Runner starts or ends, until the signal; the shells are named. */
export function listenToRunners(
  runners: RunnerDirectory,
  of: Listening & { readonly happened: (shells?: readonly ShellUid[]) => void },
): void {
  for (const id of runners.ids()) {
    const runner = runners.get(id)
    if (runner === undefined) continue
    const { signal, happened } = of
    void follow(async (since) => {
      const { sequence } = await runner.jobs.events({ since, signal })
      happened()
      return sequence
    }, of)
    void follow(async (since) => {
      const { sequence, shellUids } = await runner.shells.events({ since, signal })
      happened(shellUids)
      return sequence
    }, of)
  }
}

interface Listening {
  readonly signal: AbortSignal
  readonly sleep: (ms: number) => Promise<void>
}

async function follow(next: (since: number) => Promise<number>, of: Listening): Promise<void> {
  let since = 0
  while (!of.signal.aborted) {
    try {
      since = await next(since)
    } catch {
      // A host that is away comes back or is replaced; what happened meanwhile is found in the rows.
      since = 0
      await of.sleep(RETRY_MS)
    }
  }
}
