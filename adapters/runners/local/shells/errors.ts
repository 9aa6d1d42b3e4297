import { ToolError } from "../../../../core/kernel/error.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"

const executionState = "not_started"

/** A command runs there, or too many wait. */
export function shellBusy(running: {
  readonly jobId?: JobId
  readonly runningMs?: number
  readonly waiting: number
}): ToolError<"shell_busy"> {
  const details = {
    ...(running.jobId === undefined ? {} : { job_id: running.jobId }),
    ...(running.runningMs === undefined ? {} : { running_ms: running.runningMs }),
    waiting: running.waiting,
  }
  return new ToolError(
    "shell_busy",
    "A command runs in this shell. Send it again with when_busy wait (after it) or detach (beside it), or end what runs by stop_job.",
    {
      details,
      executionState,
    },
  )
}

/** The shell ended in order; its id is final. */
export function shellClosed(reason: string, closedAt: number): ToolError<"shell_closed"> {
  return new ToolError("shell_closed", `This shell is closed (${reason}). Open a new one.`, {
    details: { reason, closed_at: closedAt },
    executionState,
  })
}

/** The shell's process is gone for good. */
export function shellLost(reason: string, lastCwd: string): ToolError<"shell_lost"> {
  return new ToolError("shell_lost", `This shell is lost (${reason}). Open a new one.`, {
    details: { reason, last_cwd: lastCwd },
    executionState,
  })
}

/** The shell cannot go on as it was. */
export function resetRequired(reason: string): ToolError<"shell_reset_required"> {
  return new ToolError("shell_reset_required", `This shell cannot go on (${reason}). Close it and open a new one.`, {
    details: { reason },
    executionState,
  })
}

/** A shell did not come to life; nothing is left behind. */
export function startFailed(phase: string, detail: string): ToolError<"shell_start_failed"> {
  return new ToolError("shell_start_failed", `The shell did not start (${phase}). ${detail}`.slice(0, 500), {
    details: { phase, detail: detail.slice(0, 500) },
    executionState,
  })
}

/** The shell came back elsewhere: nothing runs in an unexpected place. */
export function cwdLost(from: string, to: string): ToolError<"shell_cwd_lost"> {
  return new ToolError(
    "shell_cwd_lost",
    "This shell's directory is gone, and the shell was restored elsewhere. Look where it is, then run the command again.",
    { details: { old_cwd: from, cwd: to }, executionState },
  )
}

/** A far shell's link is lost and is looked for. */
export function unreachable(): ToolError<"runner_unavailable"> {
  return new ToolError(
    "runner_unavailable",
    "The shell's host cannot be reached now. It is looked for; try again later.",
    {
      details: {},
      executionState,
    },
  )
}

/** Far shells have no terminal (spec shells.md §4.2). */
export function noTerminal(): ToolError<"capability_unavailable"> {
  return new ToolError("capability_unavailable", "A shell on another machine has no terminal. Leave tty out.", {
    details: { reason: "tty" },
    executionState,
  })
}

/** Without its journal line a command counts as never started. */
export function notJournalled(cause: unknown): ToolError<"storage_unavailable"> {
  return new ToolError("storage_unavailable", "The Runner's journal cannot be written. Free disk space, then retry.", {
    executionState,
    cause,
  })
}
