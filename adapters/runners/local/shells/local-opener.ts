import { statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { Dialect } from "../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../core/shells/runner.ts"
import { openWorkingDirectory } from "../host/working-directory.ts"
import { startFailed } from "./errors.ts"
import type { FifoPool } from "./fifo-pool.ts"
import { type Layout, makeLayout, removeLayout } from "./layout.ts"
import { createLocalSeat, type SeatPorts } from "./local-seat.ts"
import { BASH_ARGS, startProcess } from "./start-process.ts"
import type { Seat, SeatOpener } from "./transport.ts"

/** Environment variable that the processes of a live shell carry (spec shells.md §7). */
export const SHELL_MARKER = "HOLDFAST_SHELL"

const READY_MS = 10_000
const NOBODY = { accept: () => undefined, quiet: () => undefined }
const INIT = "unset MAILCHECK TMOUT HISTFILE PROMPT_COMMAND; PS1= PS2=; set +m +o history +H; shopt -s execfail"

/** What opening needs from its host. */
export interface OpenerPorts extends SeatPorts {
  readonly fifos: FifoPool
  readonly environment: Readonly<Record<string, string>>
  /** Where the generations get their directories. */
  readonly privateDirectory: string
  readonly inherited: readonly number[]
  readonly shells: Readonly<Partial<Record<Dialect, string>>>
}

/** Opens the generations of one shell of this machine. */
export function createLocalOpener(spec: ShellSpec, ports: OpenerPorts): SeatOpener {
  let generation = 0

  async function start(cwd: string): Promise<Seat> {
    const { dialect, program } = chooseDialect(spec, ports.shells)
    const directory = join(ports.privateDirectory, `${spec.shellUid.slice(0, 10)}-${generation}`)
    const layout = await makeLayout(directory, ports.fifos)
    generation += 1
    try {
      const env = { ...ports.environment, ...callEnvironment(spec), [SHELL_MARKER]: spec.shellUid }
      const args = dialect === "bash" ? BASH_ARGS : []
      const process = await startProcess(
        { program, args, cwd, env, inherited: ports.inherited },
        layout,
        ports.processes,
      )
      const marker = `${SHELL_MARKER}=${spec.shellUid}`
      const seat = createLocalSeat({ dialect, process, layout, marker, cwd }, ports)
      await answer(seat)
      return seat
    } catch (error) {
      removeLayout(layout)
      throw error
    }
  }

  return {
    async open() {
      const place = openPlace(spec, ports)
      try {
        return await start(place.path)
      } finally {
        place.close()
      }
    },
    async reopen(last, why) {
      const { path } = await last.cwd()
      const exists = isDirectory(path)
      const seat = await start(exists ? path : (spec.cwd ?? ports.environment.HOME ?? "/"))
      const death = why.death
      return {
        seat,
        restart: {
          reason: why.reason,
          ...(typeof death?.exitCode === "number" ? { exit_code: death.exitCode } : {}),
          ...(typeof death?.signal === "string" ? { signal: death.signal } : {}),
          snapshot: "none",
          lost: [],
          ...(exists ? {} : { cwd_lost: true }),
        },
        snapshotOf: undefined,
      }
    },
  }
}

function callEnvironment(spec: ShellSpec): Readonly<Record<string, string>> {
  return Object.fromEntries(spec.env.map(({ name, value }) => [name, value]))
}

function chooseDialect(
  spec: ShellSpec,
  shells: OpenerPorts["shells"],
): { readonly dialect: Dialect; readonly program: string } {
  const wanted = shells[spec.dialect]
  if (wanted !== undefined) return { dialect: spec.dialect, program: wanted }
  if (spec.exact !== true && shells.sh !== undefined) return { dialect: "sh", program: shells.sh }
  throw new ToolError("capability_unavailable", `No ${spec.dialect} is installed here. Name the other shell.`, {
    details: { reason: "shell_missing" },
    executionState: "not_started",
  })
}

function openPlace(spec: ShellSpec, ports: OpenerPorts): { readonly path: string; close(): void } {
  const cwd = spec.cwd ?? ports.environment.HOME ?? "/"
  const root = spec.reach.kind === "local" ? spec.reach.root : undefined
  return openWorkingDirectory(root ?? "/", cwd)
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** It is ready when it answered a whole frame (spec shells.md §3, §5.2). */
async function answer(seat: Seat): Promise<void> {
  const { end } = seat.run({ text: INIT, streams: "merged", tty: false, env: [], sink: NOBODY })
  const first = await Promise.race([end, sleep(READY_MS, undefined, { ref: false })])
  if (first?.kind === "status" && first.started) {
    first.release()
    return
  }
  await seat.close("kill")
  throw startFailed("ready", "It did not answer within ten seconds.")
}
