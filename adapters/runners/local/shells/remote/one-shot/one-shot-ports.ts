import type { Outcome } from "../../../../../../core/jobs/record.ts"
import type { JobSpool } from "../../../host/job-spool.ts"
import type { Journal, JournalledPlace } from "../../../host/journal.ts"
import type { MaskText } from "../../../host/naming.ts"
import type { StartedOneShot } from "./start-one-shot.ts"

/** What a command on a target needs from its host. */
export interface OneShotPorts {
  /** Starts it there. Throws the refusing kind. */
  start(): Promise<StartedOneShot>
  readonly spool: JobSpool
  readonly journal: Pick<Journal, "append">
  readonly mask: MaskText
  /** Absent: another host has accepted it. */
  readonly accepted?: { readonly boot: string; readonly place: JournalledPlace }
  /** Another host had started it at this time, or has seen it end (spec exec-and-jobs.md §6.2). */
  readonly resumed?: {
    readonly startedAt: number
    readonly past?: { readonly outcome?: Outcome; readonly finishedAt: number }
  }
  /** Bytes over both streams beyond which it is ended; `Infinity`: never. */
  readonly outputLimitBytes: number
  now(): number
}
