import { z } from "zod"
import { defineTool } from "../kernel/definition.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { listedSessionSchema, listSessions } from "./list.ts"

/** `list_sessions` (spec sessions.md §6). */
export const listSessionsTool = defineTool({
  name: "list_sessions",
  title: "List Sessions",
  description:
    "Lists the caller's retained Workflow Sessions, newest change first. It selects none: tools work in a Session only by its session_id.",
  category: "session",
  input: z.strictObject({
    project: textSchema(1, 64)
      .describe("Only Sessions of this Project; left out for all, project-less too.")
      .optional(),
    lifecycle: z.enum(["active", "closed"]).describe("Only active or only closed ones.").optional(),
    limit: z.int().min(1).max(50).default(20).describe("Most Sessions to return."),
    cursor: textSchema(1, 256).describe("next_cursor of the page before, with the same filters.").optional(),
  }),
  output: z.object({
    sessions: z.array(listedSessionSchema).max(50).describe("Newest change first."),
    total: z.number().int().min(0).describe("Sessions that match, on all pages."),
    next_cursor: textSchema(1, 256).describe("Cursor of the next page.").optional(),
  }),
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["runtime:read"],
  target: { project: "optional", session: "none", chat: "none" },
  recordsBusiness: false,
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "session",
  deadline: "short",
  surfaces: [],
  record: {
    input: (input) => ({
      limit: input.limit,
      project_present: input.project !== undefined,
      lifecycle_present: input.lifecycle !== undefined,
    }),
    output: (output) => ({ returned: output.sessions.length, total: output.total }),
  },
  reduce: [{ at: "sessions", kind: "list", min: 0 }],
  verbatim: ["sessions[].session_id", "next_cursor"],
  async handler(input, call) {
    return await listSessions(call, {
      ...(call.project === undefined ? {} : { project: call.project }),
      ...(input.lifecycle === undefined ? {} : { lifecycle: input.lifecycle }),
      ...(input.cursor === undefined ? {} : { cursor: input.cursor }),
      limit: input.limit,
    })
  },
})
