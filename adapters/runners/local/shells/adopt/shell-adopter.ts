import type { JobId, ShellUid } from "../../../../../core/kernel/ids.ts"
import type { Literal } from "../../../../../core/kernel/redaction/redactor.ts"
import type { ShellEnd, ShellSpec } from "../../../../../core/shells/runner.ts"
import type { JobSpool } from "../../host/job-spool.ts"
import type { Journal } from "../../host/journal.ts"
import type { AnyGeneration } from "./adopted-generation.ts"
import type { OpenRun } from "./find-generations.ts"

/** A command that another host began, and where its story goes on. */
export interface ResumedRun extends OpenRun {
  readonly journal: Journal
  spoolFor(jobId: JobId, secrets: readonly Literal[]): JobSpool
}

/** A shell that another host had. */
export interface AdoptedShell {
  readonly generation: AnyGeneration
  readonly run: ResumedRun | undefined
  /** Commands that have an older process for themselves (spec shells.md §5.7). */
  readonly detached: readonly { readonly generation: AnyGeneration; readonly run: ResumedRun }[]
}

/** What the table of shells does with what was found (spec shells.md §6). */
export interface ShellAdopter {
  /** Goes on with a shell; resolves, inside, when its life is over and no command of it runs. */
  adopt(spec: ShellSpec, from: AdoptedShell): Promise<{ readonly over: Promise<void> }>
  /** Shows an end that nobody has acknowledged. */
  showEnded(spec: Pick<ShellSpec, "shellUid">, end: ShellEnd): void
  holds(shellUid: ShellUid): boolean
}
