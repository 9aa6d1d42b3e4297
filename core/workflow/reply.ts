import { z } from "zod"
import type { WorkspaceFacts } from "../git/workspace-facts.ts"
import { sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { attentionSchema } from "../messages/attention.ts"
import { executionContextOutputSchema, isEmptyContext } from "../sessions/context.ts"
import { guardsOutputSchema } from "../sessions/view.ts"
import type { WorkDone } from "./commit-work.ts"
import type { WorkObservation } from "./observe.ts"
import { readinessOf, readinessSchema } from "./readiness.ts"

const count = (what: string) => z.number().int().min(0).describe(what).nullable()
const fact = (what: string) => z.boolean().describe(what).nullable()

/** WorkspaceFacts in outputs, one shape wherever a workspace is described (spec workflow.md §2.4). */
export const workspaceFactsSchema = z.object({
  status: z.enum(["available", "not_requested", "unavailable"]).describe("Whether the facts could be read."),
  reason_code: z
    .enum(["not_git", "git_failed", "timed_out", "workspace_missing", "runner_unavailable", "no_project"])
    .nullable()
    .describe("Why facts are missing."),
  branch: textSchema(0, 256).nullable().describe("Branch."),
  head: textSchema(7, 64).nullable().describe("Commit of HEAD."),
  detached: fact("HEAD is on no branch."),
  dirty: fact("Something differs from HEAD, untracked files included."),
  conflicted: fact("There are unmerged paths."),
  ahead: count("Commits ahead of the upstream."),
  behind: count("Commits behind the upstream."),
  changed_count: count("Changed tracked paths."),
  untracked_count: count("Untracked paths."),
}) satisfies z.ZodType<WorkspaceFacts>

/** Output of `work_on_project` (spec workflow.md §2.4): optional members only when they are not the default. */
export const workReplySchema = z.object({
  session_id: sessionIdSchema.describe("The Session to name in further calls."),
  project: textSchema(1, 64).describe("Project slug."),
  continuation: z.enum(["created", "resumed_explicitly"]).describe("Whether the Session is new."),
  project_resolution: z
    .object({
      outcome: z.enum(["auto_registered", "reused_existing_registration"]).describe("What became of the directory."),
      client_id: textSchema(1, 128).describe("Runner that owns it."),
    })
    .describe("Only for a directory.")
    .optional(),
  session_mode: z.enum(["normal", "read_only"]).describe("Only when it is not normal.").optional(),
  guards: guardsOutputSchema.describe("Only when one holds.").optional(),
  execution_context: executionContextOutputSchema.describe("Only when something is set.").optional(),
  attention: attentionSchema.describe("What a continued Session's board wants to be seen.").optional(),
  workspace: workspaceFactsSchema.describe("The workspace as it was just before the commit."),
  readiness: readinessSchema.describe("Whether work can begin."),
})
/** A value of `workReplySchema`. */
export type WorkReply = z.infer<typeof workReplySchema>

/** The reply, projected from facts that the commit read; pure. */
export function workReply(done: WorkDone, observed: WorkObservation): WorkReply {
  const { session, project, resolution } = done
  const { guards, context } = session
  const guarded = guards.deny_write_tools || guards.deny_shell_tools
  return {
    session_id: session.sessionId,
    project: project.slug,
    continuation: done.resumed ? "resumed_explicitly" : "created",
    ...(resolution === undefined ? {} : { project_resolution: { outcome: resolution, client_id: project.clientId } }),
    ...(session.mode === "normal" ? {} : { session_mode: session.mode }),
    ...(guarded ? { guards: { ...guards } } : {}),
    ...(isEmptyContext(context) ? {} : { execution_context: { ...context } }),
    ...(done.attention === undefined ? {} : { attention: done.attention }),
    workspace: { ...observed.workspace },
    readiness: readinessOf({
      workspace: observed.workspace,
      baselineFailed: observed.baselineFailed,
      activeJobs: done.activeJobs,
      recoveringJobs: done.recoveringJobs,
    }),
  }
}
