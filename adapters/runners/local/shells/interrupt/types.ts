import type { ProcessRow, ProcessTable } from "../../host/process-table.ts"

/** One process for ever. */
export type ProcessId = Pick<ProcessRow, "pid" | "startTime">

/** A file as the kernel knows it, whatever its name. */
export interface FileId {
  readonly dev: number
  readonly ino: number
}

/** Looks into single processes, beyond what the process table tells; `undefined`: not known here. */
export interface ProcessLook {
  /** Bit n − 1 stands for signal n. */
  signals(pid: number): { readonly ignored: bigint; readonly caught: bigint } | undefined
  /** Blocked in a read of its descriptor 0. */
  readsInput(pid: number): boolean | undefined
  /** Waits for something: neither running nor stopped. */
  sleeps(pid: number): boolean | undefined
  /** What its descriptor 0 is. */
  input(pid: number): FileId | undefined
  /** This moment in the unit of the table's start times. */
  now(): number | undefined
}

/** The signal our abort trap listens to (spec shells.md §5.5). */
export type SpareSignal = "SIGSTKFLT" | "SIGINFO"

/** Signals that the ladder sends. */
export type LadderSignal = "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGCONT" | SpareSignal

/** Sends a signal to this very process: pid and start time are compared last. `false` when it was not sent. */
export type SendSignal = (target: ProcessId, signal: LadderSignal) => boolean

/** What the functions of this room look at and act by. */
export interface InterruptPorts {
  readonly processes: ProcessTable
  readonly look: ProcessLook
  readonly send: SendSignal
}

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
  /**
   * `false`: no abort trap of ours that works is known: the last idle record says so (`ShellNotes.canAbort`), or one was
   * sent and did not come. The ladder then begins at step 4.
   */
  readonly canAbort: boolean
  /** Resolves when the command's status is there or the shell's process is gone. */
  readonly over: Promise<void>
  /** The same, looked at anew: asked right before each spare signal, which an idle shell must not get. */
  isOver(): boolean
}

/** What a ladder did. */
export interface LadderReport {
  /** `over`: the command ended before step 4; `killed`: the shell was, and is to be replaced. */
  readonly end: "over" | "killed"
  /** Last step that was begun, 1..4. */
  readonly step: 1 | 2 | 3 | 4
  /** Processes of the command that live in spite of SIGKILL, zombies left out. */
  readonly survivors: readonly ProcessRow[]
}

/** What a wedge detector says. */
export type WedgeAnswer = "running" | "suspect" | "wedged"

/** Tells a shell that waits for input while a command should run (spec shells.md §5.4); one for each command. */
export interface WedgeDetector {
  /**
   * Takes one look; to be called at intervals of ≥ 100 ms while the command runs. After `wedged` the caller looks for the
   * status file once more before it believes it.
   */
  sample(): WedgeAnswer
}
