import type { Command } from "commander"
import { removeEmptyRuntimeDirectory, runtimeDirectoryOf } from "../../adapters/runners/local/host/runtime-directory.ts"
import { secretsFromEnvironment } from "../../core/kernel/redaction/environment.ts"
import { createSecretRegistry } from "../../core/kernel/secrets.ts"
import type { Telemetry } from "../../core/kernel/telemetry.ts"
import { createLedger } from "../../core/ledger/create-ledger.ts"
import { composeCommandLog } from "../compose/command-log.ts"
import { composeCarrier } from "../compose/socket-carrier.ts"
import { atDesk, type OperatorDesk } from "./data-directory.ts"
import { hostCommand } from "./host-command.ts"
import { type EndedThings, endLiving } from "./stop/end-living.ts"
import { stopConfig } from "./stop/stop-config.ts"
import { show, type Terminal } from "./terminal.ts"

interface StopFlags {
  readonly all?: boolean
  readonly json?: boolean
  readonly config?: string
  readonly dataDir?: string
}

/**
 * `holdfast stop`: ends every shell and attached Job of a data directory, cause `shutdown`, whichever server started it; with
 * `--all` detached Jobs too (spec shells.md §6, exec-and-jobs.md §6.3, §6.4). Servers go on. A configuration file that cannot
 * be read does not keep it from that.
 */
export function addStopCommand(program: Command, terminal: Terminal): void {
  program
    .command("stop")
    .description("end the shells and Jobs that outlive their server; servers go on")
    .option("--all", "end detached Jobs too")
    .option("--json", "print JSON")
    .option("--config <path>", "configuration file; default <data directory>/config.json")
    .option(
      "--data-dir <path>",
      "data directory; default $HOLDFAST_DATA_DIR, $XDG_STATE_HOME/holdfast or ~/.local/state/holdfast",
    )
    .action(async (flags: StopFlags) => {
      await atDesk(terminal, flags.dataDir, async (desk) => {
        const told = await stop(terminal, desk, flags)
        show(terminal, flags.json, told, () => sentences(told))
      })
    })
}

async function stop(terminal: Terminal, desk: OperatorDesk, flags: StopFlags): Promise<EndedThings> {
  const { config, fault } = await stopConfig(terminal, desk, flags.config)
  if (fault !== undefined) terminal.stderr.write(`holdfast: ${fault} This stop goes on without it.\n`)
  const secrets = createSecretRegistry(secretsFromEnvironment(terminal.env))
  const commandLog = composeCommandLog(config, { clock: desk.clock, secrets, telemetry: spokenTo(terminal) })
  const carrier = composeCarrier({
    ...desk,
    config,
    env: terminal.env,
    secrets,
    hostCommand: hostCommand(terminal.launch),
    report: () => undefined,
  })
  const redact = (text: string): string => secrets.redactor().redactText(text).text
  try {
    return await endLiving(
      {
        ...desk,
        carrier,
        ledger: createLedger({ ids: desk.ids, redact }),
        // Servers see what other processes commit.
        signals: { notify: () => undefined },
        shells: { log: commandLog.log },
      },
      flags.all === true,
    )
  } finally {
    carrier.close()
    await commandLog.close()
    removeEmptyRuntimeDirectory(config.runtime_dir ?? runtimeDirectoryOf(desk.dataDir))
  }
}

/** A person sits before it: what is worth a line is said on standard error. */
function spokenTo({ stderr }: Terminal): Telemetry {
  return {
    call: () => undefined,
    fault: (error) => void stderr.write(`holdfast: ${error instanceof Error ? error.message : String(error)}\n`),
    note: (message) => void stderr.write(`holdfast: ${message}\n`),
  }
}

function sentences({ shells, jobs, going_on: goingOn }: EndedThings): string {
  const ended = [...shells.map((id) => `shell ${id}`), ...jobs.map((id) => `Job ${id}`)]
  const lines = ended.length === 0 ? ["Nothing was running."] : ended.map((what) => `Ended ${what}`)
  return [...lines, ...goingOn.map((id) => `Goes on: detached Job ${id}; holdfast stop --all ends it`)].join("\n")
}
