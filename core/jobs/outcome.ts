import { match } from "ts-pattern"
import { ToolError } from "../kernel/error.ts"
import type { Job, Outcome } from "./record.ts"

/** The exit that was observed; an exit code is never derived from a missing one (spec exec-and-jobs.md §4). */
export function exitOf(outcome: Outcome | undefined): {
  readonly exit_code: number | null
  readonly signal?: string
} {
  if (outcome?.kind === "exited") return { exit_code: outcome.exit_code }
  if (outcome?.kind === "signaled") return { exit_code: null, signal: outcome.signal }
  return { exit_code: null }
}

/** What a call that saw this end answers; `undefined` is success (spec exec-and-jobs.md §4). */
export function failureOf(
  job: Pick<Job, "jobId" | "outcome" | "executionState">,
  output: object,
): ToolError | undefined {
  const { outcome, executionState, jobId } = job
  if (outcome === undefined) return undefined
  return match(outcome)
    .returnType<ToolError | undefined>()
    .with({ kind: "exited", exit_code: 0 }, () => undefined)
    .with({ kind: "exited" }, ({ exit_code }) => {
      const sentence = `The command exited with code ${exit_code}${isSilent(output) ? " and wrote nothing" : ". Its output tells why"}.`
      return new ToolError("process_exit", sentence, { details: { exit_code }, executionState, output })
    })
    .with({ kind: "signaled" }, ({ signal }) => {
      const why = isSilent(output) ? "It wrote nothing." : "Its output may tell why."
      const sentence = `The command was ended by ${signal}, a signal that did not come from here. ${why}`
      return new ToolError("process_exit", sentence, { details: { exit_code: null, signal }, executionState, output })
    })
    .with({ kind: "timed_out" }, ({ after_ms, then: { survivors } }) => {
      const sentence = `The command reached its timeout of ${after_ms / 1000} s and was ended${remaining(survivors.length)}. Raise timeout_secs if it needs longer.`
      const details = { after_ms, ...(survivors.length === 0 ? {} : { survivors: [...survivors] }) }
      return new ToolError("timed_out", sentence, { details, executionState, output })
    })
    .with({ kind: "cancelled", by: "output_limit" }, ({ by, then: { survivors } }) => {
      const sentence = `The command wrote more than the configured output_limit_bytes and was ended${remaining(survivors.length)}. Make it write less, or into a file.`
      return new ToolError("cancelled", sentence, { details: { by }, executionState, output })
    })
    .with({ kind: "cancelled" }, ({ by, then: { survivors } }) => {
      const sentence = `The command was cancelled (${by})${remaining(survivors.length)}. Start it again if it is still wanted.`
      return new ToolError("cancelled", sentence, { details: { by }, executionState, output })
    })
    .with({ kind: "lost" }, { kind: "unknown" }, ({ reason }) => {
      const sentence = `What became of the command cannot be known (${reason}). Look at its effects before it is run again.`
      return new ToolError("outcome_unknown", sentence, {
        details: { reason, job_id: jobId },
        executionState,
        output,
      })
    })
    .exhaustive()
}

/** A Job whose start was refused after its call had handed it over. */
export function neverStarted(output: object): ToolError<"spawn_failed"> {
  return new ToolError("spawn_failed", "The command could not be started when its turn came. Start it again.", {
    details: { code: "not_started" },
    executionState: "not_started",
    output,
  })
}

function isSilent(output: object): boolean {
  return "stdout" in output && output.stdout === "" && "stderr" in output && output.stderr === ""
}

/** Never says that something is gone while it lives (spec exec-and-jobs.md §8.2). */
function remaining(survivors: number): string {
  return survivors === 0 ? "" : `; ${survivors} of its processes still live`
}
