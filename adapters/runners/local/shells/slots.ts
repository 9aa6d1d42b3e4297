import { closeSync, constants, openSync } from "node:fs"
import { isAsMade, isSpoilt, isUnchanged, removeFifos, takeOpened } from "../host/fifo-supply.ts"
import type { FifoPool } from "./fifo-pool.ts"

/** One output pipe of one command: a name for the shell, a read end for us. */
export interface Slot {
  readonly path: string
  /** Non-blocking. */
  readonly fd: number
}

const READY = 16
const SCRATCH_BYTES = 65_536

/** The output pipes of all shells of a host (spec shells.md §5.1). */
export interface SlotPool {
  /** For one read at a time. */
  readonly scratch: Uint8Array
  takeNow(): Slot | undefined
  take(): Promise<Slot>
  /** Its end of file was there as soon as its command was over, which took no time: nobody is taken to have it open. */
  give(slot: Slot): void
  /** Its end of file was read, and its descriptor is closed; it is used again unless somebody still reads it. */
  givePath(path: string): void
  /** What must be left alone when the pool closes before it ended. */
  readonly readers: Set<{ abandon(): void }>
  /** Their names are gone: forgets those that wait. */
  renew(): void
  close(): void
}

/** Slots over a pool of named pipes; some stay open between commands. */
export function createSlotPool(fifos: FifoPool): SlotPool {
  const ready: Slot[] = []
  const given: string[] = []
  const readers = new Set<{ abandon(): void }>()
  let closed = false

  function open(path: string): Slot {
    return { path, fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) }
  }

  /** A command of any shell can have spoilt it: that is no loss of another one's. */
  function tryOpen(path: string): Slot | undefined {
    try {
      return open(path)
    } catch (error) {
      removeFifos([path])
      if (!isSpoilt(error)) throw error
      return undefined
    }
  }

  function takeBack(path: string): void {
    if (closed || ready.length >= READY) {
      fifos.give(path)
      return
    }
    try {
      if (isAsMade(path)) ready.push(open(path))
      else removeFifos([path])
    } catch {
      // No descriptor is free; what needs one will say so.
      removeFifos([path])
    }
  }

  function takeAllBack(): void {
    for (const path of given.splice(0)) takeBack(path)
  }

  /** Whoever waits for the end of the command is told first. */
  function takeBackSoon(path: string): void {
    if (closed) takeBack(path)
    else if (given.push(path) === 1) setImmediate(takeAllBack)
  }

  function takeNow(): Slot | undefined {
    if (ready.length === 0) takeAllBack()
    for (let slot = ready.pop(); slot !== undefined; slot = ready.pop()) {
      if (isUnchanged(slot.path)) return slot
      closeSync(slot.fd)
      removeFifos([slot.path])
    }
    const path = fifos.takeNow()
    return path === undefined ? undefined : tryOpen(path)
  }

  return {
    scratch: new Uint8Array(SCRATCH_BYTES),
    takeNow,
    take: async () => takeNow() ?? takeOpened(fifos, open),
    give(slot) {
      if (!closed && ready.length < READY) {
        ready.push(slot)
        return
      }
      closeSync(slot.fd)
      takeBackSoon(slot.path)
    },
    givePath: takeBackSoon,
    readers,
    renew() {
      for (const { fd } of ready.splice(0)) closeSync(fd)
      given.length = 0
    },
    close() {
      closed = true
      for (const reader of [...readers]) reader.abandon()
      for (const { fd, path } of ready.splice(0)) {
        closeSync(fd)
        removeFifos([path])
      }
      removeFifos(given.splice(0))
    },
  }
}
