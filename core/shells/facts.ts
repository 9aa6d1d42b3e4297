import type { ToolError } from "../kernel/error.ts"
import type { Evidence, Facts } from "../ledger/events.ts"
import { type ExecResult, execResultSchema } from "./exec-schema.ts"

/** What the ledger keeps of a command in a shell (spec shells.md §15): never command, output, environment, cwd, host. */
export function execFacts(output: ExecResult): Facts {
  const { outcome, bytes_total, lines_total, shell_restarted } = output
  return {
    persistent_shell: "exec",
    handed_over: output.promoted_to_job === true,
    outcome: outcome?.kind ?? "running",
    execution_state: output.execution_state,
    command_ms: output.duration_ms,
    truncated: output.truncated,
    stdout_bytes: bytes_total.stdout,
    stderr_bytes: bytes_total.stderr,
    stdout_lines: lines_total.stdout,
    stderr_lines: lines_total.stderr,
    background_count: output.background_total ?? 0,
    survivor_count: output.survivors_total ?? 0,
    ...(shell_restarted === undefined ? {} : { restarted: shell_restarted.reason }),
  }
}

/** The same of a command whose end was not success, or that was refused. */
export function execErrorFacts(error: ToolError): Facts {
  const output = execResultSchema.safeParse(error.output).data
  return output === undefined ? { persistent_shell: "exec" } : execFacts(output)
}

/** Execution truth of a command (spec sessions.md §5.2). */
export function execEvidence(result: { readonly output: ExecResult } | { readonly error: ToolError }): Evidence {
  if ("output" in result) {
    const { execution_state } = result.output
    return { command_started: true, command_completed: execution_state === "completed", execution_state }
  }
  const { executionState, output } = result.error
  if (executionState === undefined) return {}
  return {
    command_started: executionState !== "not_started" && output !== undefined,
    command_completed: executionState === "completed",
    execution_state: executionState,
  }
}

/** The exit that was observed; a command that never started stands beside its error without one. */
export function execExit({ exit_code, signal }: ExecResult) {
  return exit_code === undefined ? undefined : { exit_code, ...(signal === undefined ? {} : { signal }) }
}

/** Execution truth of a tool that opens or closes: whether something changed. */
export function changeEvidence<O>(
  result: { readonly output: O } | { readonly error: ToolError },
  changed: (output: O) => boolean,
): Evidence {
  return "output" in result ? { state_changed: changed(result.output) } : {}
}
