import type { ExecutionState } from "../kernel/errors/row.ts"
import type { CallId, InvocationId, JobId, ProjectPk, SessionId, ShellUid } from "../kernel/ids.ts"
import type { Declared } from "../validation/expectation.ts"

/** The statuses of a Job that can still change (spec exec-and-jobs.md §5.2). */
export const LIVE_STATUSES = ["queued", "running", "stop_requested", "recovering"] as const

/** Those of them that nobody has asked to end. */
export const ACTIVE_STATUSES = ["queued", "running", "recovering"] as const

/** The statuses that are final. */
export const TERMINAL_STATUSES = ["completed", "failed", "timed_out", "stopped", "cancelled", "lost"] as const

/** Life of a Job, in its order. */
export const JOB_STATUSES = [...LIVE_STATUSES, ...TERMINAL_STATUSES] as const
/** One of `JOB_STATUSES`. */
export type JobStatus = (typeof JOB_STATUSES)[number]

/** A process our signal could not end, or one that outlived its command (spec exec-and-jobs.md §8.2). */
export interface Survivor {
  readonly pid: number
  readonly started_at: number
  /** ≤ 80 characters, redacted. */
  readonly command: string
}

/** How a process really ended after our signal. */
export interface Then {
  readonly exit_code?: number
  readonly signal?: string
  readonly survivors: readonly Survivor[]
}

/** Who asked for a cancelled Job's end (spec exec-and-jobs.md §4). */
export const CANCELLED_BY = [
  "stop_job",
  "caller",
  "session_closed",
  "project_closed",
  "chat_stopped",
  "shell_closed",
  "shutdown",
  "output_limit",
  "operator",
  "orphaned",
] as const
/** One of `CANCELLED_BY`. */
export type CancelledBy = (typeof CANCELLED_BY)[number]

/** The true end of an execution; nothing is success by default (spec exec-and-jobs.md §4). */
export type Outcome =
  | { readonly kind: "exited"; readonly exit_code: number }
  | { readonly kind: "signaled"; readonly signal: string; readonly core_dumped?: boolean }
  | { readonly kind: "timed_out"; readonly after_ms: number; readonly then: Then }
  | { readonly kind: "cancelled"; readonly by: CancelledBy; readonly then: Then }
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string }

/** Exact totals of one output stream (spec exec-and-jobs.md §5.1). */
export interface StreamTotals {
  readonly bytes_total: number
  readonly lines_total: number
  readonly dropped_bytes: number
  readonly masked: number
}

export type StreamName = "stdout" | "stderr"

/** What an execution is (spec exec-and-jobs.md §1). */
export const JOB_KINDS = ["process", "script", "shell", "job", "detached", "shell_command", "validator"] as const
/** One of `JOB_KINDS`. */
export type JobKind = (typeof JOB_KINDS)[number]

/** One execution (table `jobs`, spec exec-and-jobs.md §5.1). No byte of a command, stdin, environment or output. */
export interface Job {
  readonly jobId: JobId
  readonly kind: JobKind
  readonly tool: string
  readonly ownerFingerprint: string
  readonly principalId: string
  readonly projectPk?: ProjectPk
  readonly sessionId?: SessionId
  readonly callId: CallId
  readonly invocationId: InvocationId
  readonly idempotencyKey?: string
  /** HMAC of the parsed input; keyed Jobs only. */
  readonly inputDigest?: string
  readonly purpose?: string
  /** What its caller declared of the result; absent where its tool classifies none (spec workflow.md §5). */
  readonly expectation?: Declared
  /** The live shell it runs in. */
  readonly shellUid?: ShellUid
  readonly target: "local" | "ssh" | "docker"
  readonly resource?: string
  /** Project-relative. */
  readonly cwd?: string
  readonly status: JobStatus
  readonly executionState: ExecutionState
  readonly outcome?: Outcome
  readonly lateOutcome?: Outcome
  readonly handedOver: boolean
  readonly timeoutMs: number
  readonly hostId?: string
  readonly createdAt: number
  readonly startedAt?: number
  readonly finishedAt?: number
  /** When its Runner was found out of reach; kept afterwards. */
  readonly recoveringSince?: number
  readonly stopRequestedAt?: number
  readonly stopCause?: CancelledBy
  readonly recovered: boolean
  readonly outputGap: boolean
  readonly output?: Readonly<Record<StreamName, StreamTotals>>
  readonly outputState: "available" | "evicted"
  readonly revision: number
}
