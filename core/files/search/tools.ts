import { defineTool } from "../../kernel/definition.ts"
import { searchInputSchema, searchOutputSchema } from "./search-schema.ts"
import { searchTexts } from "./search-texts.ts"

/** `search_project_texts` (files-and-git.md §3). */
export const searchProjectTextsTool = defineTool({
  name: "search_project_texts",
  title: "Search texts",
  description:
    "Runs up to 8 searches over the Project's text files, hidden ones included; ignored, bulk, binary and sensitive files are left out. Records come in order of path and line, by pages; a timeout returns what was found.",
  category: "search",
  input: searchInputSchema,
  output: searchOutputSchema,
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
  activity: "explore",
  deadline: "wait",
  surfaces: ["coding"],
  // A search of the whole root is not refused by a folder guard: the walk prunes what it forbids and says so.
  touches: (input) => ({ reads: input.queries.flatMap(({ path }) => path ?? []), writes: [] }),
  record: {
    input: (input) => ({ query_count: input.queries.length }),
    output: (output) => ({
      returned_count: output.returned_count,
      succeeded_count: output.succeeded_count,
      failed_count: output.failed_count,
      output_truncated: output.output_truncated,
      record_count: output.items.reduce((total, item) => total + (item.returned ?? 0), 0),
    }),
    observedPaths: (_, output) =>
      output.items.flatMap((item) => [...(item.matches ?? []), ...(item.files ?? [])].map(({ path }) => path)),
    evidence: () => ({ state_changed: false }),
  },
  reduce: [
    { at: "items[].matches", kind: "list", min: 0 },
    { at: "items[].files", kind: "list", min: 0 },
    { at: "items", kind: "list", min: 0 },
  ],
  handler: searchTexts,
})

/** The search tools, in catalogue order. */
export const searchTools = [searchProjectTextsTool] as const
