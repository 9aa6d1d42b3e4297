import path from "node:path"
import type { Command } from "commander"
import { loadConfig } from "../config/load-config.ts"
import type { RunningServer } from "../serve.ts"
import { addConfigFlags, configFlags } from "./config-flags.ts"
import { dataDirOf } from "./data-directory.ts"
import { hostCommand } from "./host-command.ts"
import { say, type Terminal } from "./terminal.ts"
import { untilStopped } from "./until-stopped.ts"

interface ServeFlags extends Record<string, unknown> {
  readonly dataDir?: string
  readonly config?: string
}

/** `holdfast serve [dir]`: the HTTP and MCP doors on loopback (spec kernel.md §14, doors.md §2.7). */
export function addServeCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("serve [dir]")
    .description("serve a directory (default: the current one) over HTTP and MCP")
    .option(
      "--data-dir <path>",
      "data directory; default $HOLDFAST_DATA_DIR, $XDG_STATE_HOME/holdfast or ~/.local/state/holdfast",
    )
    .option("--config <path>", "configuration file; default <data directory>/config.json")
  addConfigFlags(command, "http").action(async (directory: string | undefined, flags: ServeFlags) => {
    const dataDir = dataDirOf(terminal, flags.dataDir)
    const loaded = loadConfig({
      flags: configFlags(flags),
      ...(flags.config === undefined ? {} : { file: flags.config }),
      env: terminal.env,
      dataDir,
    })
    // Express and its routes are for this command alone; the others start without them.
    const { serve } = await import("../serve.ts")
    await untilStopped(terminal, async () => {
      const server = await serve({
        dataDir,
        loaded,
        env: terminal.env,
        directory: path.resolve(terminal.cwd, directory ?? "."),
        terminal: terminal.stderr.isTTY === true,
        hostCommand: hostCommand(terminal.launch),
      })
      announce(terminal, server)
      return { close: () => server.close() }
    })
  })
}

/** What a person needs to connect; the token's path, never its value. */
function announce(terminal: Terminal, { url, tokenFile, project, runtime }: RunningServer): void {
  const origin = runtime.config.public_url ?? url
  const lines = [
    `Holdfast serves Project ${project ?? "(none)"} at ${url}`,
    `  OpenAPI      ${origin}/openapi.json`,
    `  GPT Actions  ${origin}/openapi/gpt-actions.json`,
    `  MCP          ${origin}/mcp`,
    `  Token        in ${tokenFile}`,
    "",
    "Try it:",
    `  curl -s ${url}/tools/list_projects -H "Authorization: Bearer $(cat '${tokenFile}')" -H 'Content-Type: application/json' -d '{}'`,
    "Connect a host: holdfast setup claude|codex|cursor|vscode|chatgpt",
    "Stop with Ctrl-C.",
  ]
  say(terminal, lines.join("\n"))
}
