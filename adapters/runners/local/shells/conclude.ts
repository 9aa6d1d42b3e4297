import type { Outcome, Survivor } from "../../../../core/jobs/record.ts"
import type { StopCause } from "./command.ts"
import type { SeatEnd } from "./transport.ts"

/** What a command's end in its seat means (spec exec-and-jobs.md §4): the first cause wins, no status is invented. */
export function outcomeOf(
  end: Pick<SeatEnd, "kind" | "status" | "death" | "started">,
  stop: { readonly cause: StopCause | undefined; readonly timeoutMs: number; readonly survivors: readonly Survivor[] },
): Outcome {
  if (stop.cause !== undefined) return stopped(end, { ...stop, cause: stop.cause })
  if (!end.started) return { kind: "lost", reason: "never_started" }
  if (end.kind === "status" && end.status !== undefined) return { kind: "exited", exit_code: end.status }
  if (end.kind === "died" && end.death !== undefined) {
    const { exitCode, signal } = end.death
    if (signal !== null) return { kind: "signaled", signal }
    if (exitCode !== null) return { kind: "exited", exit_code: exitCode }
    if (end.death.gone !== undefined) return { kind: "lost", reason: end.death.gone }
  }
  return { kind: "unknown", reason: end.kind === "wedged" ? "shell_wedged" : "process_gone" }
}

function stopped(
  end: Pick<SeatEnd, "kind" | "status" | "death">,
  stop: { readonly cause: StopCause; readonly timeoutMs: number; readonly survivors: readonly Survivor[] },
): Outcome {
  const exitCode = end.status ?? end.death?.exitCode
  const signal = end.death?.signal
  const then = {
    ...(typeof exitCode === "number" ? { exit_code: exitCode } : {}),
    ...(typeof signal === "string" ? { signal } : {}),
    survivors: stop.survivors,
  }
  if (stop.cause === "timeout") return { kind: "timed_out", after_ms: stop.timeoutMs, then }
  return { kind: "cancelled", by: stop.cause, then }
}
