import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import Database from "better-sqlite3"
import { describe, expect, it } from "vitest"
import { alice, bob, grantFor, local, userNamed } from "../../support/callers.ts"
import { createHarness } from "../../support/harness.ts"
import { testTool } from "../../support/test-tool.ts"
import { createTestTools } from "../../support/test-tools.ts"

const UNKNOWN = "wc_sess_AAAAAAAAAAAAAAAA"

describe("step 3: recorder, Project, Session", () => {
  it("K4: another user's Session is denied, an unknown id is unknown", async () => {
    await using harness = await createHarness()
    const { project } = await harness.project("a")
    const session = await harness.session({ project })
    expect(await harness.fails("session_summary", { session_id: session }, { as: bob })).toMatchObject({
      kind: "session_authority_denied",
      http: 403,
      recovery: "none",
    })
    expect(await harness.fails("session_summary", { session_id: UNKNOWN })).toMatchObject({
      kind: "unknown_session_id",
      http: 404,
      details: { role: "business", reason: "unknown" },
    })
    expect((await harness.fails("list_tools", {}, { recorder: UNKNOWN })).details).toMatchObject({ role: "recorder" })
  })

  it("K6: without access to the Session's Project it does not exist", async () => {
    await using harness = await createHarness()
    const { project } = await harness.project("a")
    const session = await harness.session({ project })
    const as = userNamed("alice", { projects: ["b"] })
    expect(await harness.fails("session_summary", { session_id: session }, { as })).toMatchObject({
      kind: "project_not_found",
      http: 404,
    })
  })

  it("K7: recorder and request of two Projects do not match; nothing ran, nothing was recorded", async () => {
    await using harness = await createHarness()
    const a = await harness.project("a")
    const b = await harness.project("b")
    const recorder = await harness.session({ project: a.project })
    const before = await harness.events(recorder)
    const effects = harness.runners.effects()
    const input = { project: b.project, items: [{ path: "x" }] }
    expect(await harness.fails("read_files", input, { recorder })).toMatchObject({
      kind: "session_project_mismatch",
      http: 403,
      details: { roles: ["recorder", "request"] },
    })
    expect(await harness.events(recorder)).toEqual(before)
    expect(harness.runners.effects()).toBe(effects)
  })

  it("K8: a project-less recorder matches only what has no Project", async () => {
    await using harness = await createHarness()
    const { project } = await harness.project("a")
    const recorder = await harness.session()
    const read = { project, items: [{ path: "x" }] }
    expect((await harness.fails("read_files", read, { recorder })).kind).toBe("session_project_mismatch")
    const { result } = await harness.call("list_tools", {}, { recorder })
    expect(result.success).toBe(true)
    const pair = await harness.callEvents(recorder)
    expect(pair.map((event) => event.kind)).toEqual(["tool_call_started", "tool_call_finished"])
    expect(result.attached?.session_record).toEqual({
      session_id: recorder,
      recorded: true,
      event_id: pair[1]?.event_id,
    })
  })

  it("K39: an altered fingerprint matches nobody and is not repaired", async () => {
    await using harness = await createHarness()
    const session = await harness.session()
    const database = new Database(join(harness.dataDir, "holdfast.db"))
    database.prepare("update sessions set owner_authority_fingerprint = 'ABC' where session_id = ?").run(session)
    expect((await harness.fails("session_summary", { session_id: session })).kind).toBe("session_authority_denied")
    const row = database.prepare("select owner_authority_fingerprint as owner from sessions where session_id = ?")
    expect(row.get(session)).toEqual({ owner: "ABC" })
    database.close()
  })

  it("K44: a grant sees and works in its Projects alone", async () => {
    await using harness = await createHarness()
    await harness.project("a")
    const b = await harness.project("b")
    const as = grantFor(["a"])
    const listed = (await harness.ok("list_projects", {}, { as })).projects as { project: string }[]
    expect(listed.map(({ project }) => project)).toEqual(["a"])
    const read = { project: b.project, items: [{ path: "x" }] }
    expect(await harness.fails("read_files", read, { as })).toMatchObject({ kind: "project_not_found", http: 404 })
    expect(await harness.fails("register_project", { path: b.root }, { as })).toMatchObject({
      kind: "project_access_denied",
      http: 200,
    })
  })

  it("a tool with an optional Project works in its business Session's", async () => {
    const seen: unknown[] = []
    const tools = createTestTools()
    const [wait] = tools.definitions.filter(({ name }) => name === "t_wait")
    const spy = testTool({
      ...wait,
      name: "t_where",
      handler: async (_input, call) => {
        seen.push(call.project?.slug)
        return { waited: true }
      },
    })
    await using harness = await createHarness({ tools: [spy] })
    const { project } = await harness.project("a")
    await harness.ok("t_where", { session_id: await harness.session({ project }) })
    await harness.ok("t_where", { project })
    await harness.ok("t_where", {})
    expect(seen).toEqual(["a", "a", undefined])
  })

  it("work in an unregistered Project or a missing root is refused before it starts", async () => {
    await using harness = await createHarness()
    const { project, root } = await harness.project("a")
    await writeFile(join(root, "x"), "x\n")
    const read = { project, items: [{ path: "x" }] }
    expect((await harness.ok("read_files", read)).succeeded_count).toBe(1)
    const { rename } = await import("node:fs/promises")
    await rename(root, `${root}-moved`)
    expect(await harness.fails("read_files", read)).toMatchObject({ kind: "workspace_missing", http: 409 })
    await rename(`${root}-moved`, root)
    const [row] = (await harness.ok("list_projects")).projects as { revision: number }[]
    await harness.ok("unregister_project", { project, expected_revision: row?.revision, confirm: true }, { as: local })
    expect(await harness.fails("read_files", read)).toMatchObject({ kind: "project_unavailable", http: 409 })
  })

  it("bindProject runs the equality check for the recorder before the first effect", async () => {
    let slug = "b"
    const binds = testTool({
      name: "t_bind",
      handler: async (_input, call) => {
        const project = await call.ports.store.read((tx) => tx.projects.bySlug(slug))
        if (project !== undefined) call.bindProject(project)
        return { text: call.requireProject().slug }
      },
    })
    await using harness = await createHarness({ tools: [binds] })
    await harness.project("a")
    await harness.project("b")
    const recorder = await harness.session({ project: "a" })
    expect(await harness.fails("t_bind", {}, { recorder })).toMatchObject({
      kind: "session_project_mismatch",
      http: 200,
    })
    slug = "a"
    expect(await harness.ok("t_bind", {}, { recorder })).toEqual({ text: "a" })
    const finished = (await harness.callEvents(recorder)).filter((event) => event.kind === "tool_call_finished")
    expect(finished.map((event) => [event.status, event.project])).toEqual([
      ["failed", undefined],
      ["succeeded", "a"],
    ])
    slug = "nowhere"
    expect(await harness.fails("t_bind", {}, { as: alice })).toMatchObject({ kind: "project_required", http: 200 })
  })
})
