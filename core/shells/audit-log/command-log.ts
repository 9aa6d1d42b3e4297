import type { StartCommand } from "../../jobs/command.ts"
import type { StartOutput } from "../../jobs/output-schema.ts"
import type { ExecResult } from "../exec-schema.ts"
import type { Shell, ShellRestart } from "../record.ts"

/** What of a shell an entry needs. */
export type AuditedShell = Pick<Shell, "shellId" | "createdAt" | "target" | "family">

/** Something that happened in a shell and is worth an entry (spec shells.md §13). */
export type ShellHappening =
  | { readonly event: "open"; readonly shell: string; readonly cwd: string }
  | { readonly event: "exec"; readonly command: string; readonly result: ExecResult }
  | { readonly event: "close"; readonly reason: string }
  | { readonly event: "blocked"; readonly command: string; readonly rule: string; readonly program?: string }
  | { readonly event: "restart"; readonly restart: ShellRestart }

/** What an entry says of the call whose command runs by itself. */
export interface AuditedOneShot {
  /** The Workflow Session that it works in; absent without one. */
  readonly sessionId?: string
  /** Slug of the Project. */
  readonly project?: string
  readonly tool: string
  readonly transport: "local" | "ssh"
}

/** What became of a command that runs by itself. */
export type OneShotHappening =
  | { readonly event: "exec"; readonly command: StartCommand; readonly result: StartOutput }
  | { readonly event: "blocked"; readonly command: StartCommand; readonly rule: string; readonly program?: string }

/**
 * The operator's log of commands, off by default (spec shells.md §13). Nothing is waited for and nothing thrown; commands
 * are passed as they were sent, masking is done here.
 */
export interface CommandLog {
  /** Whether entries are kept at all. */
  readonly isOn: boolean
  /** Adds an entry of a live shell. A result with `shell_restarted` gives a `restart` entry too. */
  note(shell: AuditedShell, happening: ShellHappening): void
  /** Adds an entry of a command that runs by itself. */
  noteOneShot(where: AuditedOneShot, happening: OneShotHappening): void
}

/** The log that is off. */
export const NO_COMMAND_LOG: CommandLog = { isOn: false, note: () => undefined, noteOneShot: () => undefined }

/** One line for the log, and which lines it belongs to: they share a file where the log is a directory. */
export interface AuditLine {
  /** A shell's id, or `commands`. */
  readonly group: string
  /** When the group began, ms. */
  readonly since: number
  /** JSON without line break. */
  readonly text: string
}

/** Where lines go; failing never reaches whoever appends. */
export interface AuditSink {
  append(line: AuditLine): void
}
