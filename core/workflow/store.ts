import type { SessionId } from "../kernel/ids.ts"

/** What `work_on_project` keeps beside a Session (table `coding_sessions`, spec workflow.md §2.3, §12). */
export interface CodingSession {
  readonly sessionId: SessionId
  readonly rootInstruction: string
  readonly rootRedacted: boolean
  /** Tree id from which this Session's changes are measured; set once, at creation. */
  readonly baselineTree?: string
}

/** Coding rows inside the caller's transaction (spec workflow.md §12). */
export interface CodingStore {
  bySession(sessionId: SessionId): Promise<CodingSession | undefined>
  insert(row: CodingSession): Promise<void>
}
