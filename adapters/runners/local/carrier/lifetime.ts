/** Why a host goes by itself: nothing is held, nobody came for too long, or its data directory was removed. */
export type HostEnd = "idle" | "orphaned" | "homeless"

/** What decides how long a host stays. Times are ms. */
export interface LifetimeOptions {
  readonly lingerMs: number
  /** Absent: what lives goes on for ever. */
  readonly abandonMs?: number
  /** It holds a shell, a running Job, or an end that nobody has acknowledged. */
  isNeeded(): Promise<boolean>
  /** A Job runs whose own time is not over. */
  isBusy(): Promise<boolean>
  /** Its data directory is there. */
  hasHome(): boolean
  end(why: HostEnd): void
}

/** The stay of one host (spec shells.md §2.1). */
export interface Lifetime {
  noteClient(change: 1 | -1): void
  close(): void
}

const LOOK_EVERY_MS = 60_000
/** Whoever started it comes within this. */
const FIRST_CLIENT_MS = 10_000
/** A host that nobody is with looks so often whether it still holds something. */
const AGAIN_AFTER_MS = 5000

/** Begins without a client: a host that nobody comes to goes too. */
export function createLifetime(options: LifetimeOptions): Lifetime {
  let clients = 0
  let isClosed = false
  let abandonedMs = 0
  let linger = startLinger(Math.max(FIRST_CLIENT_MS, options.lingerMs))
  const { abandonMs = Number.POSITIVE_INFINITY } = options
  const stepMs = Math.min(LOOK_EVERY_MS, abandonMs)
  const look = setInterval(() => void count().catch(() => undefined), stepMs)

  function startLinger(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => void endIfIdle().catch(() => undefined), ms)
  }

  async function endIfIdle(): Promise<void> {
    if (clients > 0) return
    const isNeeded = await options.isNeeded()
    if (clients > 0 || isClosed) return
    if (!isNeeded) return options.end("idle")
    // What it holds may end at any time.
    clearTimeout(linger)
    linger = startLinger(Math.max(AGAIN_AFTER_MS, options.lingerMs))
  }

  /** The time without a client counts only while no Job uses it. */
  async function count(): Promise<void> {
    if (clients > 0) return
    if (!options.hasHome()) return options.end("homeless")
    await endIfIdle()
    if (await options.isBusy()) return
    abandonedMs += stepMs
    if (abandonedMs >= abandonMs && clients === 0) options.end("orphaned")
  }

  return {
    noteClient(change) {
      clients += change
      clearTimeout(linger)
      abandonedMs = 0
      if (clients === 0) linger = startLinger(options.lingerMs)
    },
    close() {
      isClosed = true
      clearTimeout(linger)
      clearInterval(look)
    },
  }
}
