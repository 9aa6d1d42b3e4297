import { Command, CommanderError } from "commander"
import { VERSION } from "../version.ts"
import { addGrantCommands, addTokenCommands, addUserCommands } from "./account-commands.ts"
import { addDoctorCommand } from "./doctor-command.ts"
import { explainFailure } from "./exit-codes.ts"
import { addMcpCommand } from "./mcp-command.ts"
import { addServeCommand } from "./serve-command.ts"
import { addSessionsCommands } from "./sessions-commands.ts"
import { addSetupCommand } from "./setup-command.ts"
import { addStopCommand } from "./stop-command.ts"
import type { Terminal } from "./terminal.ts"
import { addWatchCommand } from "./watch-command.ts"

/** Runs one command line and gives its exit code: 0, 1 failure, 2 usage or configuration (spec kernel.md §14). */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  let failed = false
  const program = createProgram(terminal, () => {
    failed = true
  })
  try {
    await program.parseAsync([...args], { from: "user" })
    return failed ? 1 : 0
  } catch (error) {
    if (!(error instanceof CommanderError)) return fail(terminal, error)
    if (error.exitCode === 0) return 0
    terminal.stderr.write(`holdfast: ${usageFault(error)}; --help shows what is possible.\n`)
    return 2
  }
}

function createProgram(terminal: Terminal, onFailure: () => void): Command {
  const program = new Command("holdfast")
    .description("Durable work sessions for AI agents on a real machine.")
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      // A usage fault is one sentence of ours, not a page of help.
      writeErr: () => undefined,
    })
  addServeCommand(program, terminal)
  addMcpCommand(program, terminal)
  addUserCommands(program, terminal)
  addTokenCommands(program, terminal)
  addGrantCommands(program, terminal)
  addSessionsCommands(program, terminal, onFailure)
  addWatchCommand(program, terminal, onFailure)
  addDoctorCommand(program, terminal, onFailure)
  addStopCommand(program, terminal)
  addSetupCommand(program, terminal)
  return program
}

/** Commander's fault as one sentence without its full stop. */
function usageFault({ code, message }: CommanderError): string {
  if (code === "commander.help") return "name a command"
  return message
    .replace(/^error: /, "")
    .replaceAll(/\s+/g, " ")
    .replace(/[.\s]+$/, "")
}

function fail(terminal: Terminal, error: unknown): number {
  const explained = explainFailure(error)
  if (explained !== undefined) {
    terminal.stderr.write(`holdfast: ${explained.sentence}\n`)
    return explained.code
  }
  terminal.stderr.write(`holdfast: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}
