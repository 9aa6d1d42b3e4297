import type { Generated } from "kysely"
import type { Credential } from "../../core/access/store.ts"
import type { CancelledBy, Job } from "../../core/jobs/record.ts"
import type {
  CallId,
  CredentialId,
  InstanceId,
  InvocationId,
  JobId,
  MessageId,
  ProjectPk,
  SessionId,
  ShellUid,
} from "../../core/kernel/ids.ts"
import type { AuthorityMode } from "../../core/kernel/permission.ts"
import type { OpenCall } from "../../core/ledger/store.ts"
import type { MessageKind, MessagePriority, MessageStatus } from "../../core/messages/record.ts"
import type { Project } from "../../core/projects/record.ts"
import type { Shell } from "../../core/shells/record.ts"

/** Booleans are stored as 0 or 1 in every dialect. */
export type Bit = number

/** Table `users` (spec kernel.md §15). */
export interface UsersTable {
  name: string
  projects_json: string
  scopes_json: string
  created_at: number
  disabled_at: number | null
}

/** Table `credentials` (spec kernel.md §2.2). */
export interface CredentialsTable {
  id: CredentialId
  kind: Credential["kind"]
  principal_id: string
  secret_hash: string
  hint: string
  name: string
  scopes_json: string
  projects_json: string | null
  mode: AuthorityMode | null
  oauth_client_id: string | null
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
  revoked_reason: string | null
}

/** Table `projects` (spec kernel.md §9). */
export interface ProjectsTable {
  pk: ProjectPk
  slug: string
  client_id: string
  root: string
  title: string | null
  description: string | null
  kind: Project["kind"]
  file_policy_json: string | null
  git_above_root: Bit
  revision: number
  created_at: number
  updated_at: number
  unregistered_at: number | null
}

/** Table `sessions` (spec sessions.md §1.2). What a reader trusts is decided by the row's schema, not by these types. */
export interface SessionsTable {
  session_id: SessionId
  project_pk: ProjectPk | null
  title: string | null
  owner_authority_fingerprint: string
  lifecycle: string
  mode: string
  deny_write_tools: Bit
  deny_shell_tools: Bit
  default_cwd: string | null
  default_shell: string | null
  resource: string | null
  created_at: number
  updated_at: number
  closed_at: number | null
  events_observed: number
  repository_edited: Bit
  message_observation_revision: Generated<number>
  message_observation_floor: Generated<number>
  message_last_pos: Generated<number>
}

/** Table `session_messages` (spec messages.md §9). What a reader trusts is decided by the row's schema, not by these types. */
export interface SessionMessagesTable {
  session_id: SessionId
  pos: number
  message_id: MessageId
  revision: number
  created_at: number
  kind: MessageKind
  status: MessageStatus
  priority: MessagePriority
  message: string
  /** Absent for none. */
  tags_json: string | null
  reply_to: MessageId | null
  requires_ack: Bit
  first_ack_observed_at: number | null
  author_session_id: SessionId | null
  resolved_at: number | null
  resolution: string | null
  resolved_by_message_id: MessageId | null
  completion_id: string | null
  completion_hash: string | null
  delivery_key_hash: string | null
  content_hash: string | null
}

/** Table `session_events` (spec sessions.md §8): the columns that counts and lists need, `payload` the rest as JSON. */
export interface SessionEventsTable {
  session_id: SessionId
  seq: number
  event_id: string
  kind: string
  at: number
  door: string
  call_id: string | null
  invocation_id: string | null
  role: string | null
  tool_name: string | null
  status: string | null
  error_kind: string | null
  execution_state: string | null
  effect: string | null
  activity: string | null
  job_id: string | null
  has_validation: Bit
  payload: string
  /** Set by the database when the row is changed after its append. */
  rewritten: Generated<Bit>
}

/** Table `expired_sessions` (spec sessions.md §3.4). */
export interface ExpiredSessionsTable {
  session_id: SessionId
  owner_authority_fingerprint: string
  project_pk: ProjectPk | null
  lifecycle: string
  expired_at: number
}

