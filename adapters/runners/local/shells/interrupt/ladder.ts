import { setTimeout as sleep } from "node:timers/promises"
import { spareSignal, spareSignalNumber } from "./abort-trap.ts"
import { type CommandProcesses, commandProcesses } from "./command-processes.ts"
import type { InterruptPorts, LadderReport, LadderSignal, LadderSpec } from "./types.ts"

/** When each step begins, ms after the first one (spec shells.md §5.5). */
const STEP_2_MS = 500
const STEP_3_MS = 1000
const STEP_4_MS = 3000
const REPEAT_MS = 20
/** How long step 4 goes on killing what was forked meanwhile. */
const KILL_MS = 2000

/**
 * Ends the command that runs in a shell and keeps the shell, unless nothing helps: the shell is then killed first, so that
 * the rest of the text cannot run. Resolves when the command is over and, after step 4, when its processes are gone or
 * known to survive.
 */
export async function climbLadder(spec: LadderSpec, ports: InterruptPorts): Promise<LadderReport> {
  const processes = commandProcesses(spec, ports)
  const rung = createRung(spec, processes, ports)
  if (!canAbort(spec, ports)) return rung.kill()
  const begun = performance.now()
  const until = async (ms: number): Promise<boolean> => rung.wait(Math.max(0, begun + ms - performance.now()))

  rung.press("SIGINT")
  if (await until(STEP_2_MS)) return over(1)
  rung.press("SIGTERM")
  if (await until(STEP_3_MS)) return over(2)
  while (performance.now() - begun < STEP_4_MS) {
    rung.press("SIGKILL")
    if (await rung.wait(REPEAT_MS)) return over(3)
  }
  return rung.kill()
}

const over = (step: 1 | 2 | 3): LadderReport => ({ end: "over", step, survivors: [] })

/** The shell's own state has the last word: a trap that it ignores, or that it does not catch, cannot abort anything. */
function canAbort(spec: LadderSpec, { look }: InterruptPorts): boolean {
  const signals = look.signals(spec.shell.pid)
  if (!spec.canAbort || signals === undefined) return spec.canAbort
  const bit = 1n << BigInt(spareSignalNumber() - 1)
  return (signals.ignored & bit) === 0n && (signals.caught & bit) !== 0n
}

/** What the steps are made of. */
interface Rung {
  /** The spare signal to the shell, `signal` to the command's processes, then SIGCONT to all. */
  press(signal: LadderSignal): void
  /** `true` as soon as the command is over. */
  wait(ms: number): Promise<boolean>
  kill(): Promise<LadderReport>
}

function createRung(spec: LadderSpec, processes: CommandProcesses, { send }: InterruptPorts): Rung {
  let isOver = false
  void spec.over.then(() => {
    isOver = true
  })
  const signalAll = (signal: LadderSignal): void => {
    for (const row of processes.look()) {
      send(row, signal)
      send(row, "SIGCONT")
    }
  }

  return {
    press(signal) {
      if (isOver || spec.isOver()) return
      send(spec.shell, spareSignal())
      signalAll(signal)
      send(spec.shell, "SIGCONT")
    },
    async wait(ms) {
      const timer = new AbortController()
      await Promise.race([spec.over, sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined)])
      timer.abort()
      return isOver
    },
    async kill() {
      // Its processes are looked up while it still is their parent.
      let left = processes.look()
      send(spec.shell, "SIGKILL")
      const end = performance.now() + KILL_MS
      for (;;) {
        for (const row of left) send(row, "SIGKILL")
        await sleep(REPEAT_MS)
        left = processes.look()
        if (left.length === 0 || performance.now() > end) return { end: "killed", step: 4, survivors: left }
      }
    },
  }
}
