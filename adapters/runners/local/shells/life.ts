import type { Survivor } from "../../../../core/jobs/record.ts"
import type { ShellRunFacts } from "../../../../core/jobs/runner.ts"
import type { CloseReason, LostReason, ShellRestart, ShellState } from "../../../../core/shells/record.ts"
import type { ShellFacts, ShellSpec } from "../../../../core/shells/runner.ts"
import { type Changes, createChanges } from "../host/changes.ts"
import type { RunRecord } from "./adopt/run-record.ts"
import type { ShellCommand } from "./command.ts"
import type { Seat, SeatCwd, SeatOpener, SeatRun } from "./transport.ts"

/** One command on its way. */
export interface Running {
  readonly command: ShellCommand
  /** Its turn in the shell; `""` where it has none. */
  readonly claimId: string
  /** The generation it runs in. */
  seat: Seat
  /** Its frame was sent by a host that is gone; taken when it is gone on with. */
  resumed?: RunRecord | undefined
  /** Absent before its frame is sent. */
  run: SeatRun | undefined
  /** It has its old process for itself: it is no longer part of the shell (spec shells.md §5.7). */
  detached: boolean
}

/** What one shell is at this moment; the phases of its life share it. */
export interface ShellLife {
  readonly spec: ShellSpec
  readonly opener: SeatOpener
  readonly changes: Changes
  revision: number
  state: ShellState
  reason: CloseReason | LostReason | string | undefined
  generation: number
  seat: Seat | undefined
  cwd: SeatCwd
  initialCwd: string
  running: Running | undefined
  /** Set while a further generation is being opened. */
  restarting: Promise<void> | undefined
  /** To be told in the next result. */
  untold: ShellRestart | undefined
  /** The directory is gone since the shell died idle: the next claim is refused once (spec shells.md §5.6). */
  cwdLost: { readonly from: string; readonly to: string } | undefined
  /** It died idle without a command since its last restore: this restores it when one comes (spec shells.md §5.6). */
  dormant: (() => Promise<void>) | undefined
  /** A command ran in this generation. */
  used: boolean
  lastUsedAt: number
  closedAt: number | undefined
  survivors: readonly Survivor[]
  closing: boolean
}

/** A shell that is about to open. */
export function createLife(spec: ShellSpec, opener: SeatOpener, now: number): ShellLife {
  return {
    spec,
    opener,
    changes: createChanges(),
    revision: 1,
    state: "opening",
    reason: undefined,
    generation: 0,
    seat: undefined,
    cwd: { path: spec.cwd ?? "/", deleted: false },
    initialCwd: spec.cwd ?? "/",
    running: undefined,
    restarting: undefined,
    untold: undefined,
    cwdLost: undefined,
    dormant: undefined,
    used: true,
    lastUsedAt: now,
    closedAt: undefined,
    survivors: [],
    closing: false,
  }
}

/** Something that its facts show has changed. */
export function noteChange(life: ShellLife): void {
  life.revision += 1
  life.changes.notify()
}

/** The shell ends here: its id is final. */
export function endLife(
  life: ShellLife,
  end: { state: "closed" | "lost" | "poisoned"; reason: string; at: number },
): void {
  life.state = end.state
  life.reason = end.reason
  life.closedAt = end.at
  noteChange(life)
}

/** Its state as it is shown: without its link a far shell is being looked for (spec shells.md §3). */
export function stateOf(life: ShellLife): ShellState {
  return life.state === "running" && life.seat?.link?.isRecovering === true ? "recovering" : life.state
}

/** What a command says of its shell before it has changed anything there. */
export function runFactsOf({ generation, cwd }: ShellLife): ShellRunFacts {
  return { generation, cwd: cwd.path, cwdDeleted: cwd.deleted, lateOutput: [], intTrapReset: false }
}

/** What a shell shows of itself. */
export async function factsOf(life: ShellLife, waiting: number): Promise<ShellFacts> {
  const alive =
    life.seat !== undefined && life.state === "running" && life.restarting === undefined && life.dormant === undefined
  if (alive && life.seat !== undefined) life.cwd = await life.seat.cwd()
  const background = alive && life.seat !== undefined ? await life.seat.background() : []
  return {
    shellUid: life.spec.shellUid,
    revision: life.revision,
    state: stateOf(life),
    ...(life.reason === undefined ? {} : { reason: life.reason }),
    dialect: life.seat?.dialect ?? life.spec.dialect,
    generation: life.generation,
    cwd: life.cwd.path,
    cwdDeleted: life.cwd.deleted,
    ...(life.running === undefined
      ? {}
      : { running: { jobId: life.running.command.spec.jobId, startedAt: life.running.command.startedAt } }),
    waiting,
    background,
    lastUsedAt: life.lastUsedAt,
    ...(life.closedAt === undefined ? {} : { closedAt: life.closedAt }),
    survivors: life.survivors,
    ...(life.spec.reach.kind === "local" ||
    life.spec.reach.workspace === undefined ||
    life.opener.checkpoints === undefined
      ? {}
      : { automaticCheckpoints: life.opener.checkpoints.isAutomatic }),
  }
}
