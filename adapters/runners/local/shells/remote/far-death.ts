import { constants } from "node:os"
import type { SeatDeath } from "../transport.ts"

const SIGNALLED = 128

/**
 * What the parent saw: 128 + n is a signal, unless the shell's own EXIT action ran, after which it is the status that was
 * asked for.
 */
export function readDeath(dead: number | undefined, exitActionRan: boolean): SeatDeath {
  if (dead === undefined) return { exitCode: null, signal: null }
  if (dead <= SIGNALLED || exitActionRan) return { exitCode: dead, signal: null }
  const name = Object.entries(constants.signals).find(([, number]) => number === dead - SIGNALLED)?.[0]
  return name === undefined ? { exitCode: dead, signal: null } : { exitCode: null, signal: name }
}
