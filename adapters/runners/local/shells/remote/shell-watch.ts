import { setTimeout as sleep } from "node:timers/promises"
import type { Gateway } from "./gateway.ts"
import { openChannel } from "./relay/channel.ts"
import type { Tether } from "./relay/tether.ts"

/** A client that ended sooner was of no use. */
const USEFUL_MS = 2000
const PAUSE_MS = 500
const LONG_PAUSE_MS = 30_000

/** Tells the end of a far shell in which nothing runs. */
export interface ShellWatch {
  readonly gateway: Gateway
  readonly tether: Tether
  readonly pid: number
  /** Resolves when the shell's parent is gone, if the link stood until then; absent: another host had launched it. */
  readonly parentGone?: Promise<unknown>
  /** Nobody wants to know any more. */
  isOver(): boolean
  /** Asks the target. */
  look(): Promise<void>
}

/**
 * Whoever waits beside the shell for its end hints that it has come; the target then says whether it has. A link that falls takes that
 * one with it, and another one waits when it stands again.
 */
export async function watchFarShell(watch: ShellWatch): Promise<void> {
  const { tether, gateway, pid } = watch
  if (watch.parentGone === undefined) {
    await watch.look()
    tether.settle()
  } else await watch.parentGone
  while (!watch.isOver() && tether.gone === undefined) {
    if (tether.isRecovering) {
      await tether.changed()
      continue
    }
    await watch.look()
    if (watch.isOver()) return
    const began = performance.now()
    await waitBeside(gateway, pid)
    const isUseful = performance.now() - began > USEFUL_MS
    await sleep(isUseful ? PAUSE_MS : LONG_PAUSE_MS, undefined, { ref: false })
  }
}

/** A client whose far `sh` waits for the end of a process. */
async function waitBeside(gateway: Gateway, pid: number): Promise<void> {
  const channel = openChannel(await gateway.side())
  channel.write(`command -v sleep >/dev/null 2>&1 || exit 0\nwhile kill -0 ${pid} 2>/dev/null; do sleep 1; done\n`)
  channel.finish()
  await channel.ended
}
