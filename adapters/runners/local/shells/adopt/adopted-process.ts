import { isRunning, type ProcessTable } from "../../host/process-table.ts"
import type { ProcessId } from "../interrupt/types.ts"
import type { ShellProcess } from "../start-process.ts"
import type { SeatDeath } from "../transport.ts"

/** How often a process that is not our child is looked at (spec shells.md §5.4). */
const LOOK_EVERY_MS = 100
/** The parent that could have been told is gone. */
const UNSEEN: SeatDeath = { exitCode: null, signal: null }

/** The process of a shell that another host started; its end is seen by looking. A recycled pid counts as gone. */
export function adoptedProcess({ pid, startTime }: ProcessId, processes: ProcessTable): ShellProcess {
  let looking: ReturnType<typeof setInterval> | undefined
  const died = new Promise<SeatDeath>((resolve) => {
    const look = (): void => {
      if (isRunning(processes, { pid, startTime })) return
      clearInterval(looking)
      resolve(UNSEEN)
    }
    looking = setInterval(look, LOOK_EVERY_MS)
    look()
  })
  return { pid, startTime, died, unref: () => clearInterval(looking) }
}
