import type { JobId, ProjectPk, SessionId, ShellUid } from "../kernel/ids.ts"
import type { Job, JobKind, JobStatus, Outcome } from "./record.ts"

/** Which Jobs a list holds; all given members must hold (spec exec-and-jobs.md §7.4). */
export interface JobFilter {
  readonly ownerFingerprint: string
  /** Only Jobs of these Projects and of none; `*`: of any. */
  readonly slugs: "*" | readonly string[]
  readonly projectPk?: ProjectPk
  readonly sessionId?: SessionId
  readonly shellUid?: ShellUid
  readonly statuses?: readonly JobStatus[]
  /** Also those whose call saw their end. */
  readonly includeQuick: boolean
}

/** Place of a Job in a list: newest first, then by id. */
export interface JobPosition {
  readonly createdAt: number
  readonly jobId: JobId
}

/** A Job with the names of what it belongs to. */
export interface ListedJob {
  readonly job: Job
  readonly project?: { readonly slug: string; readonly clientId: string }
  readonly shellId?: string
}

/** Job rows inside the caller's transaction (spec exec-and-jobs.md §5). */
export interface JobStore {
  byId(id: JobId): Promise<Job | undefined>
  /** The Job that a key names (spec exec-and-jobs.md §9). */
  byKey(of: {
    readonly ownerFingerprint: string
    readonly tool: string
    readonly projectPk?: ProjectPk
    readonly key: string
  }): Promise<Job | undefined>
  /** The first Jobs of a list, or those after a place in it. */
  page(of: JobFilter & { readonly after?: JobPosition; readonly limit: number }): Promise<readonly ListedJob[]>
  /** How many Jobs a list holds on all its pages. */
  count(filter: JobFilter): Promise<number>
  insert(job: Job): Promise<void>
  /**
   * Makes of a row, as it was read, the given one if it is not terminal and still has that revision, which becomes that + 1.
   * `false` when another writer came first (spec exec-and-jobs.md §5.2).
   */
  update(job: Job, before: Job): Promise<boolean>
  /** Jobs that are not terminal. */
  active(filter: {
    readonly hostId?: string
    readonly projectPk?: ProjectPk
    readonly sessionId?: SessionId
  }): Promise<readonly Job[]>
  countActive(filter: {
    readonly projectPk?: ProjectPk
    readonly sessionId?: SessionId
    readonly kind?: JobKind
  }): Promise<number>
  /** The totals of a finished Job whose kept background processes wrote on; nothing else of it changes. */
  noteLateOutput(id: JobId, output: NonNullable<Job["output"]>): Promise<void>
  /** The true end of a lost Job, learned after it was given up; nothing else of it changes. */
  noteLateOutcome(id: JobId, outcome: Outcome): Promise<void>
  /** Marks output as evicted. */
  evictOutput(id: JobId): Promise<void>
  /** Finished Jobs whose retention is over, oldest end first (spec exec-and-jobs.md §5.3). */
  expired(bounds: {
    readonly quickBefore: number
    readonly otherBefore: number
    /** Finished rows beyond this many go too, the oldest first. */
    readonly keepNewest?: number
    readonly limit: number
  }): Promise<readonly JobId[]>
  remove(ids: readonly JobId[]): Promise<void>
}
