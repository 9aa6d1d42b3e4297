import type { InstanceId, ProjectPk, SessionId, ShellUid } from "../kernel/ids.ts"

/** The dialects a live shell speaks (spec shells.md §5.8). */
export const DIALECTS = ["bash", "sh"] as const
/** One of `DIALECTS`. */
export type Dialect = (typeof DIALECTS)[number]

/** The states of a shell that can still run a command (spec shells.md §3). */
export const LIVE_SHELL_STATES = ["opening", "running", "recovering"] as const

/** The states in which no id ever addresses a process again. */
export const ENDED_SHELL_STATES = ["poisoned", "lost", "closed"] as const

/** Life of a shell. */
export const SHELL_STATES = [...LIVE_SHELL_STATES, ...ENDED_SHELL_STATES] as const
/** One of `SHELL_STATES`. */
export type ShellState = (typeof SHELL_STATES)[number]

/** Why a shell was closed (spec shells.md §3). */
export const CLOSE_REASONS = [
  "destroyed",
  "idle",
  "session_closed",
  "project_closed",
  "access_withdrawn",
  "guard_changed",
  "resource_changed",
  "policy_changed",
  "chat_stopped",
  "shutdown",
  "orphaned",
  "shell_exited",
  "start_failed",
] as const
/** One of `CLOSE_REASONS`. */
export type CloseReason = (typeof CLOSE_REASONS)[number]

/** Why a shell is lost (spec shells.md §3). */
export const LOST_REASONS = ["machine_restarted", "process_gone", "host_lost", "container_gone", "remote_gone"] as const
/** One of `LOST_REASONS`. */
export type LostReason = (typeof LOST_REASONS)[number]

/** Why a shell goes on in a new process (spec shells.md §5.6). */
export const RESTART_REASONS = [
  "exited",
  "errexit",
  "exec",
  "signaled",
  "killed_outside",
  "wedged",
  "unresponsive",
  "host_lost",
  "container_restarted",
  "detached",
] as const
/** One of `RESTART_REASONS`. */
export type RestartReason = (typeof RESTART_REASONS)[number]

/** What was kept and what was lost when a shell went on in a new process (spec shells.md §5.6). */
export interface ShellRestart {
  readonly reason: RestartReason
  readonly exit_code?: number
  readonly signal?: string
  readonly snapshot: "exit" | "idle" | "none"
  /** Commands that ran, wholly or in part, after that snapshot. */
  readonly commands_behind: number
  /** ≤ 8 names of what could not be restored. */
  readonly lost: readonly string[]
  readonly cwd_lost?: boolean
}

/** Where a shell runs; what addresses the place is kept, no secret is (spec shells.md §3). */
export type ShellTarget =
  | { readonly kind: "local"; readonly label: "local" }
  | {
      readonly kind: "ssh"
      /** `user@host[:port]` as the id shows it. */
      readonly label: string
      readonly host: string
      readonly user?: string
      readonly port?: number
      /** Name of the operator's resource it was opened by. */
      readonly resource?: string
      readonly resourceGeneration?: string
    }
  | { readonly kind: "docker"; readonly label: string; readonly container: string }

/** One live shell (table `shells`, spec shells.md §3). */
export interface Shell {
  readonly shellUid: ShellUid
  /** As callers know it: `a3f9-1_local`, or `wc_shell_…` of a bound one; never used twice. */
  readonly shellId: string
  readonly family: "free" | "bound"
  readonly ownerPrincipal: string
  /** Authority group of a bound shell's owner. */
  readonly ownerFingerprint: string
  readonly sessionId?: SessionId
  readonly projectPk?: ProjectPk
  readonly target: ShellTarget
  readonly dialect: Dialect
  readonly initialCwd: string
  readonly onExit: "restore" | "close"
  /** 0: never. */
  readonly idleTtlMs: number
  /** The budget that holds where an exec passes none, as it was sent. */
  readonly outputBudgetJson?: string
  readonly fenceJson?: string
  readonly generation: number
  readonly state: ShellState
  readonly reason?: CloseReason | LostReason | string
  readonly hostId?: InstanceId
  readonly guardFingerprint?: string
  /** Of what the configuration said of its Project when it was opened; bound shells. */
  readonly policyFingerprint?: string
  /** Of what it was opened with, so that a repeated open is recognised; bound shells. */
  readonly openDigest?: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly closedAt?: number
  readonly lastCwd?: string
  readonly revision: number
}
