import type { InstanceId, ProjectPk, SessionId, ShellUid } from "../kernel/ids.ts"
import type { Shell } from "./record.ts"

/** Which live shells are meant; all given members must hold. */
export interface LiveShellFilter {
  readonly family?: Shell["family"]
  readonly ownerPrincipal?: string
  readonly sessionId?: SessionId
  readonly projectPk?: ProjectPk
  readonly hostId?: InstanceId
}

/** Shell rows inside the caller's transaction (spec shells.md §15). */
export interface ShellStore {
  byUid(uid: ShellUid): Promise<Shell | undefined>
  byId(shellId: string): Promise<Shell | undefined>
  /** Throws when the Session has a live shell already: at most one of them. */
  insert(shell: Shell): Promise<void>
  /**
   * Makes of a row, as it was read, the given one if it is live and still has that revision, which becomes that + 1. `false`
   * when another writer came first or the shell has ended: an end is final.
   */
  update(shell: Shell, before: Shell): Promise<boolean>
  /** Oldest first. */
  live(filter: LiveShellFilter): Promise<readonly Shell[]>
  countLive(family: Shell["family"]): Promise<number>
  /** The Session's live shell, else the one it opened last. */
  ofSession(sessionId: SessionId): Promise<Shell | undefined>
  /** Whether a retained row's id begins with this server process's name. */
  hasRun(run: string): Promise<boolean>
  /** Shells that ended before `endedBefore`, ms; oldest end first. */
  expired(bounds: { readonly endedBefore: number; readonly limit: number }): Promise<readonly ShellUid[]>
  remove(uids: readonly ShellUid[]): Promise<void>
}
