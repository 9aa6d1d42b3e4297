import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { sessionIdSchema } from "../kernel/ids.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { checkContext, executionContextInputSchema, executionContextOutputSchema } from "./context.ts"
import { contextFacts } from "./facts.ts"
import { updateContext } from "./update-context.ts"

/** `update_session_context` (spec sessions.md §6). */
export const updateSessionContext = defineTool({
  name: "update_session_context",
  title: "Update a Session's defaults",
  description:
    "Replaces the execution defaults of a Workflow Session as a whole; {} clears them. Open shells stay where they are. Equal defaults change nothing.",
  category: "session",
  input: z.strictObject({
    project: textSchema(1, 64).describe("Slug of the Session's Project."),
    session_id: sessionIdSchema.describe("The Workflow Session."),
    execution_context: executionContextInputSchema.describe(
      "All new defaults: default_cwd (relative to the root), default_shell, resource (SSH).",
    ),
  }),
  output: z.object({
    session_id: sessionIdSchema.describe("The Workflow Session."),
    project: textSchema(1, 64).describe("Project slug."),
    previous_execution_context: executionContextOutputSchema.describe("Defaults before."),
    execution_context: executionContextOutputSchema.describe("Defaults now."),
    changed: z.boolean().describe("They differ."),
  }),
  effect: "mutate",
  mutates: "session",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["project:write"],
  target: { project: "required", session: "required", chat: "none" },
  recordsBusiness: false,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "session",
  deadline: "short",
  surfaces: [],
  record: {
    input: (input) => contextFacts(input.execution_context),
    output: (output) => ({ changed: output.changed }),
    evidence: (result) => ("output" in result ? { state_changed: result.output.changed } : {}),
  },
  reduce: [
    { at: "previous_execution_context.default_cwd", kind: "text", min: 500 },
    { at: "execution_context.default_cwd", kind: "text", min: 500 },
  ],
  verbatim: ["session_id"],
  async handler(input, call) {
    const context = checkContext(input.execution_context)
    const { slug } = call.requireProject()
    return await call.commit(async (tx) => {
      const { previous, current, changed } = await updateContext(tx, call, { sessionId: input.session_id, context })
      return {
        session_id: input.session_id,
        project: slug,
        previous_execution_context: { ...previous },
        execution_context: { ...current },
        changed,
      }
    })
  },
})
