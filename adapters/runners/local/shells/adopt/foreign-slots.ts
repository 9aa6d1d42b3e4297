import { closeSync, constants, openSync, rmSync } from "node:fs"
import type { Slot, SlotPool } from "../slots.ts"

/** A pipe that another host made for one command, opened by its name; `undefined` where that is gone. */
export function openForeignSlot(path: string): Slot | undefined {
  try {
    return { path, fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) }
  } catch {
    return undefined
  }
}

/** The pool for such pipes: none goes back into a pool, for its folder is that of a host that is gone. */
export const foreignSlots = (pool: SlotPool): SlotPool => ({
  ...pool,
  give(slot) {
    closeSync(slot.fd)
    rmSync(slot.path, { force: true })
  },
  givePath: (path) => rmSync(path, { force: true }),
})
