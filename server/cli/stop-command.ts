import type { Command } from "commander"
import { removeEmptyRuntimeDirectory, runtimeDirectoryOf } from "../../adapters/runners/local/host/runtime-directory.ts"
import type { Job } from "../../core/jobs/record.ts"
import { secretsFromEnvironment } from "../../core/kernel/redaction/environment.ts"
import { createSecretRegistry } from "../../core/kernel/secrets.ts"
import type { Shell } from "../../core/shells/record.ts"
import type { Store } from "../../core/store.ts"
import { composeCarrier } from "../compose/socket-carrier.ts"
import { loadConfig } from "../config/load-config.ts"
import { atDesk } from "./data-directory.ts"
import { hostCommand } from "./host-command.ts"
import { show, type Terminal } from "./terminal.ts"

interface StopFlags {
  readonly all?: boolean
  readonly json?: boolean
  readonly dataDir?: string
}

/** What lived before it was stopped. */
interface Living {
  readonly shells: readonly Shell[]
  readonly jobs: readonly Job[]
}

/**
 * `holdfast stop`: ends every shell and attached Job of a data directory, cause `shutdown`, whichever server started it; with
 * `--all` detached Jobs too (spec shells.md §6, exec-and-jobs.md §6.3, §6.4). Servers go on.
 */
export function addStopCommand(program: Command, terminal: Terminal): void {
  program
    .command("stop")
    .description("end the shells and Jobs that outlive their server; servers go on")
    .option("--all", "end detached Jobs too")
    .option("--json", "print JSON")
    .option("--data-dir <path>", "data directory; default $HOLDFAST_DATA_DIR or ~/.local/state/holdfast")
    .action(async (flags: StopFlags) => {
      await atDesk(terminal, flags.dataDir, async (desk) => {
        const before = await living(desk.store)
        const { config } = loadConfig({ flags: {}, env: terminal.env, dataDir: desk.dataDir })
        const carrier = composeCarrier({
          ...desk,
          config,
          env: terminal.env,
          secrets: createSecretRegistry(secretsFromEnvironment(terminal.env)),
          hostCommand: hostCommand(terminal.launch),
          report: () => undefined,
        })
        const detached = before.jobs.filter((job) => job.kind === "detached")
        if (flags.all === true) {
          for (const { jobId } of detached) await carrier.jobs.stop(jobId, { cause: "shutdown", graceMs: 500 })
        }
        await carrier.shutDown()
        carrier.close()
        removeEmptyRuntimeDirectory(config.runtime_dir ?? runtimeDirectoryOf(desk.dataDir))
        const going = flags.all === true ? [] : detached
        const ended = before.jobs.filter((job) => !going.includes(job))
        const told = {
          shells: before.shells.map(({ shellId }) => shellId),
          jobs: ended.map(({ jobId }) => jobId),
          going_on: going.map(({ jobId }) => jobId),
        }
        show(terminal, flags.json, told, () => sentences(told))
      })
    })
}

async function living(store: Store): Promise<Living> {
  return store.read(async (tx) => ({ shells: await tx.shells.live({}), jobs: await tx.jobs.active({}) }))
}

interface Told {
  readonly shells: readonly string[]
  readonly jobs: readonly string[]
  readonly going_on: readonly string[]
}

function sentences({ shells, jobs, going_on: goingOn }: Told): string {
  const ended = [...shells.map((id) => `shell ${id}`), ...jobs.map((id) => `Job ${id}`)]
  const lines = ended.length === 0 ? ["Nothing was running."] : ended.map((what) => `Ended ${what}`)
  return [...lines, ...goingOn.map((id) => `Goes on: detached Job ${id}; holdfast stop --all ends it`)].join("\n")
}
