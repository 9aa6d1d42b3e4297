import path from "node:path"
import type { Command } from "commander"
// Not the adapter's index: a host that waits for its first reply should not wait for the HTTP door to load.
import { serveMcpStdio } from "../../adapters/mcp/stdio.ts"
import { stdioCaller } from "../../core/access/callers.ts"
import type { Caller } from "../../core/access/principal.ts"
import { SCOPE_BUNDLES, type Scope, scopeSchema } from "../../core/access/scopes.ts"
import { mcpDoorDeps, mcpFaultListener } from "../compose/mcp-door-deps.ts"
import { registerDirectory } from "../compose/register-directory.ts"
import { requireServable } from "../compose/require-servable.ts"
import { createRuntime, type Runtime } from "../compose/runtime.ts"
import { runtimeOptions } from "../compose/runtime-options.ts"
import { ConfigError } from "../config/config-error.ts"
import { loadConfig } from "../config/load-config.ts"
import { addConfigFlags, commaList, configFlags } from "./config-flags.ts"
import { dataDirOf } from "./data-directory.ts"
import { hostCommand } from "./host-command.ts"
import type { Terminal } from "./terminal.ts"
import { type Started, untilStopped } from "./until-stopped.ts"

interface McpFlags extends Record<string, unknown> {
  readonly dataDir?: string
  readonly config?: string
  readonly scopes?: readonly string[]
}

/** `holdfast mcp [dir]`: MCP on stdin and stdout for the host that starts it (spec doors.md §4.1). */
export function addMcpCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("mcp [dir]")
    .description("serve a directory (default: the current one) over MCP on stdin and stdout")
    .option(
      "--data-dir <path>",
      "data directory; default $HOLDFAST_DATA_DIR, $XDG_STATE_HOME/holdfast or ~/.local/state/holdfast",
    )
    .option("--config <path>", "configuration file; default <data directory>/config.json")
    .option("--scopes <list>", "narrow the scopes, comma-separated; default the agent bundle", commaList)
  addConfigFlags(command, "stdio").action(async (directory: string | undefined, flags: McpFlags) => {
    const dataDir = dataDirOf(terminal, flags.dataDir)
    const loaded = loadConfig({
      flags: configFlags(flags),
      ...(flags.config === undefined ? {} : { file: flags.config }),
      env: terminal.env,
      dataDir,
    })
    const scopes = flags.scopes?.map(readScope)
    keepStdoutForProtocol(terminal)
    const served = path.resolve(terminal.cwd, directory ?? ".")
    await requireServable({ dataDir, env: terminal.env, config: loaded.config, directory: served })
    const options = {
      dataDir,
      loaded,
      env: terminal.env,
      terminal: terminal.stderr.isTTY === true,
      hostCommand: hostCommand(terminal.launch),
    }
    await untilStopped(terminal, async () => {
      const runtime = await createRuntime(runtimeOptions(options))
      try {
        await registerDirectory(runtime, served)
        return openDoor(terminal, runtime, stdioCaller(scopes))
      } catch (error) {
        await runtime.close()
        throw error
      }
    })
  })
}

function openDoor(terminal: Terminal, runtime: Runtime, caller: Caller): Started {
  const door = serveMcpStdio(mcpDoorDeps(runtime), {
    caller,
    surface: runtime.config.surface,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    onFault: mcpFaultListener(runtime.telemetry),
  })
  return {
    ended: door.ended,
    async close() {
      try {
        // While the host still listens: waits answer their current state, commands are handed over.
        await runtime.kernel.drain()
        await door.close()
      } finally {
        await runtime.close()
      }
    },
  }
}

/** A scope that stdio may have: one of the agent bundle (spec kernel.md §2.2). */
function readScope(name: string): Scope {
  const scope = SCOPE_BUNDLES.agent.find((known) => known === name)
  if (scope !== undefined) return scope
  const why = scopeSchema.safeParse(name).success ? "is never given over stdio" : "is not known"
  throw new ConfigError(`Scope "${name}" of --scopes ${why}; choose from ${SCOPE_BUNDLES.agent.join(", ")}.`)
}

/** A dependency that prints would break the protocol; its lines go to standard error. */
function keepStdoutForProtocol(terminal: Terminal): void {
  const toStderr = (...values: readonly unknown[]): void => {
    terminal.stderr.write(`${values.map(String).join(" ")}\n`)
  }
  Object.assign(globalThis.console, { log: toStderr, info: toStderr, debug: toStderr, warn: toStderr, error: toStderr })
}
