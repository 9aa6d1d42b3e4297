import type { Clock } from "../../kernel/clock.ts"
import type { Secrets } from "../../kernel/secrets.ts"
import type { AuditSink, CommandLog } from "./command-log.ts"
import { entriesOf } from "./entry.ts"

/** The log of commands over a sink (spec shells.md §13). */
export function createCommandLog(ports: {
  readonly clock: Pick<Clock, "now">
  readonly secrets: Pick<Secrets, "redactor">
  readonly sink: AuditSink
}): CommandLog {
  return {
    isOn: true,
    note(shell, happening) {
      const { shellId, createdAt } = shell
      const context = { at: ports.clock.now(), redactor: ports.secrets.redactor() }
      for (const text of entriesOf(shell, happening, context)) ports.sink.append({ shellId, openedAt: createdAt, text })
    },
  }
}
