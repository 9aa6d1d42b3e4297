import { Command, CommanderError } from "commander"
import { VERSION } from "../version.ts"
import { addGrantCommands, addTokenCommands, addUserCommands } from "./account-commands.ts"
import { addDoctorCommand } from "./doctor-command.ts"
import { explainFailure } from "./exit-codes.ts"
import { addMcpCommand } from "./mcp-command.ts"
import { addServeCommand } from "./serve-command.ts"
import { addSetupCommand } from "./setup-command.ts"
import type { Terminal } from "./terminal.ts"

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
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    return fail(terminal, error)
  }
}

function createProgram(terminal: Terminal, onFailure: () => void): Command {
  const program = new Command("holdfast")
    .description("Durable work sessions for AI agents on a real machine.")
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError("(add --help for what is possible)")
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
  addServeCommand(program, terminal)
  addMcpCommand(program, terminal)
  addUserCommands(program, terminal)
  addTokenCommands(program, terminal)
  addGrantCommands(program, terminal)
  addDoctorCommand(program, terminal, onFailure)
  addSetupCommand(program, terminal)
  return program
}

function fail(terminal: Terminal, error: unknown): number {
  const explained = explainFailure(error)
  if (explained !== undefined) {
    terminal.stderr.write(`holdfast: ${explained.sentence}\n`)
    return explained.code
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    const port = "port" in error ? ` ${String(error.port)}` : ""
    terminal.stderr.write(`holdfast: port${port} is taken; stop the other server or choose another one with --port.\n`)
    return 1
  }
  terminal.stderr.write(`holdfast: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}
