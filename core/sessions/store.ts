import type { ProjectPk, SessionId } from "../kernel/ids.ts"
import type { SessionRow, Tombstone, WorkflowSession } from "./record.ts"

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
}
