import type { ProjectPk, SessionId } from "../kernel/ids.ts"
import type { SessionRow, Tombstone, WorkflowSession } from "./record.ts"

/** Place of a Session in a list: newest change first, then by id. */
export interface SessionPosition {
  /** ms */
  readonly updatedAt: number
  readonly sessionId: SessionId
}

/** Which Sessions a list holds (spec sessions.md §6). */
export interface SessionFilter {
  /** Only this authority group's; absent for the operator, who sees all. */
  readonly ownerFingerprint?: string
  /** Slugs of the Projects that may be seen; Sessions without a Project always are. */
  readonly slugs: "*" | readonly string[]
  readonly projectPk?: ProjectPk
  readonly lifecycle?: "active" | "closed"
}

/** A Session in a list with the slug of its Project, also of one whose registration has ended. */
export interface ListedSession {
  readonly row: SessionRow
  readonly position: SessionPosition
  readonly project?: { readonly slug: string; readonly unregistered: boolean }
}

/** Sessions that may expire: last change before these times, ms (spec sessions.md §3.4). */
export interface ExpiryBounds {
  readonly closedBefore: number
  readonly activeBefore: number
}

/** Session rows inside the caller's transaction; no method opens one (spec sessions.md §8). */
export interface SessionStore {
  byId(id: SessionId): Promise<SessionRow | undefined>
  tombstone(id: SessionId): Promise<Tombstone | undefined>
  insert(session: WorkflowSession): Promise<void>
  /** Writes mode, guards, context, lifecycle, title, `updatedAt`, `closedAt`; ledger counters move only in the ledger. */
  update(session: WorkflowSession): Promise<void>
  /** Active Sessions of one authority group; with `projects` only those in one of them or in none. */
  countActive(ownerFingerprint: string, projects?: readonly ProjectPk[]): Promise<number>
  /** Active Sessions of the whole data directory. */
  countAllActive(): Promise<number>
  /** Newest Sessions of a group in a Project, by `updatedAt` descending. */
  recentOf(
    ownerFingerprint: string,
    projectPk: ProjectPk | undefined,
    limit: number,
  ): Promise<readonly WorkflowSession[]>
  /** A page of a list, unreadable rows too, in one query. */
  page(
    filter: SessionFilter & { readonly after?: SessionPosition; readonly limit: number },
  ): Promise<readonly ListedSession[]>
  /** How many Sessions a list holds, in one query. */
  count(filter: SessionFilter): Promise<number>
  /** Sessions within the bounds in which nothing goes on: no open call, no Job that is not terminal; oldest first. */
  expirable(bounds: ExpiryBounds, limit: number): Promise<readonly SessionId[]>
  /** Replaces such a Session by its tombstone; `false`, and nothing changed, when it is not (any more) one. */
  expire(sessionId: SessionId, bounds: ExpiryBounds & { readonly at: number }): Promise<boolean>
}
