import { describe, expect, it } from "vitest"
import { argumentLine } from "../../../core/discovery/arguments.ts"
import { toolManifestOutput } from "../../../core/discovery/tool-manifest.ts"
import { editDistance } from "../../../core/kernel/pipeline/edit-distance.ts"
import { userNamed } from "../../support/callers.ts"
import { createHarness } from "../../support/harness.ts"

interface Row {
  readonly name: string
  readonly reach: string
  readonly args: string
  readonly missing_scopes?: readonly string[]
}

describe("discovery", () => {
  it("list_tools: rows in catalogue order, filtered literally, with reach and missing scopes", async () => {
    await using harness = await createHarness({ registry: { disabledTools: ["git_diff"] } })
    const list = async (input: object, as = userNamed("alice")) => await harness.ok("list_tools", input, { as })
    const all = await list({})
    const rows = all.tools as Row[]
    expect(all).toMatchObject({ surface: "coding", total: harness.registry.tools.length - 1 })
    expect(all).not.toHaveProperty("next_offset")
    expect(rows.map(({ name }) => name)).not.toContain("git_diff")
    const reach = (name: string) => rows.find((row) => row.name === name)?.reach
    expect([reach("read_files"), reach("git_status"), reach("close_session")]).toEqual([
      "direct",
      "call_read_tool",
      "call_tool",
    ])
    const page = await list({ limit: 2, offset: 1 })
    expect(page).toMatchObject({ next_offset: 3, tools: [{ name: "tool_manifest" }, { name: "runtime_status" }] })
    expect(((await list({ query: "GIT_STAT" })).tools as Row[]).map(({ name }) => name)).toEqual(["git_status"])
    expect((await list({ query: "git.stat" })).total).toBe(0)
    expect(((await list({ category: "git", effect: "observe" })).tools as Row[]).map((row) => row.name)).toEqual([
      "git_status",
    ])
    const few = (await list({ query: "apply_text" }, userNamed("alice", { scopes: new Set(["runtime:read"]) })))
      .tools as Row[]
    expect(few[0]?.missing_scopes).toEqual(["project:write"])
  })

  it("tool_manifest: the exact contract, or unknown_tool", async () => {
    await using harness = await createHarness()
    const manifest = await harness.ok("tool_manifest", { tool_name: "read_files" })
    expect(toolManifestOutput.parse(manifest)).toEqual(manifest)
    const tool = harness.registry.find("read_files", undefined)?.tool
    expect(manifest).toMatchObject({
      name: "read_files",
      effect: "observe",
      idempotency: "natural",
      scopes: ["project:read"],
      surfaces: ["coding", "full"],
      reach: "direct",
      schema_hash: harness.schemaHash,
      input_schema: tool?.exact.input,
      output_schema: tool?.exact.output,
    })
    expect(await harness.fails("tool_manifest", { tool_name: "nope" })).toMatchObject({
      kind: "unknown_tool",
      http: 200,
    })
  })

  it("runtime_status: this process, its store, its Runner and its counts", async () => {
    await using harness = await createHarness()
    const { project } = await harness.project("a")
    await harness.session({ project })
    expect(await harness.ok("runtime_status", {}, { door: "http" })).toMatchObject({
      service: "holdfast",
      surface: "coding",
      door: "http",
      authority: { mode: "trusted_agent", source: "default", permission_bearing: "allowed" },
      store: { dialect: "sqlite" },
      runners: [{ client_id: "local", online: true }],
      counts: { projects: 1, sessions_active: 1, jobs_active: 0, jobs_recovering: 0, shells: 0 },
      limits: { deadline_ms: 40_000, reply_limit_chars: 90_000 },
    })
  })

  it("runtime_status: counts what the credential may see", async () => {
    await using harness = await createHarness()
    await harness.project("a")
    await harness.project("b")
    const limited = userNamed("alice", { projects: ["a"] })
    const counts = async (as = limited) => (await harness.ok("runtime_status", {}, { as })).counts
    await harness.ok("start_session", { project: "a" }, { as: userNamed("alice") })
    await harness.ok("start_session", { project: "b" }, { as: userNamed("alice") })
    await harness.ok("start_session", { project: "a" }, { as: userNamed("bob") })
    expect(await counts()).toMatchObject({ projects: 1, sessions_active: 1, jobs_active: 0, jobs_recovering: 0 })
    expect(await counts(userNamed("alice", { projects: [] }))).toMatchObject({ projects: 0, sessions_active: 0 })
    expect(await counts(userNamed("alice"))).toMatchObject({ projects: 2, sessions_active: 3 })
  })

  it("argument lines mark optional fields and stay within 240 characters", () => {
    const schema = { properties: { a: {}, b: {} }, required: ["a"] }
    expect(argumentLine(schema)).toBe("a, b?")
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`argument_${index}`, {}]))
    const line = argumentLine({ properties: many })
    expect(line.length).toBeLessThanOrEqual(240)
    expect(line.endsWith(", …")).toBe(true)
  })

  it("edit distance counts insertions, deletions and substitutions up to its limit", () => {
    expect(editDistance("list_project", "list_projects", 3)).toBe(1)
    expect(editDistance("kitten", "sitting", 3)).toBe(3)
    expect(editDistance("kitten", "sitting", 2)).toBe(3)
    expect(editDistance("a", "abcdef", 3)).toBe(4)
  })
})
