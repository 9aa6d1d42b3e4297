import { setTimeout as sleep } from "node:timers/promises"
import type { RunnerHost } from "../../../../core/runners/host-store.ts"
import { type Connection, openConnection } from "./connection.ts"
import type { LaunchedHost } from "./launch-host.ts"
import type { Lease } from "./lease.ts"
import { type Hello, PROTOCOL, type Welcome } from "./protocol.ts"

/** A host that answers. */
export interface Reached {
  readonly hostId: string
  readonly connection: Connection
}

/** The way of one server to the host of its data directory, whichever that is at a time. */
export interface Contact {
  /** The host that was reached last; `""` before the first. */
  readonly hostId: string
  /** The host; one is started where none lives. Rejects with `HostUnreachable`. */
  reach(): Promise<Reached>
  /** The host that is reached now. */
  readonly current: Reached | undefined
  /** The host that lives, or the next one where one died that held something; `undefined` where there is none. */
  find(): Promise<Reached | undefined>
  readonly isClosed: boolean
  /** From now on the host may go: no other one is started for what it held. */
  yield(): void
  /** Lets go of the host; it goes on. */
  close(): void
}

/** What a contact is made of. */
export interface ContactOptions {
  readonly lease: Lease
  /** Starts the host of a row that is ours. */
  launch(row: RunnerHost): Promise<LaunchedHost>
  readonly hello: Hello
  /** Told of a host that was reached, before anything is called. */
  greet(host: Reached): void
  /** Asks a living host whose socket does not answer to make it again. */
  nudge(row: RunnerHost): void
  /** The host was lost and the next one could not be had yet. */
  report(error: unknown): void
}

/** No host could be reached in time, or this server has let go of it. */
export class HostUnreachable extends Error {
  override readonly name = "HostUnreachable"
}

const REACH_WITHIN_MS = 5000
const ASK_EVERY_MS = 15
const NUDGE_EVERY_MS = 1000
const AGAIN_AFTER_MS = 1000
/** Hosts that end as they are started before it is said that none can be had. */
const MAX_STARTS = 2

/** One contact a server. */
export function createContact(options: ContactOptions): Contact {
  const { lease } = options
  let current: Reached | undefined
  let underWay: Promise<Reached | undefined> | undefined
  let lastHostId = ""
  let closed = false

  /** One attempt at a time, whoever asks; `wanted` starts a host where there is none. */
  async function settle(wanted: boolean): Promise<Reached | undefined> {
    if (current?.connection.isOpen === true) return current
    underWay ??= search(wanted).finally(() => {
      underWay = undefined
    })
    const found = await underWay
    // The attempt that was under way may have been one that starts nothing.
    return found === undefined && wanted ? settle(true) : found
  }

  async function search(wanted: boolean): Promise<Reached | undefined> {
    const until = performance.now() + REACH_WITHIN_MS
    let starts = 0
    while (!closed) {
      const holder = await lease.look()
      if (holder.state === "none" && !wanted) return undefined
      const reached = holder.state === "alive" ? await knock(holder.row, until) : await succeed(until)
      if (reached === "ended") {
        starts += 1
        // Another one may have been faster, or may have taken from it what it needed: the next look tells.
        if (starts >= MAX_STARTS) throw new HostUnreachable("the Runner host ended as it was started")
        continue
      }
      if (reached !== undefined) return keep(reached)
      if (performance.now() > until) break
    }
    throw new HostUnreachable(closed ? "this server stops" : "the Runner host does not answer")
  }

  /** Starts the next host, unless another server is faster. */
  async function succeed(until: number): Promise<Reached | "ended" | undefined> {
    const taken = await lease.take()
    if (taken === undefined) return undefined
    let host: LaunchedHost
    try {
      host = await options.launch(taken.row)
    } catch (error) {
      await lease.giveUp(taken)
      throw new HostUnreachable("the Runner host could not be started", { cause: error })
    }
    await lease.handOver(taken, host.pid)
    let hasEnded = false
    void host.ended.then(() => {
      hasEnded = true
    })
    const reached = await knock(taken.row, until, () => hasEnded)
    if (reached === undefined && hasEnded) await lease.giveUp(taken)
    return reached ?? (hasEnded ? "ended" : undefined)
  }

  /** Tries the socket until somebody answers, the holder is gone, or the time is over. */
  async function knock(row: RunnerHost, until: number, isHopeless = () => false): Promise<Reached | undefined> {
    let nudgeAt = performance.now() + NUDGE_EVERY_MS
    while (!closed && !isHopeless() && performance.now() < until) {
      const reached = await enter(row)
      if (reached !== undefined) return reached
      await sleep(ASK_EVERY_MS)
      if (performance.now() < nudgeAt) continue
      const holder = await lease.look()
      if (holder.state !== "alive" || holder.row.hostId !== row.hostId) return undefined
      options.nudge(row)
      nudgeAt = performance.now() + NUDGE_EVERY_MS
    }
    return undefined
  }

  async function enter(row: RunnerHost): Promise<Reached | undefined> {
    const connection = await openConnection(row.socket).catch(() => undefined)
    if (connection === undefined) return undefined
    let isNewer = false
    try {
      const welcome = await connection.call<Welcome>("host.hello", [options.hello])
      if (welcome.protocol === PROTOCOL && welcome.hostId === row.hostId) return { hostId: welcome.hostId, connection }
      // What it holds lives on, and the next host of our protocol takes it over (spec shells.md §2.1).
      if (welcome.protocol < PROTOCOL) await connection.call("host.release", [])
      isNewer = welcome.protocol > PROTOCOL
    } catch {
      // It ended while it was asked.
    }
    connection.close()
    // Two servers that each released the other's host would never end.
    if (isNewer) throw new HostUnreachable("a newer Holdfast serves this data directory; restart this server")
    return undefined
  }

  function keep(reached: Reached): Reached {
    current = reached
    lastHostId = reached.hostId
    void reached.connection.closed.then(() => {
      if (current === reached) current = undefined
      if (!closed) void recover()
    })
    if (closed) reached.connection.close()
    else options.greet(reached)
    return reached
  }

  /** What lives should not wait for the next call that needs it (spec exec-and-jobs.md §6.2). */
  async function recover(): Promise<void> {
    while (!closed) {
      try {
        await settle(false)
        return
      } catch (error) {
        if (closed) return
        options.report(error)
        await sleep(AGAIN_AFTER_MS, undefined, { ref: false })
      }
    }
  }

  return {
    get hostId() {
      return lastHostId
    },
    async reach() {
      const reached = await settle(true)
      if (reached === undefined) throw new HostUnreachable("the Runner host does not answer")
      return reached
    },
    get current() {
      return current?.connection.isOpen === true ? current : undefined
    },
    find: () => settle(false),
    get isClosed() {
      return closed
    },
    yield() {
      closed = true
    },
    close() {
      closed = true
      current?.connection.close()
    },
  }
}
