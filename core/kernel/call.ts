import type { Caller, Principal } from "../access/principal.ts"
import type { Door } from "../ledger/events.ts"
import type { Ledger } from "../ledger/ledger.ts"
import type { OpenCallHint } from "../ledger/store.ts"
import type { BoardKeyring } from "../messages/keys.ts"
import type { Project } from "../projects/record.ts"
import type { Runner, RunnerDirectory } from "../runners/runner.ts"
import type { WorkflowSession } from "../sessions/record.ts"
import type { ShellDesk } from "../shells/settings.ts"
import type { Store, Tx } from "../store.ts"
import type { Catalogue } from "./catalogue.ts"
import type { Clock } from "./clock.ts"
import type { CallId, Ids, InvocationId, SessionId } from "./ids.ts"
import type { PermissionDecision } from "./permission.ts"
import type { Sleeper } from "./rest.ts"
import type { RuntimeFacts } from "./runtime.ts"
import type { Secrets } from "./secrets.ts"
import type { Signals } from "./signals.ts"

/** When a call must have answered (spec kernel.md §10). Times by the monotonic clock, ms. */
export interface Deadline {
  readonly at: number
  /** A running command becomes a Job here: `at` − max(2000, 5 % of the whole). `Infinity` without a deadline. */
  readonly handoverAt: number
  remaining(): number
}

/** Why a call's signal aborted (spec kernel.md §10). */
export type AbortReason = "client_cancelled" | "client_gone" | "shutdown"

/** The outside world as a handler may use it; already narrowed by the folder guard of a bound Chat Session. */
export interface CallPorts {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly signals: Signals
  readonly secrets: Secrets
  readonly runners: RunnerDirectory
  readonly ledger: Ledger
  readonly catalogue: Catalogue
  readonly runtime: RuntimeFacts
  readonly shells: ShellDesk
  readonly boards: BoardKeyring
}

/** What a definition's `recover` may ask (spec kernel.md §15). */
export type RecoveryPorts = Pick<CallPorts, "store" | "runners">

/** One call as its handler sees it (spec kernel.md §1). It has no credential, request, header or raw window value. */
export interface Call<Output extends object = object> {
  readonly callId: CallId
  readonly invocationId: InvocationId
  readonly tool: string
  /** Id, scopes, Projects and authority group of who calls; never the credential. */
  readonly caller: Omit<Caller, "credential">
  readonly principal: Principal
  readonly door: Door
  readonly project: Project | undefined
  /** The business Session: the one that the tool works in or on. */
  readonly session: WorkflowSession | undefined
  /** Provenance only. */
  readonly recorder: SessionId | undefined
  readonly ports: CallPorts
  readonly deadline: Deadline
  /** Aborts with an `AbortReason`. */
  readonly signal: AbortSignal
  /** What wakes the call when it is to end early, without making a signal. */
  readonly sleeper: Sleeper
  /** Whether nothing of the call is written anywhere, so that it may be run again from its first step (`Rest`). */
  readonly mayRest: boolean
  /** Wall clock, ms, at which the caller's credential expires; a wait looks again then. */
  readonly accessUntil: number | undefined
  readonly permission: PermissionDecision | undefined
  /** The folder guard of a bound Chat Session, asked again at use with resolved paths; absent where none is bound. */
  readonly pathGuard: ((path: string, access: "read" | "write") => boolean) | undefined
  readonly budget: { readonly chars: number }
  /** Whether the door offers `ack_session_message_ids` (spec doors.md §1.4). */
  readonly acknowledges: boolean
  /** Wall clock, ms. */
  now(): number
  /** The Project, or `project_required`. */
  requireProject(): Project
  /** The business Session, or `invalid_arguments`. */
  requireSession(): WorkflowSession
  /**
   * Steps 3b–3c again with what the caller may do by now, in the caller's transaction: before content is given after a sleep.
   * @throws ToolError the kind of the refusal
   */
  requireAccess(tx: Tx): Promise<void>
  /** The Runner of the call's Project; `runner_unavailable`. */
  runner(): Runner
  /** Tells a host that asked for progress; `text` ≤ 120 characters of fixed facts. Never throws. */
  progress(fraction: number | undefined, text: string): void
  /** For tools that find their Project themselves: step 3's equality check for the recorder, before the first effect. */
  bindProject(project: Project): void
  /** Notes in the call's `open_calls` rows what recovery needs, inside the caller's transaction. */
  hint(tx: Tx, hint: OpenCallHint): Promise<void>
  /**
   * A store-only mutation: state change, domain events and the `finished` events of both roles in one transaction
   * (spec kernel.md §5). Returns what `work` returns, which is the call's output. At most once a call.
   */
  commit(work: (tx: Tx) => Promise<Output>): Promise<Output>
}
