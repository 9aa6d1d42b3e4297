import type { ProcessRow } from "../../host/process-table.ts"

/** One process for ever. */
export type ProcessId = Pick<ProcessRow, "pid" | "startTime">

/** A file as the kernel knows it, whatever its name. */
export interface FileId {
  readonly dev: number
  readonly ino: number
}

/** Looks into single processes, beyond what the process table tells; each answer may be `undefined`: not known here. */
export interface ProcessLook {
  /** Bit n − 1 stands for signal n. */
  signals(pid: number): { readonly ignored: bigint; readonly caught: bigint } | undefined
  /** Its own children; a shell forks from one thread only. */
  children(pid: number): readonly number[] | undefined
  /** Blocked in a read of its descriptor 0. */
  readsInput(pid: number): boolean | undefined
  /** Asleep: neither running nor stopped. */
  sleeps(pid: number): boolean | undefined
  /** Stopped by a signal. */
  stopped(pid: number): boolean | undefined
  /** What its descriptor 0 is. */
  input(pid: number): FileId | undefined
}

/** Signals that the ladder sends. */
export type LadderSignal = "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGCONT" | SpareSignal

/** The signal our abort trap listens to (spec shells.md §5.5). */
export type SpareSignal = "SIGSTKFLT" | "SIGINFO"

/** Sends a signal to this very process: pid and start time are compared last. `false` when it was not sent. */
export type SendSignal = (target: ProcessId, signal: LadderSignal) => boolean

/** The older background work of a shell, noted at the start of a command: a stop of that command leaves it alone. */
export interface Protected {
  /** Alive below the shell at that moment. */
  readonly rows: readonly ProcessId[]
  /** That moment by the monotonic clock, ms. */
  readonly notedAt: number
}

/** One command to be stopped in its shell. */
export interface LadderSpec {
  readonly shell: ProcessId
  readonly protected: Protected
  /** `false`: the abort trap is not ours or cannot work (last idle record, or a dialect without one): begins at step 4. */
  readonly canAbort: boolean
  /** Resolves when the command's status is there or the shell's process is gone: nothing more is sent then. */
  readonly statusSeen: Promise<void>
}

/** What a ladder did. */
export interface LadderReport {
  /** `status`: it ended by itself and the shell lives; `killed`: step 4 was reached, the shell is to be replaced. */
  readonly end: "status" | "killed"
  /** Last step that was taken, 1..4. */
  readonly step: number
  /** Processes of the command that live in spite of SIGKILL, zombies left out. */
  readonly survivors: readonly ProcessRow[]
}

/** Answers of a wedge detector. */
export type WedgeAnswer = "running" | "suspect" | "wedged"

/** Tells a shell that waits for input while a command should run (spec shells.md §5.4); one for each command. */
export interface WedgeDetector {
  /**
   * Takes one look; to be called at intervals of ≥ 100 ms while the command runs. After `wedged` the caller looks for the
   * status file once more before it believes it.
   */
  sample(): WedgeAnswer
}
