import type { StreamName, Survivor } from "../../../../core/jobs/record.ts"
import type { BackgroundProcess } from "../../../../core/jobs/runner.ts"
import type { ToolError } from "../../../../core/kernel/error.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"
import type { Dialect, LostReason, RestartReason, ShellRestart } from "../../../../core/shells/record.ts"
import type { Checkpoint, Restored } from "../../../../core/shells/runner.ts"
import type { RunRecord } from "./adopt/run-record.ts"

/** Where a seat delivers what one command writes; a chunk is only valid during the call. */
export interface OutputSink {
  /** Bytes in order, until the end is told and, of background children, after it. */
  accept(stream: StreamName, chunk: Uint8Array): void
  /** The command is on its way: the time to make ready what its output needs. */
  expected?(): void
  /** Nothing of this command can bring bytes any more; told once, after the end. */
  quiet(): void
  /** What of a stream is stored by now. */
  stored?(stream: StreamName): StoredSoFar
  /** Of a command that is gone on with: the bytes that come are those from here on (spec shells.md §9.1). */
  rebase?(stream: StreamName, at: StoredSoFar & { readonly written: number }): void
}

/** How much of a stream is stored: a command that wrote `written` bytes may have more or fewer stored, for what is masked. */
export interface StoredSoFar {
  readonly bytes: number
  /** Ends of lines in them. */
  readonly newlines: number
}

/** One command as a seat runs it (spec shells.md §5.2). */
export interface SeatCommand {
  readonly text: string
  /** Absent: `/dev/null`. */
  readonly stdin?: string
  readonly streams: "split" | "merged"
  readonly tty: boolean
  /** For this command only. */
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly sink: OutputSink
  /** What the next host has to know of it, should this one die (spec shells.md §6); absent for a text of ours. */
  readonly job?: { readonly jobId: JobId; readonly startedAt: number; readonly timeoutMs: number }
  /** Its frame was sent by a host that is gone. */
  readonly resumed?: RunRecord
}

/** How the process of a shell ended. */
export interface SeatDeath {
  readonly exitCode: number | null
  readonly signal: string | null
  /** The whole place went, and the shell with it: for good, or to be restored where a container was started again. */
  readonly gone?: LostReason | "container_restarted"
}

/** Ends what a command left behind; resolves with what lives in spite of it. */
export type EndBackground = (graceMs: number) => Promise<{
  readonly background: readonly BackgroundProcess[]
  readonly survivors: readonly Survivor[]
}>

/** How one command ended in a seat; its output has been delivered up to here. */
export interface SeatEnd {
  /**
   * `status`: the shell reported it. `died`: the shell's process is gone. `wedged`: it will never report. `unresponsive`:
   * the interrupt ladder was of no use and the process was killed. After all but `status` the seat is of no use.
   */
  readonly kind: "status" | "died" | "wedged" | "unresponsive"
  /** Of `status`. */
  readonly status?: number
  /** Of `died`. */
  readonly death?: SeatDeath
  /** Whether the shell read the text at all (spec shells.md §5.2, proof of start). */
  readonly started: boolean
  readonly outputGap: boolean
  /** Live children of the shell that this command started, one entry a tree. */
  readonly background: readonly BackgroundProcess[]
  readonly endBackground?: EndBackground
  /** Processes of the command that live in spite of the ladder. */
  readonly survivors: readonly Survivor[]
  /** The ladder removed the user's own INT trap. */
  readonly intTrapReset: boolean
  /** The end is journalled: what proves it need not be kept (spec shells.md §6). */
  release(): void
}

/** A command on its way. */
export interface SeatRun {
  readonly end: Promise<SeatEnd>
  /** It has ended by itself, as far as is known now: a stop comes too late. */
  isOver(): boolean
  /** Begins the interrupt ladder (spec shells.md §5.5), once; `end` then waits for it. */
  interrupt(): void
}

/** The connection to a shell that is elsewhere (spec shells.md §9.1). */
export interface SeatLink {
  /** It is lost, and is looked for. */
  readonly isRecovering: boolean
  /** Why it will not stand before somebody has done something; absent: it may. */
  readonly refusal: ToolError | undefined
  /** Resolves when it was lost or stands again, or when the signal aborts. */
  changed(signal?: AbortSignal): Promise<void>
}

/** The directory a shell is in. */
export interface SeatCwd {
  readonly path: string
  readonly deleted: boolean
}

/** What ending a seat did. */
export interface SeatClosed {
  readonly ended: readonly BackgroundProcess[]
  readonly kept: readonly BackgroundProcess[]
  readonly survivors: readonly Survivor[]
}

/**
 * One generation of a live shell: a process that runs texts, wherever it is. The engine above it (claims, Jobs, outcomes,
 * restarts, idle time) is the same for every place.
 */
export interface Seat {
  readonly dialect: Dialect
  /** Absent on this machine. */
  readonly link?: SeatLink
  /** Where it is by now; as it was when it died. */
  cwd(): Promise<SeatCwd> | SeatCwd
  /** At most one at a time. */
  run(command: SeatCommand): SeatRun
  /** Resolves when the process is gone, also of itself between two commands. */
  readonly died: Promise<SeatDeath>
  /** Live children of the shell, one entry a tree. */
  background(): Promise<readonly BackgroundProcess[]> | readonly BackgroundProcess[]
  /** No command waits: time for what a restore needs (spec shells.md §5.6 b). */
  rest(): void
  /** Gives the running command this process for itself: no further command comes, and it ends with that one. */
  detach(): void
  /** Ends the process and, unless kept, everything below it; ≤ 3 s. */
  close(background: "kill" | "keep"): Promise<SeatClosed>
  /** Leaves the process to itself: nothing is read any more. */
  abandon(): void
}

/** Why a further generation is opened, and what the last one left. */
export interface Replacement {
  /** As far as the engine knows; `exited`, `signaled` and `killed_outside` are to be told apart by what is known beside it. */
  readonly reason: RestartReason
  readonly death?: SeatDeath
  /** The text of the command that was running, for what the shell's end was caused by. */
  readonly text?: string
  /** The next generation starts without what could keep a frame from being read (spec shells.md §5.2). */
  readonly cautious: boolean
}

/** A further generation and what it could not keep. */
export interface Reopened {
  readonly seat: Seat
  readonly restart: ShellRestart
}

/** Checkpoints of the workspace of a shell that is elsewhere (spec shells.md §12). Every method throws `checkpoint_unsupported`. */
export interface SeatCheckpoints {
  /** Made before commands that may change the workspace; known once the shell is open. */
  readonly isAutomatic: boolean
  create(label: string): Promise<Checkpoint>
  /** Newest first. */
  list(): Promise<readonly Checkpoint[]>
  /** The latest where none is named. Throws `checkpoint_not_found`. */
  restore(id: string | undefined): Promise<Restored>
}

/** Opens the generations of one shell. */
export interface SeatOpener {
  /** Absent on this machine. */
  readonly checkpoints?: SeatCheckpoints
  /** The first generation; resolves when a whole frame was answered. Throws what `ShellRunner.open` does. */
  open(): Promise<Seat>
  /** The next one, from the newest snapshot of the last seat. Throws when it does not come to life. */
  reopen(last: Seat, why: Replacement): Promise<Reopened>
}
