import type { FileId, InterruptPorts, ProcessId, Protected, WedgeAnswer, WedgeDetector } from "./types.ts"

/** Two looks at a read are enough; a mere sleep has to last. */
const ASLEEP_MS = 2000

/** What a detector looks at. */
export interface WedgeSubject {
  readonly shell: ProcessId
  /** What the FIFO `in` is: the shell's descriptor 0 must be it. */
  readonly input: FileId
  readonly protected: Protected
  /** The shell's own children now. */
  children(): readonly number[]
}

/** For one command; `sample` is called by whoever looks for its status file anyway. */
export function createWedgeDetector(
  subject: WedgeSubject,
  { look, processes }: Pick<InterruptPorts, "look" | "processes">,
): WedgeDetector {
  const { shell } = subject
  let reads = 0
  let asleepSince: number | undefined

  const isOnInput = (): boolean => {
    const input = look.input(shell.pid)
    return input === undefined || (input.dev === subject.input.dev && input.ino === subject.input.ino)
  }
  /** It has nothing to wait for but what it waited for before the command. */
  const isAlone = (): boolean => {
    const older = new Set(subject.protected.rows.map(({ pid }) => pid))
    return subject.children().every((pid) => older.has(pid) || processes.read(pid)?.zombie !== false)
  }

  function byRead(isReading: boolean): WedgeAnswer {
    reads = isReading && isOnInput() ? reads + 1 : 0
    return reads >= 2 ? "wedged" : reads === 1 ? "suspect" : "running"
  }

  function bySleep(): WedgeAnswer {
    if (look.sleeps(shell.pid) !== true || !isOnInput() || !isAlone()) {
      asleepSince = undefined
      return "running"
    }
    asleepSince ??= performance.now()
    return performance.now() - asleepSince >= ASLEEP_MS ? "wedged" : "suspect"
  }

  return {
    sample() {
      if (processes.read(shell.pid)?.startTime !== shell.startTime) return "running"
      const isReading = look.readsInput(shell.pid)
      return isReading === undefined ? bySleep() : byRead(isReading)
    },
  }
}
