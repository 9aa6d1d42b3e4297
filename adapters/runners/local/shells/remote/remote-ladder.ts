import { setTimeout as sleep } from "node:timers/promises"
import { descendantsOf, type FarProcess, livingOne, without } from "./relay/far-process.ts"
import type { Relay } from "./relay/relay.ts"

/** One command of a far shell that is to be stopped (spec shells.md §5.5). */
export interface RemoteLadder {
  readonly pid: number
  /** Children of the shell from before the command: they and what is below them are left alone. */
  readonly older: readonly number[]
  /** Number of the spare signal; absent: the shell does not listen to it. */
  readonly spare?: string
  isOver(): boolean
  readonly over: Promise<void>
}

const STEPS = [
  { untilMs: 500, signal: "INT", everyMs: 500 },
  { untilMs: 1000, signal: "TERM", everyMs: 500 },
  { untilMs: 3000, signal: "KILL", everyMs: 20 },
] as const

/**
 * Climbs until the status is there; at the end, or at once where the shell cannot hear us, the shell itself is killed.
 * Resolves with what of the command is still alive, and whether the shell was killed.
 */
export async function climbRemoteLadder(
  ladder: RemoteLadder,
  relay: Relay,
): Promise<{ readonly killed: boolean; readonly survivors: readonly FarProcess[] }> {
  const started = performance.now()
  if (ladder.spare !== undefined) {
    for (const { untilMs, signal, everyMs } of STEPS) {
      while (!ladder.isOver() && performance.now() - started < untilMs) {
        const table = await relay.table()
        if (ladder.isOver()) break
        const shell = livingOne(ladder.pid, table)
        const victims = victimsOf(ladder, table)
        if (shell !== undefined) await relay.kill(ladder.spare, [shell])
        await relay.kill(signal, victims)
        await relay.kill("CONT", shell === undefined ? victims : [shell, ...victims])
        await Promise.race([ladder.over, sleep(Math.min(everyMs, untilMs))])
      }
    }
  }
  if (ladder.isOver()) return { killed: false, survivors: [] }
  const table = await relay.table()
  const shell = livingOne(ladder.pid, table)
  const victims = victimsOf(ladder, table)
  await relay.kill("KILL", shell === undefined ? victims : [shell, ...victims])
  await sleep(20)
  const after = await relay.table()
  return {
    killed: true,
    survivors: victims.filter((one) => without([one], after).length === 0 && !isZombie(one, after)),
  }
}

function victimsOf({ pid, older }: RemoteLadder, table: readonly FarProcess[]): readonly FarProcess[] {
  const protectedOnes = older.flatMap((child) => [
    ...table.filter((one) => one.pid === child),
    ...descendantsOf(child, table),
  ])
  return without(descendantsOf(pid, table), protectedOnes)
}

const isZombie = (one: FarProcess, table: readonly FarProcess[]): boolean => livingOne(one.pid, table) === undefined
