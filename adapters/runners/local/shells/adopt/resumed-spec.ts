import type { ShellCommandSpec, ShellSpec } from "../../../../../core/shells/runner.ts"
import type { OpenRun } from "./find-generations.ts"

/** A command as it was sent, as far as what is left of it tells; its environment was in the frame. */
export function resumedSpec({ shellUid }: Pick<ShellSpec, "shellUid">, { record, text }: OpenRun): ShellCommandSpec {
  return {
    jobId: record.job,
    claimId: "",
    shellUid,
    text,
    streams: record.streams,
    tty: record.tty,
    env: [],
    resetCwd: false,
    timeoutMs: record.timeoutMs,
    secrets: [],
  }
}
