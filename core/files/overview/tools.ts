import { defineTool } from "../../kernel/definition.ts"
import { projectOverview } from "./overview.ts"
import { overviewInputSchema, overviewOutputSchema } from "./overview-schema.ts"

/** `project_overview` (files-and-git.md §2.6). */
export const projectOverviewTool = defineTool({
  name: "project_overview",
  title: "Project overview",
  description:
    "What kind of project it is, from names only: types, manifests, key files, source, test and docs directories, first reads, and the repository at a glance. The same tree gives the same answer.",
  category: "file",
  input: overviewInputSchema,
  output: overviewOutputSchema,
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "natural",
  risk: "none",
  scopes: ["project:read"],
  target: { project: "required", session: "optional", chat: "optional" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "enumerate",
  deadline: "wait",
  surfaces: ["coding"],
  touches: (input) => ({ reads: [input.path ?? "."], writes: [] }),
  record: {
    input: (input) => ({ max_depth: input.max_depth, limit: input.limit }),
    output: (output) => ({
      entries: output.scan.entries,
      truncated: output.scan.truncated,
      git_available: output.git.available,
    }),
    evidence: () => ({ state_changed: false }),
  },
  reduce: [
    { at: "warnings", kind: "list", min: 1 },
    { at: "top_level", kind: "list", min: 0 },
    { at: "manifests", kind: "list", min: 0 },
    { at: "roots", kind: "list", min: 0 },
    { at: "project_types", kind: "list", min: 0 },
    { at: "key_files", kind: "list", min: 0 },
    { at: "suggested_next_reads", kind: "list", min: 0 },
  ],
  verbatim: ["git.head"],
  handler: projectOverview,
})

/** The overview tool. */
export const overviewTools = [projectOverviewTool] as const
