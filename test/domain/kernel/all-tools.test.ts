import { describe, expect, it } from "vitest"
import { SCOPES } from "../../../core/access/scopes.ts"
import { createRegistry } from "../../../core/kernel/registry.ts"
import { allTools } from "../../../core/tools.ts"

/** Names of this build in catalogue order (kernel.md §8), pinned. */
const NAMES = [
  "list_tools",
  "tool_manifest",
  "runtime_status",
  "list_projects",
  "register_project",
  "unregister_project",
  "start_session",
  "session_summary",
  "list_sessions",
  "update_session_context",
  "close_session",
  "post_session_message",
  "observe_session_messages",
  "resolve_session_message",
  "list_session_messages",
  "get_session_assignment",
  "session_discussion_summary",
  "complete_session_message",
  "work_on_project",
  "run_process",
  "run_script",
  "run_shell",
  "run_job",
  "run_detached_process",
  "job_log",
  "observe_jobs",
  "job_status",
  "list_jobs",
  "stop_job",
  "open_session_shell",
  "session_shell_exec",
  "session_shell_status",
  "close_session_shell",
  "session_create",
  "session_exec",
  "session_list",
  "session_checkpoints",
  "session_checkpoint",
  "session_destroy",
  "session_restore",
  "project_overview",
  "read_files",
  "search_project_texts",
  "apply_text_edits",
  "git_status",
  "git_diff",
]

describe("every definition of the product", () => {
  const registry = createRegistry(allTools)

  it("keeps the rules of the registry, and R12's list of the largest is printed", () => {
    expect(registry.tools.map((tool) => tool.name)).toEqual(NAMES)
    const { tools, json } = registry.mcpTools("full", "2026", new Set(SCOPES))
    const sizes = tools.map((tool) => ({ name: tool.name, bytes: Buffer.byteLength(JSON.stringify(tool)) }))
    console.table(sizes.sort((one, other) => other.bytes - one.bytes).slice(0, 10))
    expect(Buffer.byteLength(json)).toBeLessThan(160_000)
    expect(Buffer.byteLength(registry.mcpTools("coding", "2026", new Set(SCOPES)).json)).toBeLessThan(40_000)
  })

  it("D36: consequential flags and hints", () => {
    const flag = (name: string) => registry.find(name, undefined)?.tool.consequential
    expect([flag("read_files"), flag("post_session_message"), flag("work_on_project")]).toEqual([false, false, false])
    expect([flag("apply_text_edits"), flag("run_shell"), flag("stop_job")]).toEqual([true, true, true])
    expect(registry.find("read_files", undefined)?.tool.hints).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
  })

  it("each surface lists its tools in order, coding with the gateways", () => {
    const names = (surface: "coding" | "shell" | "workflow") =>
      registry.mcpTools(surface, "2026", new Set(SCOPES)).tools.map((tool) => tool.name)
    expect(names("coding").slice(-2)).toEqual(["call_read_tool", "call_tool"])
    expect(names("coding").slice(0, -2)).toEqual(NAMES.filter((name) => names("coding").includes(name)))
    expect(names("shell")).toEqual([
      "job_log",
      "observe_jobs",
      "stop_job",
      "session_create",
      "session_exec",
      "session_list",
      "session_checkpoints",
      "session_checkpoint",
      "session_destroy",
      "session_restore",
    ])
    expect(names("workflow")).toEqual([])
  })
})
