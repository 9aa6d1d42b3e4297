import type { ProjectPk, SessionId } from "../kernel/ids.ts"

/** Typed defaults of executions in a Session, a closed set (spec sessions.md §4). */
export interface ExecutionContext {
  readonly default_cwd?: string
  readonly default_shell?: "sh" | "bash"
  readonly resource?: string
}

/** Effective guards of a Session; `read_only` means both (spec sessions.md §3.2). */
export interface Guards {
  readonly deny_write_tools: boolean
  readonly deny_shell_tools: boolean
}

/** Mode of a Session (spec sessions.md §3.2). */
export type SessionMode = "normal" | "read_only"

/** One unit of coding work (spec sessions.md §1.2), as stored in table `sessions`. Times are ms. */
export interface WorkflowSession {
  readonly sessionId: SessionId
  /** Immutable; absent for a project-less Session. */
  readonly projectPk?: ProjectPk
  readonly title?: string
  /** 64 lower-case hex; in no output, event or log. A stored value of another form matches nobody. */
  readonly ownerFingerprint: string
  readonly lifecycle: "active" | "closed"
  readonly mode: SessionMode
  readonly guards: Guards
  readonly context: ExecutionContext
  readonly createdAt: number
  readonly updatedAt: number
  readonly closedAt?: number
  /** Events ever appended = `seq` of the newest. */
  readonly eventsObserved: number
  /** Sticky (spec sessions.md §5.5). */
  readonly repositoryEdited: boolean
}

/** A Session row as read: one that fails its schema is `unreadable` but keeps what authority checks need (sessions.md §5.8). */
export type SessionRow =
  | { readonly readable: true; readonly session: WorkflowSession }
  | {
      readonly readable: false
      readonly sessionId: SessionId
      readonly projectPk?: ProjectPk
      readonly ownerFingerprint: string
    }

/** What remains of an expired Session (spec sessions.md §3.4). */
export interface Tombstone {
  readonly sessionId: SessionId
  readonly ownerFingerprint: string
  readonly projectPk?: ProjectPk
  readonly expiredAt: number
}
