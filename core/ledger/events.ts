import { z } from "zod"
import { EFFECTS } from "../kernel/definition.ts"
import { EXECUTION_STATES } from "../kernel/errors/row.ts"
import { callIdSchema, eventIdSchema, invocationIdSchema } from "../kernel/ids.ts"
import { expectationSchema } from "../validation/expectation.ts"

const count = z.number().int()
const factValue = z.union([z.boolean(), z.number(), z.string(), z.array(z.string()).max(8)])

/** ≤ 16 bounded, non-secret facts that a definition's `record` named (spec kernel.md §1). */
export const factsSchema = z.record(z.string(), factValue)
/** Bounded facts of a call. */
export type Facts = z.infer<typeof factsSchema>

const contextSchema = z.object({
  default_cwd: z.string().optional(),
  default_shell: z.enum(["sh", "bash"]).optional(),
  resource: z.string().optional(),
})
const guardsSchema = z.object({ deny_write_tools: z.boolean(), deny_shell_tools: z.boolean() })
const modeSchema = z.enum(["normal", "read_only"])

/** Execution truth of a call as the ledger keeps it (spec sessions.md §5.2). */
export const evidenceSchema = z.object({
  state_changed: z.boolean().optional(),
  command_started: z.boolean().optional(),
  command_completed: z.boolean().optional(),
  execution_state: z.enum(EXECUTION_STATES).optional(),
})
/** A value of `evidenceSchema`. */
export type Evidence = z.infer<typeof evidenceSchema>

const permissionSchema = z.object({
  request_id: z.string(),
  mode: z.string(),
  status: z.string(),
  reason: z.string(),
  risk: z.string(),
  at: z.number(),
})

const common = {
  event_id: eventIdSchema,
  at: z.number(),
  door: z.enum(["http", "mcp", "stdio", "embedded", "system"]),
}

const callFields = {
  call_id: callIdSchema,
  invocation_id: invocationIdSchema,
  role: z.enum(["recorder", "business"]),
  tool_name: z.string(),
  project: z.string().optional(),
  effect: z.enum(EFFECTS),
  activity: z.enum(["explore", "enumerate", "review", "edit", "vcs", "execute", "validate", "session", "other"]),
}

/** `tool_call_started` (spec sessions.md §5.1). */
export const toolCallStartedSchema = z.strictObject({
  kind: z.literal("tool_call_started"),
  ...common,
  ...callFields,
  facts: factsSchema,
})

/** `tool_call_finished` (spec sessions.md §5.2). */
export const toolCallFinishedSchema = z.strictObject({
  kind: z.literal("tool_call_finished"),
  ...common,
  ...callFields,
  started_seq: count,
  duration_ms: z.number(),
  status: z.enum(["succeeded", "failed"]),
  error: z.object({ kind: z.string(), recovery: z.string(), execution_state: z.string().optional() }).optional(),
  evidence: evidenceSchema.optional(),
  exit_code: count.nullable().optional(),
  signal: z.string().optional(),
  job_id: z.string().optional(),
  changed_paths: z.array(z.string()),
  changed_total: count,
  observed_paths: z.array(z.string()),
  observed_total: count,
  expectation: expectationSchema.optional(),
  validation: z.record(z.string(), z.unknown()).optional(),
  permission: permissionSchema.optional(),
  facts: factsSchema,
  recovered: z.literal(true).optional(),
})

/** `session_started`: the first event of a Session made by `start_session`. */
export const sessionStartedSchema = z.strictObject({
  kind: z.literal("session_started"),
  ...common,
  project: z.string().optional(),
  title: z.string().optional(),
  mode: modeSchema,
  guards: guardsSchema,
  execution_context: contextSchema,
})

/** `task_instruction`: work begins or goes on in a Session (spec workflow.md §2.3). */
export const taskInstructionSchema = z.strictObject({
  kind: z.literal("task_instruction"),
  ...common,
  instruction: z.string(),
  redacted: z.boolean(),
  resumed: z.boolean(),
  requested_mode: modeSchema.optional(),
  effective_mode: modeSchema,
  guards: guardsSchema,
  capability_changed: z.boolean(),
  execution_context_changed: z.boolean(),
  permission: permissionSchema.optional(),
})

/** `session_execution_context_updated`: a real change of the execution defaults, both whole contexts (spec sessions.md §4). */
export const contextUpdatedSchema = z.strictObject({
  kind: z.literal("session_execution_context_updated"),
  ...common,
  previous: contextSchema,
  current: contextSchema,
})

/** `session_closed`: the one real close (spec sessions.md §3.1), with what was still going on. */
export const sessionClosedSchema = z.strictObject({
  kind: z.literal("session_closed"),
  ...common,
  /** Absent in ledgers of before there was a board. */
  open_counts: z.object({ guidance: count, question: count, todo: count, risk: count }).optional(),
  open_calls: count,
  running_jobs: count,
})

/** `job_finished`: the end of a Job that was handed over; `at` is its `finished_at`. */
export const jobFinishedSchema = z.strictObject({
  kind: z.literal("job_finished"),
  ...common,
  job_id: z.string(),
  tool_name: z.string(),
  call_id: z.string(),
  outcome: z.string(),
  exit_code: count.nullable().optional(),
  signal: z.string().optional(),
  execution_state: z.string(),
  expectation: expectationSchema.optional(),
  output: z.record(z.string(), factValue),
})

/** The closed union of ledger events (spec sessions.md §5.1); another domain adds a kind only by adding a member here. */
export const ledgerEventSchema = z.discriminatedUnion("kind", [
  sessionStartedSchema,
  taskInstructionSchema,
  contextUpdatedSchema,
  sessionClosedSchema,
  toolCallStartedSchema,
  toolCallFinishedSchema,
  jobFinishedSchema,
])

/** One event before its `seq` is assigned. */
export type LedgerEvent = z.infer<typeof ledgerEventSchema>
/** The kinds of the union. */
export type LedgerEventKind = LedgerEvent["kind"]
/** A value of `toolCallStartedSchema`. */
export type ToolCallStarted = z.infer<typeof toolCallStartedSchema>
/** A value of `toolCallFinishedSchema`. */
export type ToolCallFinished = z.infer<typeof toolCallFinishedSchema>

/** Which door a call came through; `system` where no call caused the event (spec sessions.md §5.1). */
export type Door = LedgerEvent["door"]

/** An event as read back: a row that fails its schema is `unreadable` and enters no count or evidence (sessions.md §5.8). */
export type StoredEvent =
  | (LedgerEvent & { readonly seq: number })
  | { readonly kind: "unreadable"; readonly seq: number; readonly event_id: string }
