import { exitOf } from "../jobs/outcome.ts"
import type { Job } from "../jobs/record.ts"
import { ToolError } from "../kernel/error.ts"

/** The command ended its shell, which `on_exit: close` lets it do; its output is kept (spec shells.md §3). */
export function exitedError(job: Pick<Job, "outcome">, output: object): ToolError<"shell_exited"> {
  return new ToolError("shell_exited", "The command ended the shell, which closes on exit. Open a new one.", {
    details: exitOf(job.outcome),
    executionState: "completed",
    output,
  })
}
