import { describe, expect, it } from "vitest"
import { applyTextEditsTool, readFilesTool } from "../../../core/files/tools.ts"
import { ToolError } from "../../../core/kernel/error.ts"
import { createRegistry } from "../../../core/kernel/registry.ts"

describe("definitions of the file tools", () => {
  it("pass the registry's rules", () => {
    expect(createRegistry([readFilesTool, applyTextEditsTool]).tools.map(({ name }) => name)).toEqual([
      "read_files",
      "apply_text_edits",
    ])
  })

  it("F69: record counts, kinds and paths, never texts", () => {
    const input = applyTextEditsTool.input.parse({
      project: "p",
      changes: [
        { kind: "edit", path: "a", edits: [{ kind: "replace_exact", old_text: "OLD-TEXT", new_text: "NEW-TEXT" }] },
        { kind: "create", path: "b", content: "CONTENT" },
      ],
    })
    const { record } = applyTextEditsTool
    expect(record.input?.(input)).toEqual({
      dry_run: false,
      include_diff: false,
      change_count: 2,
      edit_count: 1,
      change_kinds: ["edit", "create"],
    })
    const rejected = new ToolError("match_not_found", "x", { details: {} })
    expect(record.error?.(rejected)).toEqual({ edit_outcome: "rejected", edit_conflict_kind: "match_not_found" })
    expect(record.evidence?.({ error: rejected })).toEqual({ state_changed: false })
    const partial = new ToolError("edit_failed", "x", { details: { rollback_complete: false } })
    expect(record.error?.(partial)).toEqual({ edit_outcome: "partial" })
    expect(record.evidence?.({ error: partial })).toEqual({ state_changed: true })
  })
})
