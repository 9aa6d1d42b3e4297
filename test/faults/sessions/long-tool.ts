import { z } from "zod"
import type { AnyToolDefinition } from "../../../core/kernel/definition.ts"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { testTool } from "../../support/test-tool.ts"

/** A recorded tool that changes the workspace, tells that it is inside, and ends when it may go on. */
export function longTool(inside: () => void, goOn: Promise<unknown>): AnyToolDefinition {
  return testTool({
    name: "t_long",
    effect: "mutate",
    mutates: "workspace",
    risk: "write",
    activity: "edit",
    input: z.strictObject({ session_id: sessionIdSchema.optional().describe("Session.") }),
    target: { project: "none", session: "optional", chat: "none" },
    handler: async () => {
      inside()
      await goOn
      return { text: "the true result" }
    },
  })
}
