import type { CallId, InstanceId, InvocationId, SessionId } from "../kernel/ids.ts"
import type { LedgerEvent, StoredEvent } from "./events.ts"
import type { CallGroup, FinishedCall } from "./finished-call.ts"

/** Ledger rows inside the caller's transaction (spec sessions.md §8). */
export interface LedgerStore {
  /**
   * Updates the Session row first (it is the serialisation point), assigns `seq` = `events_observed` + 1 …, inserts, and
   * evicts rows with `seq ≤ events_observed − retained`, all in the caller's transaction (spec sessions.md §5.7).
   * `updatedAt` is raised to the newest `at`, never lowered; `repositoryEdited` only ever becomes true.
   */
  append(
    sessionId: SessionId,
    events: readonly LedgerEvent[],
    options: { readonly retained: number; readonly repositoryEdited: boolean },
  ): Promise<{ readonly first_seq: number; readonly last_seq: number }>
  /** Retained events with `seq < beforeSeq`, newest first. */
  newest(sessionId: SessionId, limit: number, beforeSeq?: number): Promise<readonly StoredEvent[]>
  /**
   * All retained, readable finished calls in `seq` order, only the columns that counting needs (spec sessions.md §5.6): rows
   * that nobody has touched since their append are taken at their columns' word, the others judged by the event's schema.
   */
  finishedCalls(sessionId: SessionId): Promise<readonly FinishedCall[]>
  /** The same calls counted by how they ended, in no order. */
  callGroups(sessionId: SessionId): Promise<readonly CallGroup[]>
  /** Retained events that cannot be read (spec sessions.md §5.8): only a row that was changed after its append can be one. */
  unreadable(sessionId: SessionId): Promise<number>
  /** Every retained event in `seq` order. */
  all(sessionId: SessionId): Promise<readonly StoredEvent[]>
  bounds(sessionId: SessionId): Promise<{ readonly retained: number; readonly first?: number }>
}

/** One started, not yet finished role of a call (table `open_calls`, spec kernel.md §15). */
export interface OpenCall {
  readonly callId: CallId
  readonly invocationId: InvocationId
  readonly role?: "recorder" | "business"
  readonly sessionId?: SessionId
  readonly tool: string
  readonly instance: InstanceId
  readonly startedAt: number
  readonly startedSeq?: number
  readonly hint?: OpenCallHint
}

/** What recovery needs to find a call's effect: a Job id, a shell or an edit operation. */
export interface OpenCallHint {
  readonly job_id?: string
  readonly shell_uid?: string
  readonly project_pk?: string
  readonly key_hash?: string
}

/** `open_calls` rows inside the caller's transaction. */
export interface OpenCallStore {
  insert(rows: readonly OpenCall[]): Promise<void>
  /** Deletes rows and says which existed: a row that was gone must not be finished (spec sessions.md §5.3). */
  take(callIds: readonly CallId[]): Promise<readonly CallId[]>
  setHint(callId: CallId, hint: OpenCallHint): Promise<void>
  ofSession(sessionId: SessionId): Promise<readonly OpenCall[]>
  ofInstances(instances: readonly InstanceId[]): Promise<readonly OpenCall[]>
  /** Whether a call id still has a row; journals of such calls are kept. */
  exists(callId: string): Promise<boolean>
}
