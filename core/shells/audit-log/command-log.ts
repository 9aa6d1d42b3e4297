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

/** The operator's log of commands in live shells, off by default (spec shells.md §13). */
export interface CommandLog {
  /** Whether entries are kept at all. */
  readonly isOn: boolean
  /**
   * Adds an entry; nothing is waited for and nothing thrown. A result with `shell_restarted` gives a `restart` entry
   * too. `command` is the text as it was sent: masking is done here.
   */
  note(shell: AuditedShell, happening: ShellHappening): void
}

/** The log that is off. */
export const NO_COMMAND_LOG: CommandLog = { isOn: false, note: () => undefined }

/** One line for the log, and which shell's it is. */
export interface AuditLine {
  readonly shellId: string
  /** When the shell was opened, ms. */
  readonly openedAt: number
  /** JSON without line break. */
  readonly text: string
}

/** Where lines go; failing never reaches whoever appends. */
export interface AuditSink {
  append(line: AuditLine): void
}
