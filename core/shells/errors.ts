import { ToolError } from "../kernel/error.ts"
import type { Shell } from "./record.ts"
import { isEnded } from "./states.ts"

/** The one answer for unknown, foreign and removed shells (spec shells.md §10, §11). */
export function shellNotFound(family: Shell["family"]): ToolError<"shell_not_found"> {
  const where = family === "free" ? "Call session_list for the shells there are." : "Open one with open_session_shell."
  return new ToolError("shell_not_found", `No such shell is known to this caller. ${where}`, {
    executionState: "not_started",
  })
}

/** Why a shell that has ended runs nothing any more; `undefined` for a live one (spec shells.md §14). */
export function endedError(shell: Shell): ToolError | undefined {
  if (!isEnded(shell.state)) return undefined
  const reason = shell.reason ?? "unknown"
  const executionState = "not_started"
  if (shell.state === "poisoned") return resetRequired("poisoned")
  if (shell.state === "lost") {
    const details = { reason, last_cwd: shell.lastCwd ?? shell.initialCwd }
    return new ToolError("shell_lost", `This shell is lost (${reason}) and its id is final. Open a new one.`, {
      details,
      executionState,
    })
  }
  return new ToolError("shell_closed", `This shell is closed (${reason}) and its id is final. Open a new one.`, {
    details: { reason, closed_at: shell.closedAt ?? shell.lastUsedAt },
    executionState,
  })
}

/** The shell cannot go on as it was; nothing was started. */
export function resetRequired(reason: string): ToolError<"shell_reset_required"> {
  return new ToolError(
    "shell_reset_required",
    `This shell cannot go on (${reason}) and nothing was started. Look at the state, then open a new shell.`,
    { details: { reason }, executionState: "not_started" },
  )
}

/** The cap of this family is reached. */
export function limitReached(max: number): ToolError<"shell_limit_reached"> {
  return new ToolError("shell_limit_reached", `session limit reached (${max}); destroy unused sessions`, {
    details: { max },
    executionState: "not_started",
  })
}
