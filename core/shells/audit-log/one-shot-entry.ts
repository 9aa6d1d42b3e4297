import { commandLiterals, type StartCommand } from "../../jobs/command.ts"
import type { AuditedOneShot, OneShotHappening } from "./command-log.ts"
import { type EntryContext, type EntryWriter, entryWriter } from "./entry-text.ts"

/** The entry of a command that ran by itself, as JSON text, masked and bounded (spec shells.md §13). */
export function oneShotEntry(where: AuditedOneShot, happening: OneShotHappening, context: EntryContext): string {
  const { sessionId, project, tool, transport } = where
  const { event, command, ...rest } = happening
  const writer = entryWriter(context, {
    common: {
      ...(sessionId === undefined ? {} : { session: sessionId }),
      family: "once",
      transport,
      tool,
      ...(project === undefined ? {} : { project }),
    },
    secrets: commandLiterals(command),
  })
  const shown = commandFacts(command, writer)
  if (!("result" in rest)) return writer.entry(event, { ...shown, ...rest })
  return writer.entry(event, { ...shown, ...writer.result(rest.result) })
}

/** Arguments stand one by one: joined they could mean another command. */
function commandFacts(command: StartCommand, writer: EntryWriter): object {
  if (command.kind === "shell") return { command: writer.command(command.text) }
  const { args } = command
  return command.kind === "process"
    ? { command: writer.command(command.executable), args }
    : { command: writer.command(command.text), language: command.language, args }
}
