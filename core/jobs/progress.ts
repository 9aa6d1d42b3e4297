import type { Call } from "../kernel/call.ts"
import type { JobId } from "../kernel/ids.ts"
import type { JobRunner } from "./runner.ts"

/** Between two looks; hosts are promised a notice at least every 10 s (spec doors.md §4.3). */
const LOOK_MS = 5_000

/**
 * Tells a host that asked for progress what is fixed: state, Job id, lines so far, never output. Ends with the execution, or
 * when the returned function is called; a command that ends before the first look costs one timer.
 */
export function tellProgress(call: Call, runner: JobRunner, jobId: JobId): () => void {
  const { clock } = call.ports
  let stopTimer = clock.after(LOOK_MS, () => void look())
  let isOver = false

  async function look(): Promise<void> {
    // A host that is out of reach now is asked again.
    const facts = await runner.facts(jobId).catch(() => undefined)
    if (isOver || facts?.state === "ended") return
    stopTimer = clock.after(LOOK_MS, () => void look())
    if (facts === undefined) return
    const lines = facts.totals.stdout.lines_total + facts.totals.stderr.lines_total
    call.progress(undefined, `${facts.state} ${jobId}, ${lines} lines so far`)
  }

  return () => {
    isOver = true
    stopTimer()
  }
}
