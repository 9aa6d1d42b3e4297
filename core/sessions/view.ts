import { z } from "zod"
import { sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import type { Project } from "../projects/record.ts"
import type { Tx } from "../store.ts"
import { executionContextOutputSchema } from "./context.ts"
import type { WorkflowSession } from "./record.ts"

const time = (what: string) => z.number().int().describe(`${what}, ms since 1970.`)

/** Effective guards in outputs. */
export const guardsOutputSchema = z.object({
  deny_write_tools: z.boolean().describe("Tools that change the workspace are refused."),
  deny_shell_tools: z.boolean().describe("Tools that run commands are refused."),
})

/** A Session as every tool shows it (spec sessions.md §1.2); the owner's fingerprint is never in it. */
export const sessionViewShape = {
  session_id: sessionIdSchema.describe("The Workflow Session."),
  project: textSchema(1, 64).describe("Project slug; absent for a Session without a Project.").optional(),
  project_unregistered: z.literal(true).describe("The Project's registration has ended.").optional(),
  title: textSchema(1, 200).describe("Title.").optional(),
  lifecycle: z.enum(["active", "closed"]).describe("Closed is final."),
  mode: z.enum(["normal", "read_only"]).describe("Mode."),
  guards: guardsOutputSchema.describe("Effective guards."),
  execution_context: executionContextOutputSchema.describe("Defaults of commands."),
  created_at: time("Start"),
  updated_at: time("Newest event"),
  closed_at: time("End").optional(),
  events_total: z.number().int().min(0).describe("Events ever recorded."),
  repository_edited: z.boolean().describe("A recorded call has changed repository content."),
}

/** Output of `start_session`. */
export const sessionViewSchema = z.object(sessionViewShape)
/** A value of `sessionViewSchema`. */
export type SessionView = z.infer<typeof sessionViewSchema>

/** The view of a Session with the Project that it is bound to. */
export function sessionView(session: WorkflowSession, project: Project | undefined): SessionView {
  return {
    session_id: session.sessionId,
    ...(project === undefined ? {} : { project: project.slug }),
    ...(project?.unregisteredAt === undefined ? {} : { project_unregistered: true }),
    ...(session.title === undefined ? {} : { title: session.title }),
    lifecycle: session.lifecycle,
    mode: session.mode,
    guards: { ...session.guards },
    execution_context: { ...session.context },
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    ...(session.closedAt === undefined ? {} : { closed_at: session.closedAt }),
    events_total: session.eventsObserved,
    repository_edited: session.repositoryEdited,
  }
}

/** The Project that a Session is bound to, registered or not. */
export async function projectOf(tx: Tx, session: WorkflowSession): Promise<Project | undefined> {
  return session.projectPk === undefined ? undefined : await tx.projects.byPk(session.projectPk)
}
