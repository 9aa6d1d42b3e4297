import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { isToolError, ToolError } from "../kernel/error.ts"
import { checkContext } from "../sessions/context.ts"
import { requireOwner } from "../sessions/create.ts"
import { contextFacts } from "../sessions/facts.ts"
import { accepted, decideResume } from "../sessions/rules.ts"
import { commitWork, mayWrite, type WorkOrder } from "./commit-work.ts"
import { type WorkInput, workInputSchema } from "./input.ts"
import { observeWork } from "./observe.ts"
import { type WorkReply, workReply, workReplySchema } from "./reply.ts"
import { resolveWork } from "./resolve.ts"
import { decideSource, namesDirectory, namesWorktree } from "./source.ts"

/** Rows 4 to 6: what the Session may become, before anything is looked at (spec workflow.md §2.2). */
function requireSessionMay(input: WorkInput, call: Call<WorkReply>): void {
  if (call.session === undefined) return
  const { session_mode: mode } = input
  accepted(decideResume(call.session, { ...(mode === undefined ? {} : { mode }), mayWrite: mayWrite(call) }))
}

/** A commit that storage or a fault ended: nothing exists of it, and the same call may be sent later (row 15). */
function commitFailed(error: unknown): unknown {
  if (isToolError(error) && error.kind !== "storage_unavailable" && error.kind !== "internal_error") return error
  return new ToolError(
    "coding_continuity_commit_failed",
    "The Session could not be stored, and nothing was changed. Send the same call again later.",
    { details: { state_changed: false }, cause: error },
  )
}

async function commit(call: Call<WorkReply>, order: WorkOrder): Promise<WorkReply> {
  try {
    return await call.commit(async (tx) => workReply(await commitWork(tx, call, order), order.observed))
  } catch (error) {
    throw commitFailed(error)
  }
}

/** `work_on_project` (spec workflow.md §2). */
export const workOnProject = defineTool({
  name: "work_on_project",
  title: "Work on a Project",
  description:
    "Starts a Workflow Session for an instruction in a Project, or continues exactly the one named; returns its id, the state of the workspace and whether work can begin.",
  category: "workflow",
  input: workInputSchema,
  output: workReplySchema,
  effect: "mutate",
  mutates: "session",
  destructive: false,
  openWorld: false,
  idempotency: "none",
  risk: "none",
  scopes: ["project:read", "session:collaborate"],
  elevate(input) {
    if (!namesDirectory(input)) return {}
    return { scopes: ["project:write"], risk: namesWorktree(input) ? "worktree_create" : "project_register" }
  },
  target: { project: "optional", session: "optional", chat: "none" },
  recordsBusiness: false,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "session",
  deadline: "wait",
  surfaces: ["coding"],
  record: {
    input: (input) => ({
      mode: input.mode,
      by_path: input.path !== undefined,
      by_worktree: input.worktree_id !== undefined,
      resume: input.session_id !== undefined,
      session_mode_present: input.session_mode !== undefined,
      include_project_instructions: input.include_project_instructions,
      include_workflow_guidance: input.include_workflow_guidance,
      include_extension_catalog: input.include_extension_catalog,
      ...contextFacts(input.execution_context),
    }),
    output: (output) => ({
      continuation: output.continuation,
      readiness: output.readiness.status,
      reasons: output.readiness.reasons,
    }),
    evidence: (result) => ("output" in result ? { state_changed: true } : {}),
  },
  reduce: [
    { at: "execution_context.default_cwd", kind: "text", min: 500 },
    { at: "attention.messages", kind: "list", min: 0 },
  ],
  verbatim: ["session_id", "workspace.head", "attention.session_id", "attention.messages[].message_id"],
  async handler(input, call) {
    const source = decideSource(input)
    requireSessionMay(input, call)
    const context = input.execution_context === undefined ? undefined : checkContext(input.execution_context)
    if (call.session === undefined) requireOwner(call)
    const place = await resolveWork(call, source)
    const observed = await observeWork(call, place, call.session === undefined)
    return await commit(call, {
      instruction: input.instruction.trim(),
      ...(input.session_mode === undefined ? {} : { mode: input.session_mode }),
      ...(context === undefined ? {} : { context }),
      place,
      observed,
    })
  },
})

/** The foundation's coding workflow tools (spec workflow.md §2). */
export const workflowTools = [workOnProject] as const
