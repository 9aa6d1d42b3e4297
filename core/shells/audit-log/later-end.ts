import type { RunFacts } from "../../jobs/runner.ts"
import type { ExecResult } from "../exec-schema.ts"
import type { AuditedShell, CommandLog } from "./command-log.ts"

/** A command whose call has stopped waiting. */
export interface LaterEnd {
  readonly shell: AuditedShell
  readonly command: string
  /** Resolves with its end; with nothing where its host does not know it any more. */
  ended(): Promise<RunFacts | undefined>
  /** Its result as of its end. */
  view(facts: RunFacts): Promise<ExecResult>
}

/**
 * Notes the end of a command that was handed over, as long as this process lives (spec shells.md §13). Nobody waits for it:
 * where the Runner is closed before, the ledger and the Job tell the end, and the log stops at the hand-over.
 */
export function noteLaterEnd(log: CommandLog, later: LaterEnd): void {
  if (!log.isOn) return
  const note = async (): Promise<void> => {
    const facts = await later.ended()
    if (facts?.state !== "ended") return
    log.note(later.shell, { event: "exec", command: later.command, result: await later.view(facts) })
  }
  note().catch(() => undefined)
}
