import type { ToolError } from "../kernel/error.ts"
import type { Evidence, Facts } from "../ledger/events.ts"
import { type StartOutput, startOutputSchema } from "./output-schema.ts"

/** What the ledger keeps of a start (spec exec-and-jobs.md §11): never command, output, environment, paths, pids. */
export function outputFacts(output: StartOutput): Facts {
  const { outcome, bytes_total, lines_total } = output
  return {
    handed_over: output.promoted_to_job === true,
    outcome: outcome?.kind ?? (output.terminal ? "exited" : "running"),
    execution_state: output.execution_state,
    command_ms: output.duration_ms,
    truncated: output.truncated,
    stdout_bytes: bytes_total?.stdout ?? Buffer.byteLength(output.stdout),
    stderr_bytes: bytes_total?.stderr ?? Buffer.byteLength(output.stderr),
    stdout_lines: lines_total?.stdout ?? countLines(output.stdout),
    stderr_lines: lines_total?.stderr ?? countLines(output.stderr),
    background_count: output.background_total ?? 0,
    ended_count: output.ended_background_total ?? 0,
    survivor_count: output.survivors_total ?? 0,
    recovered: output.recovered === true,
  }
}

/** The same of a start whose end was not success. */
export function errorFacts(error: ToolError): Facts {
  const output = startOutputSchema.safeParse(error.output).data
  return output === undefined ? {} : outputFacts(output)
}

/** Execution truth of a start that is success (spec sessions.md §5.2). */
export function outputEvidence({ execution_state, replayed }: StartOutput): Evidence {
  // A repeat of a key has started nothing.
  if (replayed === true) return { command_started: false, execution_state }
  return { command_started: true, command_completed: execution_state === "completed", execution_state }
}

/** Execution truth of a start that is not. */
export function errorEvidence({ executionState, output }: ToolError): Evidence {
  if (executionState === undefined) return {}
  const started = executionState !== "not_started" && output !== undefined
  return {
    command_started: started,
    command_completed: executionState === "completed",
    execution_state: executionState,
  }
}

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
}
