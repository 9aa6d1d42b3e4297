import type { Credential, User } from "../../core/access/store.ts"
import type { Job } from "../../core/jobs/record.ts"
import { createIds } from "../../core/kernel/ids.ts"
import type { LedgerEvent, ToolCallFinished, ToolCallStarted } from "../../core/ledger/events.ts"
import type { Project } from "../../core/projects/record.ts"
import type { WorkflowSession } from "../../core/sessions/record.ts"
import type { Shell } from "../../core/shells/record.ts"

/** Real random ids. */
export const ids = createIds()

/** A fingerprint of the right form. */
export const OWNER = "59cc42b121eb555c83f4257c357a7402f0b193b63c51a3d855b3cfd1e96c369b"

/** A project-less active Session without events. */
export function aSession(more: Partial<WorkflowSession> = {}): WorkflowSession {
  return {
    sessionId: ids.session(),
    ownerFingerprint: OWNER,
    lifecycle: "active",
    mode: "normal",
    guards: { deny_write_tools: false, deny_shell_tools: false },
    context: {},
    createdAt: 1000,
    updatedAt: 1000,
    eventsObserved: 0,
    repositoryEdited: false,
    ...more,
  }
}

/** The start of a reading call. */
export function aStart(at: number, more: Partial<ToolCallStarted> = {}): ToolCallStarted {
  return {
    kind: "tool_call_started",
    event_id: ids.event(),
    at,
    door: "http",
    call_id: ids.call(),
    invocation_id: ids.invocation(),
    role: "business",
    tool_name: "read_files",
    project: "alpha",
    effect: "observe",
    activity: "explore",
    facts: { paths: 2, truncated: false, names: ["a", "b"] },
    ...more,
  }
}

/** The finish of a call that was started as event `started`. */
export function aFinish(at: number, more: Partial<ToolCallFinished> = {}): ToolCallFinished {
  const { kind, ...start } = aStart(at)
  return {
    kind: "tool_call_finished",
    ...start,
    started_seq: 1,
    duration_ms: 12,
    status: "succeeded",
    changed_paths: [],
    changed_total: 0,
    observed_paths: ["src/a.ts"],
    observed_total: 1,
    ...more,
  }
}

/** One event of every kind, with every optional member that changes how it is stored. */
export function everyEvent(): readonly LedgerEvent[] {
  const guards = { deny_write_tools: true, deny_shell_tools: false }
  const common = { at: 50, door: "stdio" as const }
  const permission = {
    request_id: "p",
    mode: "trusted_agent",
    status: "auto_approved",
    reason: "r",
    risk: "write",
    at: 4,
  }
  return [
    {
      kind: "session_started",
      event_id: ids.event(),
      ...common,
      project: "alpha",
      title: "a title",
      mode: "normal",
      guards,
      execution_context: { default_cwd: "pkg", default_shell: "bash" },
    },
    {
      kind: "task_instruction",
      event_id: ids.event(),
      ...common,
      instruction: "do it",
      redacted: false,
      resumed: true,
      effective_mode: "normal",
      guards,
      capability_changed: true,
      execution_context_changed: false,
      permission,
    },
    {
      kind: "session_execution_context_updated",
      event_id: ids.event(),
      ...common,
      previous: { default_cwd: "pkg" },
      current: {},
    },
    { kind: "session_closed", event_id: ids.event(), ...common, open_calls: 1, running_jobs: 2 },
    aStart(51, { role: "recorder" }),
    aFinish(52, { permission, exit_code: 3, job_id: ids.job(), recovered: true }),
    aFinish(53, { status: "failed", error: { kind: "internal_error", recovery: "none" }, exit_code: null }),
    aFinish(54, {
      status: "failed",
      error: { kind: "outcome_unknown", recovery: "reobserve", execution_state: "outcome_unknown" },
      evidence: { state_changed: true, execution_state: "outcome_unknown" },
    }),
    aFinish(55, {
      status: "failed",
      error: { kind: "command_failed", recovery: "none", execution_state: "completed" },
      evidence: { command_started: true, execution_state: "running" },
      validation: { ran: true },
    }),
    aFinish(56, {
      evidence: { execution_state: "completed" },
      expectation: { declared: "observe", classification: "none", satisfied: true },
    }),
    aFinish(57, {
      status: "failed",
      error: { kind: "x", recovery: "none" },
      evidence: { execution_state: "cancelled" },
    }),
    {
      kind: "job_finished",
      event_id: ids.event(),
      at: 58,
      door: "system",
      job_id: ids.job(),
      tool_name: "run_shell",
      call_id: ids.call(),
      outcome: "signaled",
      signal: "SIGKILL",
      execution_state: "completed",
      output: { stdout_bytes: 7 },
    },
  ]
}

/** A live registration. */
export function aProject(slug: string, more: Partial<Project> = {}): Project {
  return {
    pk: ids.projectPk(),
    slug,
    clientId: "local",
    root: `/home/dev/${slug}`,
    kind: "registered",
    gitAboveRoot: false,
    revision: 1,
    createdAt: 10,
    updatedAt: 10,
    ...more,
  }
}

/** A user with every Project. */
export function aUser(name: string, more: Partial<User> = {}): User {
  return { name, projects: "*", scopes: ["project:read", "job:run"], createdAt: 5, ...more }
}

/** A user's token. */
export function aCredential(more: Partial<Credential> = {}): Credential {
  return {
    id: ids.credential(),
    kind: "user_token",
    principalId: "user:alice",
    secretHash: ids.token() + ids.token(),
    hint: "wxyz",
    name: "laptop",
    scopes: ["project:read"],
    createdAt: 100,
    ...more,
  }
}

/** A running shell command. */
export function aJob(more: Partial<Job> = {}): Job {
  return {
    jobId: ids.job(),
    kind: "shell",
    tool: "run_shell",
    ownerFingerprint: OWNER,
    principalId: "user:alice",
    callId: ids.call(),
    invocationId: ids.invocation(),
    target: "local",
    status: "running",
    executionState: "running",
    handedOver: false,
    timeoutMs: 60_000,
    hostId: "host-1",
    createdAt: 100,
    startedAt: 101,
    recovered: false,
    outputGap: false,
    outputState: "available",
    revision: 1,
    ...more,
  }
}

/** A running free shell of this machine. */
export function aShell(more: Partial<Shell> = {}): Shell {
  const shellUid = ids.shellUid()
  return {
    shellUid,
    shellId: `${shellUid}_local`,
    family: "free",
    ownerPrincipal: "user:alice",
    ownerFingerprint: OWNER,
    target: { kind: "local", label: "local" },
    dialect: "bash",
    initialCwd: "/srv",
    onExit: "restore",
    idleTtlMs: 1_800_000,
    generation: 0,
    state: "running",
    createdAt: 100,
    lastUsedAt: 100,
    revision: 1,
    ...more,
  }
}
