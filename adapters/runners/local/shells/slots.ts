import { closeSync, constants, existsSync, openSync, rmSync } from "node:fs"
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
  /** Its end of file was read, so nobody else has it open. */
  give(slot: Slot): void
  /** The same of one whose descriptor is closed already. */
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
  const readers = new Set<{ abandon(): void }>()
  let closed = false

  function open(path: string | undefined): Slot | undefined {
    // A command of any shell can have removed it: that is no loss of another one's.
    if (path === undefined || !existsSync(path)) return undefined
    return { path, fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) }
  }

  function takeNow(): Slot | undefined {
    for (let slot = ready.pop(); slot !== undefined; slot = ready.pop()) {
      if (existsSync(slot.path)) return slot
      closeSync(slot.fd)
    }
    return open(fifos.takeNow())
  }

  return {
    scratch: new Uint8Array(SCRATCH_BYTES),
    takeNow,
    async take() {
      for (;;) {
        const slot = takeNow() ?? open(await fifos.take())
        if (slot !== undefined) return slot
      }
    },
    give(slot) {
      if (!closed && ready.length < READY) {
        ready.push(slot)
        return
      }
      closeSync(slot.fd)
      fifos.give(slot.path)
    },
    givePath: (path) => fifos.give(path),
    readers,
    renew() {
      for (const { fd } of ready.splice(0)) closeSync(fd)
    },
    close() {
      closed = true
      for (const reader of [...readers]) reader.abandon()
      for (const { fd, path } of ready.splice(0)) {
        closeSync(fd)
        rmSync(path, { force: true })
      }
    },
  }
}
