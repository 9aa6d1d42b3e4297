import type { AnyToolDefinition, Elevation } from "../definition.ts"
import type { GuardName } from "../derive.ts"
import { ToolError } from "../error.ts"
import type { RoleSession } from "./roles.ts"

/** What step 4 asks of every Session of a call. */
export interface SessionDemand {
  readonly needsActive: boolean
  readonly guards: readonly GuardName[]
}

/** The demand of a tool with what its input adds. */
export function demandOf(
  { effect, whileClosed }: AnyToolDefinition,
  guard: GuardName | undefined,
  elevation: Elevation | undefined,
): SessionDemand {
  const added = elevation?.guard ?? []
  return {
    needsActive: effect !== "observe" && whileClosed !== true,
    guards: guard === undefined ? added : [guard, ...added.filter((name) => name !== guard)],
  }
}

/** Steps 4a, 4b: lifecycle of every role before guards of any. @throws `session_closed`, `session_guard_denied`. */
export function checkSessions(roles: readonly RoleSession[], demand: SessionDemand): void {
  if (demand.needsActive) for (const role of roles) requireActive(role)
  for (const role of roles) for (const guard of demand.guards) requireUnguarded(role, guard)
}

function requireActive({ role, session }: RoleSession): void {
  if (session.lifecycle === "active") return
  throw new ToolError("session_closed", "This Session is closed, and a closed Session is final. Start another one.", {
    details: { session_id: session.sessionId, role },
    executionState: "not_started",
  })
}

function requireUnguarded({ role, session }: RoleSession, guard: GuardName): void {
  const { deny_write_tools, deny_shell_tools } = session.guards
  if (guard === "write" ? !deny_write_tools : !deny_shell_tools) return
  const what = guard === "write" ? "changes files, git or Memory" : "executes commands"
  throw new ToolError(
    "session_guard_denied",
    `This Session's ${guard} guard refuses what ${what}. Use tools that read, or a Session without the guard.`,
    { details: { session_id: session.sessionId, role, guard, mode: session.mode }, executionState: "not_started" },
  )
}
