import { ToolError } from "../kernel/error.ts"
import type { ProjectPk, SessionId } from "../kernel/ids.ts"
import { cutToCodePoints } from "../kernel/text-schema.ts"
import { isEmptyContext, sameContext } from "./context.ts"
import type { ExecutionContext, Guards, SessionMode, WorkflowSession } from "./record.ts"

const MAX_TITLE = 200
const NO_GUARDS: Guards = { deny_write_tools: false, deny_shell_tools: false }
const BOTH_GUARDS: Guards = { deny_write_tools: true, deny_shell_tools: true }

/** What a rule answers: the new state, or why nothing may change (style: rules are pure, effects outside). */
export type Decision<T> =
  | { readonly value: T; readonly denied?: never }
  | { readonly denied: ToolError; readonly value?: never }

const denied = (error: ToolError): { readonly denied: ToolError } => ({ denied: error })

/** The value of a decision. @throws ToolError the denial */
export function accepted<T>(decision: Decision<T>): T {
  if (decision.denied !== undefined) throw decision.denied
  return decision.value
}

/** Effective guards of a mode: `read_only` means both, whatever was asked (spec sessions.md §3.2). */
export function effectiveGuards(mode: SessionMode, asked: Guards): Guards {
  return mode === "read_only" ? BOTH_GUARDS : asked
}

const either = (one: Guards, other: Guards): Guards => ({
  deny_write_tools: one.deny_write_tools || other.deny_write_tools,
  deny_shell_tools: one.deny_shell_tools || other.deny_shell_tools,
})

/** A title in ≤ 200 characters; a mask may have lengthened it (spec sessions.md §1.2). */
export function cutTitle(title: string): string {
  return cutToCodePoints(title, MAX_TITLE)
}

/** What a new Session is asked to be. Times are ms. */
export interface StartCommand {
  readonly sessionId: SessionId
  readonly projectPk?: ProjectPk
  readonly ownerFingerprint: string
  /** Redacted, ≤ 200 characters. */
  readonly title?: string
  readonly mode?: SessionMode
  readonly guards?: Guards
  readonly context?: ExecutionContext
  readonly at: number
}

/** What decides whether a Session may start: how many are active in its authority group, and how many may be. */
export interface Capacity {
  readonly active: number
  readonly max: number
}

/** A new active Session (spec sessions.md §3.1, §3.4): live work is never evicted to make room. */
export function decideStart(command: StartCommand, capacity: Capacity): Decision<WorkflowSession> {
  const { mode = "normal", guards = NO_GUARDS, context = {}, at } = command
  if (command.projectPk === undefined && !isEmptyContext(context)) {
    return denied(
      new ToolError(
        "session_execution_context_requires_project",
        "A Session without a Project has no execution context. Name a project or leave execution_context out.",
      ),
    )
  }
  if (capacity.active >= capacity.max) {
    return denied(
      new ToolError(
        "session_capacity_exceeded",
        `There are ${capacity.max} active Sessions already. Close Sessions that are done, then start another.`,
        { details: { max: capacity.max } },
      ),
    )
  }
  return {
    value: {
      sessionId: command.sessionId,
      ...(command.projectPk === undefined ? {} : { projectPk: command.projectPk }),
      ...(command.title === undefined ? {} : { title: command.title }),
      ownerFingerprint: command.ownerFingerprint,
      lifecycle: "active",
      mode,
      guards: effectiveGuards(mode, guards),
      context,
      createdAt: at,
      updatedAt: at,
      eventsObserved: 0,
      repositoryEdited: false,
    },
  }
}

/** The end of a Session; a repeat finds it closed already (spec sessions.md §3.1). */
export function decideClose(
  session: WorkflowSession,
  at: number,
): { readonly session: WorkflowSession & { readonly closedAt: number }; readonly alreadyClosed: boolean } {
  if (session.lifecycle === "closed") {
    return { session: { ...session, closedAt: session.closedAt ?? session.updatedAt }, alreadyClosed: true }
  }
  return {
    session: { ...session, lifecycle: "closed", closedAt: at, updatedAt: Math.max(session.updatedAt, at) },
    alreadyClosed: false,
  }
}

/** New execution defaults of an active Session, in their stored form (spec sessions.md §4, §6). */
export function decideContext(
  session: WorkflowSession,
  context: ExecutionContext,
): Decision<{ readonly session: WorkflowSession; readonly changed: boolean }> {
  const active = decideActive(session, "business")
  if (active.denied !== undefined) return active
  return { value: { session: { ...session, context }, changed: !sameContext(context, session.context) } }
}

/** What a resume asks for; absent members keep what is stored, `context: {}` clears (spec sessions.md §3.3). */
export interface ResumeCommand {
  readonly mode?: SessionMode
  readonly context?: ExecutionContext
  /** Whether the caller holds `project:write`, which lifting `deny_write_tools` needs. */
  readonly mayWrite: boolean
}

/** A resumed Session and what the resume changed. */
export interface Resumed {
  readonly session: WorkflowSession
  readonly capabilityChanged: boolean
  readonly contextChanged: boolean
}

/** Mode and guards after a resume: the same mode never loosens, another one replaces. */
function resumedGuards(session: WorkflowSession, mode: SessionMode): Guards {
  const asked = effectiveGuards(mode, NO_GUARDS)
  return mode === session.mode ? either(session.guards, asked) : asked
}

/** `session_closed` unless the Session is active: closed is final (spec sessions.md §3.1). */
export function decideActive<S extends Pick<WorkflowSession, "sessionId" | "lifecycle">>(
  session: S,
  role: "business" | "recorder",
): Decision<S> {
  if (session.lifecycle === "active") return { value: session }
  return denied(
    new ToolError("session_closed", "The Session is closed, and closed is final. Start another Session.", {
      details: { session_id: session.sessionId, role },
    }),
  )
}

/** Continues a Session (spec sessions.md §3.3). All checks precede every change. */
export function decideResume(session: WorkflowSession, command: ResumeCommand): Decision<Resumed> {
  const active = decideActive(session, "business")
  if (active.denied !== undefined) return active
  const mode = command.mode ?? session.mode
  const guards = command.mode === undefined ? session.guards : resumedGuards(session, mode)
  if (session.guards.deny_write_tools && !guards.deny_write_tools && !command.mayWrite) {
    return denied(
      new ToolError(
        "session_capability_upgrade_denied",
        "Allowing writes in this Session needs the scope project:write. Resume it without session_mode, or with a credential that holds the scope.",
        { details: { required_scope: "project:write", mode: session.mode, state_changed: false } },
      ),
    )
  }
  const context = command.context ?? session.context
  if (session.projectPk === undefined && !isEmptyContext(context)) {
    return denied(
      new ToolError(
        "session_execution_context_requires_project",
        "A Session without a Project has no execution context. Leave execution_context out.",
      ),
    )
  }
  return {
    value: {
      session: { ...session, mode, guards, context },
      capabilityChanged:
        mode !== session.mode ||
        guards.deny_write_tools !== session.guards.deny_write_tools ||
        guards.deny_shell_tools !== session.guards.deny_shell_tools,
      contextChanged: !sameContext(context, session.context),
    },
  }
}
