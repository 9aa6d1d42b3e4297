import { learnedLiterals } from "../../kernel/redaction/learned.ts"
import type { AuditedShell, ShellHappening } from "./command-log.ts"
import { type EntryContext, type EntryWriter, entryWriter } from "./entry-text.ts"

/** The entries of one happening in a live shell as JSON texts, masked and bounded (spec shells.md §13). */
export function entriesOf(shell: AuditedShell, happening: ShellHappening, context: EntryContext): readonly string[] {
  const { shellId, family, target } = shell
  const writer = entryWriter(context, {
    common: { session: shellId, family, transport: target.kind },
    secrets: "command" in happening ? learnedLiterals(happening.command) : [],
  })
  return factsOf(happening, writer).map(([event, facts]) => writer.entry(event, facts))
}

type Facts = readonly [event: ShellHappening["event"], facts: object]

function factsOf(happening: ShellHappening, writer: EntryWriter): readonly Facts[] {
  switch (happening.event) {
    case "exec": {
      const { shell_restarted: restarted, ...result } = happening.result
      const exec = { command: writer.command(happening.command), ...writer.result(result) }
      return restarted === undefined
        ? [["exec", exec]]
        : [
            ["exec", exec],
            ["restart", { job_id: result.job_id, ...restarted }],
          ]
    }
    case "blocked": {
      const { event, command, ...facts } = happening
      return [[event, { command: writer.command(command), ...facts }]]
    }
    case "restart":
      return [["restart", happening.restart]]
    default: {
      const { event, ...facts } = happening
      return [[event, facts]]
    }
  }
}
