import { defineTool } from "../kernel/definition.ts"
import { applyTextEdits } from "./edits/apply.ts"
import { editEvidence, errorFacts, inputFacts, outputFacts, recoverEdit } from "./edits/facts.ts"
import { editInputSchema, editOutputSchema } from "./edits/schema.ts"
import { readFiles } from "./read-files.ts"
import { readInputSchema, readOutputSchema } from "./read-schema.ts"

/** `read_files` (files-and-git.md §2.2). */
export const readFilesTool = defineTool({
  name: "read_files",
  title: "Read files",
  description:
    "Reads pages of up to 8 text files with hash, encoding and line facts. A page that ends early says where the next starts; an item's error leaves the others standing.",
  category: "file",
  input: readInputSchema,
  output: readOutputSchema,
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
  touches: (input) => ({ reads: input.items.map(({ path }) => path), writes: [] }),
  record: {
    input: (input) => ({ item_count: input.items.length, with_line_numbers: input.with_line_numbers }),
    output: (output) => ({
      returned_count: output.returned_count,
      succeeded_count: output.succeeded_count,
      failed_count: output.failed_count,
      output_truncated: output.output_truncated,
    }),
    observedPaths: (_, output) => output.items.filter(({ success }) => success).map(({ path }) => path),
    evidence: () => ({ state_changed: false }),
  },
  reduce: [
    { at: "items[].text", kind: "text", min: 0 },
    { at: "items", kind: "list", min: 0 },
  ],
  verbatim: ["items[].sha256"],
  handler: readFiles,
})

/** `apply_text_edits` (files-and-git.md §4.1). */
export const applyTextEditsTool = defineTool({
  name: "apply_text_edits",
  title: "Apply text edits",
  description: "Edits, creates and replaces files, all or none. Bytes outside an edit stay.",
  category: "edit",
  input: editInputSchema,
  output: editOutputSchema,
  effect: "mutate",
  mutates: "workspace",
  destructive: false,
  openWorld: false,
  idempotency: "none",
  risk: "write",
  scopes: ["project:write"],
  target: { project: "required", session: "optional", chat: "optional" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "edit",
  deadline: "wait",
  surfaces: ["coding"],
  touches: (input) => ({ reads: [], writes: input.changes.map(({ path }) => path) }),
  record: {
    input: inputFacts,
    output: outputFacts,
    error: errorFacts,
    changedPaths: (output) => output.changed_paths,
    evidence: editEvidence,
  },
  reduce: [
    { at: "diff", kind: "text", min: 0 },
    { at: "files[].edits", kind: "drop", min: 0 },
    { at: "warnings", kind: "list", min: 0 },
    { at: "files", kind: "list", min: 0 },
    { at: "changed_paths", kind: "list", min: 0 },
  ],
  verbatim: ["files[].old_sha256", "files[].new_sha256"],
  recover: (open, ports) => recoverEdit(open.invocationId, ports),
  handler: applyTextEdits,
})
