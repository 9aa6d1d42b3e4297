import { defineTool } from "../kernel/definition.ts"
import { listTools, listToolsInput, listToolsOutput } from "./list-tools.ts"
import { runtimeStatus, runtimeStatusInput, runtimeStatusOutput } from "./runtime-status.ts"
import { toolManifest, toolManifestInput, toolManifestOutput } from "./tool-manifest.ts"

/** What every discovery tool is: an observation of this process, without target. */
const discovery = {
  category: "discovery",
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["runtime:read"],
  target: { project: "none", session: "none", chat: "none" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "other",
  deadline: "short",
} as const

const listToolsTool = defineTool({
  ...discovery,
  name: "list_tools",
  title: "List tools",
  description:
    "Rows of the tools that this server exposes, with their arguments and how to reach them; a query is a literal part of name, title or description.",
  input: listToolsInput,
  output: listToolsOutput,
  surfaces: ["coding"],
  record: {
    input: ({ limit, offset, query, category, effect }) => ({
      limit,
      offset,
      query_present: query !== undefined,
      ...(category === undefined ? {} : { category }),
      ...(effect === undefined ? {} : { effect }),
    }),
    output: ({ total, tools }) => ({ total, returned: tools.length }),
  },
  reduce: [{ at: "tools", kind: "list", min: 1 }],
  handler: async (input, call) => listTools(input, call),
})

const toolManifestTool = defineTool({
  ...discovery,
  name: "tool_manifest",
  title: "Describe one tool",
  description: "The exact contract of one tool: input and output schema, effect, scopes, targets and surfaces.",
  input: toolManifestInput,
  output: toolManifestOutput,
  surfaces: ["coding"],
  record: { output: ({ name, reach }) => ({ name, reach }) },
  reduce: [
    { at: "output_schema", kind: "drop", min: 0 },
    { at: "input_schema", kind: "drop", min: 0 },
  ],
  verbatim: ["schema_hash", "input_schema", "output_schema"],
  handler: async (input, call) => toolManifest(input, call),
})

export const runtimeStatusTool = defineTool({
  ...discovery,
  name: "runtime_status",
  title: "Status of this server",
  description: "Version, surface, authority mode, store, Runners, counts and limits of the server that answers.",
  input: runtimeStatusInput,
  output: runtimeStatusOutput,
  surfaces: [],
  record: {},
  reduce: [],
  verbatim: ["instance"],
  handler: async (_input, call) => runtimeStatus(call),
})

/** The tools that tell what this server is and offers (spec kernel.md §8). */
export const discoveryTools = [listToolsTool, toolManifestTool, runtimeStatusTool] as const
