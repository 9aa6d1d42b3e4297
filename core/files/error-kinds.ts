import { z } from "zod"
import { row } from "../kernel/errors/row.ts"

const text = z.string()
const count = z.number().int()
const strings = z.array(z.string())
const path = { path: text.optional(), index: count.optional(), change_index: count.optional() }
const near = z.array(z.object({ start_line: count, end_line: count, difference: text }))
const candidates = z.array(z.object({ occurrence: count, start_line: count, end_line: count }))
const failures = z.array(z.object({ change_index: count, kind: text, message: text, path: text.optional() }))
const edit = { ...path, edit_index: count.optional(), failures: failures.optional() }
const match = {
  ...edit,
  match_count: count.optional(),
  requested_occurrence: count.optional(),
  candidates: candidates.optional(),
  candidates_truncated: z.boolean().optional(),
}
const onPath = z.object(edit)

/** Files, search, edits and git (spec files-and-git.md §6). */
export const fileKinds = {
  invalid_path: row({ http: 200, recovery: "fix_input", details: z.object({ ...edit, reason: text }) }),
  path_twin: row({ http: 200, recovery: "fix_input", details: z.object({ ...edit, existing: text }) }),
  is_symlink: row({ http: 200, recovery: "fix_input", details: onPath }),
  not_regular_file: row({ http: 200, recovery: "fix_input", details: z.object({ ...edit, type: text }) }),
  not_directory: row({ http: 200, recovery: "fix_input", details: onPath }),
  file_too_large: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, size_bytes: z.number(), limit_bytes: z.number() }),
  }),
  binary_file: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, size_bytes: z.number(), sha256: text.optional() }),
  }),
  unsupported_encoding: row({ http: 200, recovery: "fix_input", details: onPath }),
  encoding_mismatch: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, detected: text.optional() }),
  }),
  unencodable_text: row({ http: 200, recovery: "fix_input", details: z.object({ ...edit, codepoint: text }) }),
  redaction_marker: row({ http: 200, recovery: "fix_input", details: onPath }),
  invalid_pattern: row({ http: 200, recovery: "fix_input", details: z.object({ ...path, offset: count.optional() }) }),
  invalid_glob: row({ http: 200, recovery: "fix_input", details: z.object({ ...path, reason: text }) }),
  overlapping_edits: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, other_edit_index: count }),
  }),
  overlapping_changes: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, other_change_index: count.optional() }),
  }),
  unknown_revision: row({ http: 200, recovery: "fix_input", details: z.object({ field: text.optional() }) }),
  not_found: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ ...edit, dangling_symlink: z.boolean().optional(), did_you_mean: strings.optional() }),
  }),
  path_exists: row({ http: 200, recovery: "reobserve", details: z.object({ ...edit, sha256: text.optional() }) }),
  match_not_found: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ ...match, near: near.optional() }),
  }),
  multiple_matches: row({ http: 200, recovery: "reobserve", details: z.object(match) }),
  occurrence_out_of_range: row({ http: 200, recovery: "reobserve", details: z.object(match) }),
  sha256_mismatch: row({ http: 200, recovery: "reobserve", details: z.object({ ...edit, actual_sha256: text }) }),
  snapshot_changed: row({ http: 200, recovery: "reobserve" }),
  changed_during_read: row({ http: 200, recovery: "retry_same", details: onPath }),
  path_changed: row({ http: 200, recovery: "retry_same", details: onPath }),
  workspace_busy: row({ http: 200, recovery: "retry_later" }),
  git_index_locked: row({ http: 200, recovery: "retry_later" }),
  storage_full: row({
    http: 200,
    recovery: "retry_later",
    details: z.object({ rollback_complete: z.boolean().optional() }),
  }),
  path_escapes_root: row({ http: 200, recovery: "none", details: onPath }),
  symlink_loop: row({ http: 200, recovery: "none", details: onPath }),
  protected_path: row({ http: 200, recovery: "none", details: onPath }),
  sensitive_path: row({ http: 200, recovery: "none", details: onPath }),
  guard_denied: row({ http: 403, recovery: "none", details: onPath }),
  file_access_denied: row({
    http: 200,
    recovery: "none",
    details: z.object({ ...edit, errno: text.optional(), reason: text.optional() }),
  }),
  not_git_project: row({ http: 200, recovery: "none", details: z.object({ repository_above: z.boolean() }) }),
  git_unavailable: row({ http: 200, recovery: "none" }),
  git_too_old: row({ http: 200, recovery: "none", details: z.object({ version: text }) }),
  git_unsafe_ownership: row({ http: 200, recovery: "none" }),
  all_items_failed: row({ http: 200, recovery: "fix_input" }),
  search_failed: row({ http: 200, recovery: "reobserve", details: z.object({ reason: text.optional() }) }),
  git_failed: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ exit_code: count.nullable(), stderr_tail: text }),
  }),
  edit_failed: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ errno: text.optional(), rollback_complete: z.boolean() }),
  }),
} as const
