import { z } from "zod"
import { type AnyToolDefinition, defineTool } from "../../../core/kernel/definition.ts"
import { ToolError } from "../../../core/kernel/error.ts"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { textSchema } from "../../../core/kernel/text-schema.ts"
import { TEST_TOOL_DEFAULTS, testTool } from "../../support/test-tool.ts"

const input = z.strictObject({
  project: textSchema(1, 64).optional().describe("Project."),
  session_id: sessionIdSchema.optional().describe("Session."),
  paths: z.array(textSchema(0, 600)).max(8).default([]).describe("Paths it names."),
  note: textSchema(0, 200).default("").describe("A fact to record."),
  fail: z.boolean().default(false).describe("Whether it fails."),
  dry: z.boolean().default(false).describe("Whether it changes nothing."),
})
const output = z.object({ paths: z.array(textSchema(0, 600)).max(8), changed: z.boolean(), project: textSchema(0, 64) })

/** A reading, an editing and an executing tool that work in a Session and do nothing. */
function workTool(name: string, over: Partial<AnyToolDefinition>): AnyToolDefinition {
  const tool = defineTool({
    ...TEST_TOOL_DEFAULTS,
    name,
    input,
    output,
    scopes: ["project:read"],
    reduce: [{ at: "paths", kind: "list", min: 0 }],
    target: { project: "optional", session: "optional", chat: "none" },
    record: {
      input: ({ note }) => ({ note }),
      observedPaths: (asked) => asked.paths,
      changedPaths: (result) => (result.changed ? result.paths : []),
      evidence: (result) => ("output" in result ? { state_changed: result.output.changed } : {}),
    },
    async handler({ paths, fail, dry }, call) {
      if (fail)
        throw new ToolError("sha256_mismatch", "The file changed. Read it again.", { details: { actual_sha256: "0" } })
      return { paths, changed: name === "t_edit" && !dry, project: call.project?.slug ?? "" }
    },
  })
  return { ...tool, ...over }
}

/** The three, and `t_look`, which has no target. */
export const workTools: readonly AnyToolDefinition[] = [
  workTool("t_read", { activity: "explore" }),
  workTool("t_edit", { effect: "mutate", mutates: "workspace", risk: "write", activity: "edit" }),
  workTool("t_run", { effect: "execute", risk: "shell", activity: "execute" }),
  testTool({ name: "t_look" }),
]
