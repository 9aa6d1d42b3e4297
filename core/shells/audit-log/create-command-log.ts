import type { Clock } from "../../kernel/clock.ts"
import type { Secrets } from "../../kernel/secrets.ts"
import type { AuditSink, CommandLog } from "./command-log.ts"
import { entriesOf } from "./entry.ts"
import type { EntryContext } from "./entry-text.ts"
import { oneShotEntry } from "./one-shot-entry.ts"

const DAY_MS = 86_400_000

/** The log of commands over a sink (spec shells.md §13). Lines of one shell belong together, and those of one-shots by UTC day. */
export function createCommandLog(ports: {
  readonly clock: Pick<Clock, "now">
  readonly secrets: Pick<Secrets, "redactor">
  readonly sink: AuditSink
}): CommandLog {
  const context = (): EntryContext => ({ at: ports.clock.now(), redactor: ports.secrets.redactor() })
  return {
    isOn: true,
    note(shell, happening) {
      const group = { group: shell.shellId, since: shell.createdAt }
      for (const text of entriesOf(shell, happening, context())) ports.sink.append({ ...group, text })
    },
    noteOneShot(where, happening) {
      const now = context()
      const since = now.at - (now.at % DAY_MS)
      ports.sink.append({ group: "commands", since, text: oneShotEntry(where, happening, now) })
    },
  }
}
