import { statSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { Dialect } from "../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../core/shells/runner.ts"
import { openWorkingDirectory } from "../host/working-directory.ts"
import type { AdoptedGeneration } from "./adopt/adopted-generation.ts"
import { type CardKeeper, keepCard } from "./adopt/keep-card.ts"
import type { ShellJournal } from "./adopt/shell-journal.ts"
import { startFailed } from "./errors.ts"
import type { FifoPool } from "./fifo-pool.ts"
import { makeLayout, removeLayout } from "./layout.ts"
import { createLocalSeat, type LocalSeat, type SeatOptions, type SeatPorts } from "./local-seat.ts"
import { SHELL_MARKER } from "./marker.ts"
import { reasonOf, restartFacts, restoreInto } from "./restore.ts"
import { asText } from "./snapshot/quoting.ts"
import type { KnownState } from "./snapshot-keeper.ts"
import { BASH_ARGS, type ShellProcess, startProcess } from "./start-process.ts"
import type { Reopened, Replacement, SeatOpener } from "./transport.ts"

const READY_MS = 10_000

/** What opening needs from its host. */
export interface OpenerPorts extends SeatPorts {
  readonly fifos: FifoPool
  readonly environment: Readonly<Record<string, string>>
  /** Where the generations get their directories. */
  readonly privateDirectory: string
  readonly inherited: readonly number[]
  readonly shells: Readonly<Partial<Record<Dialect, string>>>
  readonly journal: Pick<ShellJournal, "append">
  /** Values that no snapshot of this shell may keep. */
  secrets(): readonly string[]
  now(): number
}

interface Started {
  readonly seat: LocalSeat
  readonly card: CardKeeper
}

/** Opens the generations of one shell of this machine; `adopted`: the first one was another host's. */
export function createLocalOpener(spec: ShellSpec, ports: OpenerPorts, adopted?: AdoptedGeneration): SeatOpener {
  const env = { ...ports.environment, ...callEnvironment(spec), [SHELL_MARKER]: spec.shellUid }
  const marker = `${SHELL_MARKER}=${spec.shellUid}`
  const boot = ports.processes.bootId()
  let directories = 0
  let generation = adopted?.card.generation ?? 0
  let initialCwd = adopted?.card.initialCwd ?? "/"
  let latest: Started | undefined

  /** What older generations left is older than this one's process. */
  const treeOf = (number: number, process: ShellProcess): SeatOptions["tree"] => ({
    marker,
    bornAt: number === 0 ? process.startTime : 0,
  })

  async function start(cwd: string, inherited: KnownState | undefined, number: number): Promise<Started> {
    const { dialect, program } = chooseDialect(spec, ports.shells)
    const directory = join(ports.privateDirectory, `${spec.shellUid}-${directories}`)
    directories += 1
    const layout = await makeLayout(directory, ports.fifos)
    if (ports.textsByPipe) await ports.fifos.place(layout.command)
    try {
      const args = dialect === "bash" ? BASH_ARGS : []
      const process = await startProcess(
        { program, args, cwd, env, inherited: ports.inherited },
        layout,
        ports.processes,
      )
      const { secrets } = ports
      const seat = createLocalSeat(
        { dialect, process, layout, tree: treeOf(number, process), cwd, inherited, secrets },
        ports,
      )
      const { exitToken } = seat.keeper.place
      try {
        const made = { spec, generation: number, directory, process, exitToken, initialCwd }
        return { seat, card: keepCard(made, { ...ports, boot }) }
      } catch {
        await seat.retire()
        throw startFailed("journal", "The Runner's journal cannot be written. Free disk space, then retry.")
      }
    } catch (error) {
      removeLayout(layout)
      throw error
    }
  }

  /** Goes on with what another host started. */
  function takeUp({ card, layout, process, inherited, cwd }: AdoptedGeneration): Started {
    const options = {
      dialect: card.spec.dialect,
      process,
      layout,
      tree: treeOf(card.generation, process),
      cwd,
      inherited,
      adopted: card,
    }
    const seat = createLocalSeat({ ...options, secrets: ports.secrets }, ports)
    const { directory } = layout
    const made = { spec, generation: card.generation, directory, process, exitToken: card.exitToken, initialCwd }
    const kept = keepCard(made, { ...ports, boot })
    if (card.detached) kept.detached()
    else kept.ready()
    return { seat, card: kept }
  }

  async function follow(last: LocalSeat, why: Replacement, isSecond: boolean): Promise<Reopened & Started> {
    const reason = reasonOf(last, why)
    const from = { last, why, reason }
    const known = isSecond ? undefined : last.keeper.known
    const wanted = cwdOf(last, why)
    const cwdLost = !isDirectory(wanted)
    const home = spec.cwd ?? ports.environment.HOME ?? "/"
    const cwd = cwdLost ? (isDirectory(home) ? home : "/") : wanted
    const { seat, card } = await start(cwd, known, generation + 1)
    try {
      const lost = isSecond
        ? ["state"]
        : await restoreInto(seat, from, { environment: Object.keys(env), token: ports.tokens.next() })
      await answer(seat)
      card.ready()
      return { seat, card, restart: restartFacts(from, { lost, cwdLost, commands: last.keeper.commands }) }
    } catch (error) {
      await seat.retire()
      throw error
    }
  }

  return {
    async open() {
      if (adopted !== undefined) {
        latest = takeUp(adopted)
        return latest.seat
      }
      const place = openPlace(spec, ports)
      try {
        initialCwd = place.path
        latest = await start(place.path, undefined, generation)
        await answer(latest.seat)
        latest.card.ready()
        return latest.seat
      } finally {
        place.close()
      }
    },
    async reopen(_last, why) {
      if (latest === undefined) throw new Error("a generation follows another one")
      const { seat: last, card } = latest
      last.keeper.drain()
      if (why.reason === "detached") card.detached()
      const next = await follow(last, why, false).catch(() => follow(last, why, true))
      if (why.reason === "detached") last.detach()
      else await last.retire()
      generation += 1
      latest = next
      return next
    },
  }
}

/** Where the last generation was: what its EXIT action wrote is later than what was seen. */
function cwdOf(last: LocalSeat, why: Replacement): string {
  const written = why.death === undefined ? undefined : last.keeper.exitWritten?.snapshot.cwd
  return written === undefined ? last.cwd().path : asText(written)
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
async function answer(seat: LocalSeat): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), READY_MS)
  })
  const first = await Promise.race([seat.runOwn(":\n"), late]).finally(() => clearTimeout(timer))
  if (first?.kind === "status" && first.started) {
    first.release()
    seat.noteReady()
    return
  }
  await seat.close("kill")
  throw startFailed("ready", "It did not answer within ten seconds.")
}
