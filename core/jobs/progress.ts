import type { Call } from "../kernel/call.ts"
import type { JobId } from "../kernel/ids.ts"
import type { JobRunner } from "./runner.ts"

/** Between two looks; hosts are promised a notice at least every 10 s (spec doors.md §4.3). */
const LOOK_MS = 5_000

/**
 * Tells a host that asked for progress what is fixed: state, Job id, lines so far, never output. Ends with the execution or
 * when `done` aborts; a command that ends before the first look costs one timer.
 */
export async function tellProgress(
  call: Call,
  runner: JobRunner,
  { jobId, done }: { readonly jobId: JobId; readonly done: AbortSignal },
): Promise<void> {
  while (await slept(call, done)) {
    const facts = await runner.facts(jobId)
    if (facts === undefined || facts.state === "ended" || done.aborted) return
    const lines = facts.totals.stdout.lines_total + facts.totals.stderr.lines_total
    call.progress(undefined, `${facts.state} ${jobId}, ${lines} lines so far`)
  }
}

/** Only `done` ends the sleep early. */
async function slept(call: Call, done: AbortSignal): Promise<boolean> {
  return await call.ports.clock.sleep(LOOK_MS, done).then(
    () => true,
    () => false,
  )
}
