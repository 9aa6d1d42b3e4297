import type { Outcome } from "../../../../../core/jobs/record.ts"
import type { ShellParts } from "../../shells/parts.ts"
import type { ByteMaskFactory } from "../byte-mask.ts"
import type { Execution } from "../execution.ts"
import type { EndedEntry } from "../journal.ts"
import type { ProcessTable } from "../process-table.ts"

/** What the adopting host gives. */
export interface AdoptionPorts {
  readonly processes: ProcessTable
  readonly mask: ByteMaskFactory
  readonly spoolJobBytes: number
  readonly outputLimitBytes: number
  now(): number
  /** Looks after it from now on, as after its own. */
  add(execution: Execution): void
  /** A command elsewhere, by what its host kept in its folder. */
  readonly resumeOneShot: ShellParts["resumeOneShot"]
}

/** How a Job had ended under the host before. */
export function pastOf({ outcome, at }: EndedEntry): { readonly outcome?: Outcome; readonly finishedAt: number } {
  return { ...(outcome === undefined ? {} : { outcome }), finishedAt: at }
}
