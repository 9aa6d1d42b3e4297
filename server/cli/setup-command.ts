import { homedir } from "node:os"
import path from "node:path"
import type { Command } from "commander"
import { defaultDataDir } from "../../adapters/data-dir/index.ts"
import { createLocalTokenFile } from "../../adapters/local-token/create-local-token-file.ts"
import { loadConfig } from "../config/load-config.ts"
import { dataDirOf } from "./data-directory.ts"
import { SETUP_HOSTS, setupHost, setupSnippet } from "./setup.ts"
import { say, type Terminal } from "./terminal.ts"

/** `holdfast setup <host>`: prints the exact text to paste; changes nothing. */
export function addSetupCommand(program: Command, terminal: Terminal): void {
  program
    .command("setup <host> [dir]")
    .description(`print what to paste into a host: ${SETUP_HOSTS.join(", ")}`)
    .option(
      "--data-dir <path>",
      "data directory; default $HOLDFAST_DATA_DIR, $XDG_STATE_HOME/holdfast or ~/.local/state/holdfast",
    )
    .option("--config <path>", "configuration file; default <data directory>/config.json")
    .action((name: string, dir: string | undefined, flags: { readonly dataDir?: string; readonly config?: string }) => {
      const host = setupHost(name)
      const dataDir = dataDirOf(terminal, flags.dataDir)
      const { config } = loadConfig({
        flags: {},
        ...(flags.config === undefined ? {} : { file: flags.config }),
        env: terminal.env,
        dataDir,
      })
      const snippet = setupSnippet(host, {
        directory: path.resolve(terminal.cwd, dir ?? "."),
        launch: terminal.launch,
        flags: [
          ...(dataDir === defaultDataDir({ env: terminal.env, home: homedir() }) ? [] : ["--data-dir", dataDir]),
          ...(flags.config === undefined ? [] : ["--config", path.resolve(terminal.cwd, flags.config)]),
        ],
        publicUrl: config.public_url,
        port: config.port,
        tokenFile: createLocalTokenFile(dataDir).path,
      })
      say(terminal, snippet)
    })
}
