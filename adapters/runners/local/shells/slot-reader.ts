import { closeSync, constants, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { type PipeReader, readPipe, readSome } from "../host/pipe-reader.ts"
import type { Slot, SlotPool } from "./slots.ts"
import { createSplitter, type Splitter } from "./split.ts"

/** More than a pipe can hold: whoever still writes does not stop by itself. */
const FLOOD_BYTES = 1_048_576
const FULL_MS = 50
const STOLEN_MS = 100
const STEP_MS = 1

/** What came of a drain. */
export interface Drained {
  /** Somebody else can still write: what comes is late output. */
  readonly held: boolean
  /** Bytes may be missing: something else reads this pipe (spec shells.md §5.3). */
  readonly gap: boolean
}

/** Reads one slot for one command, from its start until nobody can write any more. */
export interface SlotReader {
  /** Reads as it comes, from now on; before, nothing is read until the drain. */
  watch(): void
  /** Takes all that is there now; `true`: nobody can write any more. */
  sweep(): boolean
  /** Everything written before this call is delivered when it resolves; what is written after it is late. */
  drain(sentinel: string): Promise<Drained>
  /**
   * Gives the pipe another name, by which the next host finds what its Job's children still write (spec shells.md §6); it does
   * not go back to its pool. Nothing happens once nobody can write any more.
   */
  keepAs(path: string): void
  /** Leaves it unread. */
  abandon(): void
}

/** Where the bytes of a slot go. */
export interface SlotEvents {
  data(chunk: Uint8Array): void
  /** Nobody can write any more; once, and the slot is back in its pool. */
  end(): void
}

/** A reader over one slot; its bytes stand in `buffer` only during `data`. */
export function createSlotReader(slot: Slot, pool: SlotPool, events: SlotEvents): SlotReader {
  let hold: number | undefined
  let reader: PipeReader | undefined
  let splitter: Splitter | undefined
  let ended = false
  /** Somebody still had it when its command was over. */
  let wasHeld = false
  let path = slot.path

  function deliver(chunk: Uint8Array): void {
    if (splitter === undefined) events.data(chunk)
    else splitter.push(chunk)
  }

  function end(): void {
    if (ended) return
    ended = true
    pool.readers.delete(self)
    splitter?.giveUp()
    letGo()
    const isOpen = reader === undefined
    if (isOpen && wasHeld) closeSync(slot.fd)
    if (path !== slot.path) rmSync(path, { force: true })
    else if (isOpen && !wasHeld) pool.give(slot)
    else pool.givePath(path)
    events.end()
  }

  /** While we hold a write end, no end of file comes; without its name there is no way to it. */
  function holdOpen(): number | undefined {
    try {
      hold ??= openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch {
      // The runtime directory was cleared: what is open is read on, to the end of its writers.
    }
    return hold
  }

  function letGo(): void {
    if (hold !== undefined) closeSync(hold)
    hold = undefined
  }

  function watch(): void {
    if (reader !== undefined || ended) return
    holdOpen()
    reader = readPipe(slot.fd, { data: deliver, end })
  }

  /** Straight from the descriptor: no event, no wait. */
  function readNow(): "end" | "held" {
    const buffer = pool.scratch
    for (let taken = 0; taken < FLOOD_BYTES; ) {
      const size = readSome(slot.fd, buffer)
      if (size === "empty") return "held"
      if (size === 0) return "end"
      taken += size
      deliver(buffer.subarray(0, size))
    }
    return "held"
  }

  function sweep(): boolean {
    if (ended) return true
    letGo()
    if (reader !== undefined) reader.drain()
    else if (readNow() === "end") end()
    wasHeld = !ended
    return ended
  }

  /** Puts the sentinel behind everything written so far; `false` where the pipe stays full. */
  async function mark(word: Uint8Array): Promise<boolean> {
    const until = performance.now() + FULL_MS
    while (!ended) {
      if (tryWrite(holdOpen(), word)) return true
      if (performance.now() >= until) return false
      reader?.drain()
      await sleep(STEP_MS)
    }
    return false
  }

  async function drain(sentinel: string): Promise<Drained> {
    if (sweep()) return { held: false, gap: false }
    watch()
    const word = Buffer.from(sentinel, "hex")
    const late = createSplitter(word, { before: events.data, after: events.data })
    splitter = late
    const marked = await mark(word)
    const until = performance.now() + STOLEN_MS
    while (marked && !late.isFound() && !ended && performance.now() < until) {
      reader?.drain()
      if (!late.isFound()) await sleep(STEP_MS)
    }
    if (!marked) reader?.drain()
    const gap = marked && !late.isFound()
    late.giveUp()
    splitter = undefined
    letGo()
    return { held: !ended, gap }
  }

  const self: SlotReader = {
    watch,
    sweep,
    drain,
    keepAs(name) {
      if (ended || reader === undefined) return
      try {
        renameSync(path, name)
        path = name
      } catch {
        // Its folder is gone, and with it every way to find the pipe; this host goes on reading it.
      }
    },
    abandon() {
      if (ended) return
      ended = true
      pool.readers.delete(self)
      letGo()
      if (reader === undefined) closeSync(slot.fd)
      else reader.close()
    },
  }
  pool.readers.add(self)
  return self
}

function tryWrite(fd: number | undefined, word: Uint8Array): boolean {
  try {
    return fd !== undefined && writeSync(fd, word) === word.length
  } catch {
    return false
  }
}
