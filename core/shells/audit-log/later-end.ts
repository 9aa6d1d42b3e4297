import type { RunFacts } from "../../jobs/runner.ts"
import type { CommandLog } from "./command-log.ts"

/** A command whose call has stopped waiting. */
export interface LaterEnd {
  /** Resolves with its end; with nothing where its host does not know it any more. */
  ended(): Promise<RunFacts | undefined>
  /** Adds the entry of its end. */
  note(facts: RunFacts): Promise<void>
}

/**
 * Notes the end of a command that was handed over, as long as this process lives (spec shells.md §13). Nobody waits for it:
 * where the Runner is closed before, the ledger and the Job tell the end, and the log stops at the hand-over.
 */
export function noteLaterEnd({ isOn }: Pick<CommandLog, "isOn">, later: LaterEnd): void {
  if (!isOn) return
  const note = async (): Promise<void> => {
    const facts = await later.ended()
    if (facts?.state === "ended") await later.note(facts)
  }
  note().catch(() => undefined)
}
