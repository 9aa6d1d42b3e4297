import type { Dialect } from "../../../../../core/shells/record.ts"

/**
 * Every text in a snapshot is one character a byte (latin1): values and names of a shell need not be valid UTF-8, and
 * what is written back must be what was read.
 */
export type ByteText = string

/** Where one generation of a shell writes its snapshots, and by which word its EXIT action is told from other text. */
export interface SnapshotPlace {
  readonly dialect: Dialect
  /** Absolute path of the FIFO `snap`; the host holds it open for reading and writing. */
  readonly fifo: string
  /** Absolute path of the file that `recordScript` goes into (0600), beside the FIFO; it stays while the shell lives. */
  readonly script: string
  /** 32 hex of this generation, which end the sections that its EXIT action writes. */
  readonly exitToken: string
  /** Number of the abort trap's signal on the machine of the shell; absent: this one. */
  readonly spareSignal?: number
}

/** One variable as `declare -p` prints it. */
export interface SnapshotVariable {
  readonly name: string
  /** Letters of its attributes in any order, `""` for none. */
  readonly attributes: string
  /** `name=value` with the value quoted by the shell itself; only the name where it has no value. */
  readonly assignment: ByteText
}

/** One function; its text is what `declare -f` prints. */
export interface SnapshotFunction {
  readonly name: ByteText
  /** `x` exported, `r` readonly, `t` traced. */
  readonly attributes: string
  readonly text: ByteText
}

/** State of a shell at one moment (spec shells.md §5.6), without what must not be kept. */
export interface Snapshot {
  readonly kind: "exit" | "idle"
  readonly dialect: Dialect
  /** Of `set -o`: name → on. */
  readonly options: Readonly<Record<string, boolean>>
  /** Of `shopt`: name → on; empty in `sh`. */
  readonly shopts: Readonly<Record<string, boolean>>
  /** Octal, or `""` where it was not told. */
  readonly umask: string
  /** Soft limits: letter of `ulimit` → number or `unlimited`. */
  readonly limits: Readonly<Record<string, string>>
  readonly variables: readonly SnapshotVariable[]
  readonly functions: readonly SnapshotFunction[]
  /** Arguments of `alias`, quoted by the shell itself. */
  readonly aliases: readonly ByteText[]
  /** Variables that exist but hold a registered secret or are `MCP_*`: the environment policy gives them anew. */
  readonly leftOut: readonly string[]
  /** What the snapshot could not take, in the words of `lost`. */
  readonly unkept: readonly string[]
  /** Physical working directory as the shell wrote it; absent where it could not. */
  readonly cwd?: ByteText
  /** What `PWD` says, which may lead through links. */
  readonly logicalCwd?: ByteText
}

/** What a shell tells about itself beside its snapshot. */
export interface ShellNotes {
  /** Its own EXIT trap of the user, without our action behind it; absent: none. */
  readonly exitTrap?: ByteText
  /** Signals with a trap of the user, as the shell names them, our two left out. */
  readonly trapped: readonly string[]
  /** Our abort trap stands, and neither `builtin`, `trap` nor `kill` is a function or disabled (spec shells.md §5.5). */
  readonly canAbort: boolean
  /** Our action is the last thing its EXIT trap does. */
  readonly exitActionStands: boolean
}

/** What our EXIT action saw of the shell's end; which of the two causes it was, `restartReason` decides. */
export interface ExitSigns {
  /** `e` in `$-`. */
  readonly errexit: boolean
  /** No text was being sourced any more: a failed command ended the shell, `exit` would have left it in its text. */
  readonly unwound: boolean
  /** With which status it exits; absent where the user's own EXIT action ran first. */
  readonly status?: number
}

/** One whole write into the FIFO: all end tokens came. */
export type Written =
  | { readonly kind: "idle"; readonly token: string; readonly snapshot: Snapshot; readonly notes: ShellNotes }
  | ({ readonly kind: "exit"; readonly token: string; readonly snapshot: Snapshot } & ExitSigns)

/** Takes what comes out of the FIFO of one generation. */
export interface SnapshotReader {
  /** An idle line with this token was sent; its record is taken once. An earlier one that never came is forgotten. */
  expect(token: string): void
  /** Takes bytes in; gives each write that is whole now, in order. Bytes that belong to none are dropped. */
  push(chunk: Uint8Array): readonly Written[]
}

/** What a reader is told about its shell. */
export interface SnapshotReaderOptions {
  readonly place: SnapshotPlace
  /** Values that must not be kept; asked at each write, since literals are learned while a shell lives. */
  secrets(): readonly string[]
}

/** How a new process takes over from an old one. */
export interface RestoreOptions {
  /** Names in the environment that the new process was started with: what the user unset is unset again. */
  readonly environment: readonly string[]
  /** `errexit` ended the old process: it is not set again. */
  readonly withoutErrexit: boolean
  /**
   * The text was not read by the old process (spec shells.md §5.2): no soft limits, and no functions, aliases or
   * disabled builtins named `. source eval builtin command trap kill`.
   */
  readonly plainWords: boolean
  /** FIFO and token by which the new process names what it could not take; see `readRestoreReport`. */
  readonly report: { readonly fifo: string; readonly token: string }
}

/** A text to be sourced by the new process after its init text, and what it leaves out. */
export interface RestoreText {
  readonly bytes: Uint8Array
  /** In the words of `lost`. */
  readonly lost: readonly string[]
}

/** What is known when a shell's process is gone or must be replaced; pure input of `restartReason`. */
export interface DeathFacts {
  /** We replaced it: the host's own doing comes before any sign of the process. */
  readonly replaced?: "wedged" | "unresponsive" | "detached"
  /** The host that held it died, and the process with it or meanwhile. */
  readonly hostLost?: boolean
  /** A command was running, or its frame was on its way. */
  readonly busy: boolean
  /** How the process ended; both null where its parent could not see it any more. */
  readonly exit?: { readonly code: number | null; readonly signal: string | null }
  /** Our EXIT action ran. */
  readonly exitWrite?: ExitSigns
  /** The text of the running command. */
  readonly text?: string
  /** The last idle record knew an EXIT trap of the user. */
  readonly knownExitTrap: boolean
}