/** Table `open_calls` (spec kernel.md §15). */
export interface OpenCallsTable {
  call_id: CallId
  invocation_id: InvocationId
  role: NonNullable<OpenCall["role"]> | null
  session_id: SessionId | null
  tool: string
  instance: InstanceId
  started_at: number
  started_seq: number | null
  hint_json: string | null
}

/** Table `call_keys` (spec doors.md §2.5). */
export interface CallKeysTable {
  key_hash: string
  tool: string
  input_hash: string
  call_id: CallId
  state: "started" | "finished"
  result: Uint8Array | null
  recovered_json: string | null
  deadline_at: number
  created_at: number
  expires_at: number
}

/** Table `instances` (spec kernel.md §15). */
export interface InstancesTable {
  instance: InstanceId
  host: string
  pid: number
  pid_started_at: string
  started_at: number
  seen_at: number
}

/** Table `coding_sessions` (spec workflow.md §12). */
export interface CodingSessionsTable {
  session_id: SessionId
  root_instruction: string
  root_redacted: Bit
  baseline_tree: string | null
}

/** Table `jobs` (spec exec-and-jobs.md §5.1). */
export interface JobsTable {
  job_id: JobId
  kind: Job["kind"]
  tool: string
  owner_fingerprint: string
  principal_id: string
  project_pk: ProjectPk | null
  session_id: SessionId | null
  call_id: CallId
  invocation_id: InvocationId
  idempotency_key: string | null
  input_digest: string | null
  purpose: string | null
  expectation_json: string | null
  shell_uid: ShellUid | null
  target: Job["target"]
  resource: string | null
  cwd: string | null
  status: Job["status"]
  execution_state: Job["executionState"]
  outcome_json: string | null
  late_outcome_json: string | null
  handed_over: Bit
  timeout_ms: number
  host_id: string | null
  created_at: number
  started_at: number | null
  finished_at: number | null
  recovering_since: number | null
  stop_requested_at: number | null
  stop_cause: CancelledBy | null
  recovered: Bit
  output_gap: Bit
  output_json: string | null
  output_state: Job["outputState"]
  revision: number
}

/** Table `shells` (spec shells.md §3, §15). */
export interface ShellsTable {
  shell_uid: ShellUid
  shell_id: string
  family: Shell["family"]
  owner_principal: string
  owner_fingerprint: string
  session_id: SessionId | null
  project_pk: ProjectPk | null
  target_json: string
  dialect: Shell["dialect"]
  initial_cwd: string
  on_exit: Shell["onExit"]
  idle_ttl_ms: number
  output_budget_json: string | null
  fence_json: string | null
  generation: number
  state: Shell["state"]
  reason: string | null
  host_id: InstanceId | null
  guard_fingerprint: string | null
  policy_fingerprint: string | null
  open_digest: string | null
  created_at: number
  last_used_at: number
  closed_at: number | null
  last_cwd: string | null
  revision: number
}

/** Table `runner_hosts`: at most one row (spec shells.md §2.1, §15). */
export interface RunnerHostsTable {
  singleton: number
  host_id: string
  pid: number
  pid_started_at: string
  boot_id: string
  runtime: string
  socket: string
  protocol: number
  version: string
  started_at: number
}

/** Table `meta`: `schema_version` and `instance_key` (spec kernel.md §15). */
export interface MetaTable {
  key: string
  value: string
}

/** Every table of the data directory's database. */
export interface Schema {
  users: UsersTable
  credentials: CredentialsTable
  projects: ProjectsTable
  sessions: SessionsTable
  session_events: SessionEventsTable
  expired_sessions: ExpiredSessionsTable
  open_calls: OpenCallsTable
  call_keys: CallKeysTable
  instances: InstancesTable
  coding_sessions: CodingSessionsTable
  jobs: JobsTable
  session_messages: SessionMessagesTable
  shells: ShellsTable
  runner_hosts: RunnerHostsTable
  meta: MetaTable
}
