import { mkdir, rm, symlink } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { alice, grantFor } from "../../support/callers.ts"
import { type KernelUnderTest, startKernel } from "../sessions/kernel-under-test.ts"

const grant = grantFor(["a"])

async function slugs(kernel: KernelUnderTest, input: object = {}, as = alice): Promise<unknown[]> {
  const { projects } = await kernel.ok("list_projects", input, { as })
  return Array.isArray(projects) ? projects.map(({ project }) => project) : []
}

describe("register_project", () => {
  it("K29: forbidden places are refused with the allowed roots, and leave no row", async () => {
    await using kernel = await startKernel()
    await symlink("/etc", path.join(kernel.home, "link"))
    const { home, dataDir } = kernel
    for (const place of ["/", home, "/etc/x", dataDir, path.dirname(dataDir), path.join(home, "link")]) {
      expect(await kernel.refused("register_project", { path: place })).toEqual({
        kind: "path_not_allowed",
        details: { allowed_roots: [home] },
      })
    }
    expect(await kernel.store.read((tx) => tx.projects.count())).toBe(0)
  })

  it("K30: the same root answers created:false; another root of a taken slug is refused", async () => {
    await using kernel = await startKernel()
    const first = path.join(kernel.home, "first")
    await mkdir(first)
    await mkdir(path.join(kernel.home, "second"))
    expect(await kernel.ok("register_project", { path: first })).toEqual({
      project: "first",
      created: true,
      created_directory: false,
      client_id: "local",
      root: first,
      git: false,
      revision: 1,
    })
    expect(await kernel.ok("register_project", { path: first })).toMatchObject({ project: "first", created: false })
    expect(
      await kernel.refused("register_project", { path: path.join(kernel.home, "second"), project: "first" }),
    ).toEqual({
      kind: "project_exists",
      details: { project: "first" },
    })
  })

  it("title and description are stored with their secrets masked, and take no control characters", async () => {
    await using kernel = await startKernel()
    const [one, two] = [path.join(kernel.home, "one"), path.join(kernel.home, "two")]
    await mkdir(one)
    await mkdir(two)
    const description = "password=hunter2hunter2"
    await kernel.ok("register_project", { path: one, title: `hfl_${"A".repeat(43)}`, description })
    const row = await kernel.store.read((tx) => tx.projects.bySlug("one"))
    expect(row).toMatchObject({
      title: "[redacted:holdfast_token]",
      description: "password=[redacted:password]",
    })
    expect(await kernel.refused("register_project", { path: two, title: "a\u001b[31m" })).toMatchObject({
      kind: "invalid_arguments",
      details: { fields: [{ path: "title", code: "format" }] },
    })
  })

  it("makes one level and a repository when asked", async () => {
    await using kernel = await startKernel()
    const made = await kernel.ok("register_project", {
      path: path.join(kernel.home, "new"),
      create: true,
      git_init: true,
    })
    expect(made).toMatchObject({ created: true, created_directory: true, git: true })
    expect((await kernel.refused("register_project", { path: path.join(kernel.home, "x") })).kind).toBe(
      "path_not_found",
    )
    expect((await kernel.refused("register_project", { path: "relative" })).kind).toBe("invalid_arguments")
    expect(await kernel.refused("register_project", { path: "/x", client_id: "elsewhere" })).toEqual({
      kind: "unknown_client_id",
      details: { known_client_ids: ["local"] },
    })
  })

  it("K44: a grant sees its own Projects only, registers none and reads no other", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    await kernel.project("b")
    expect(await slugs(kernel, {}, grant)).toEqual(["a"])
    expect(await slugs(kernel, { project: "b" }, grant)).toEqual([])
    expect((await kernel.refused("t_read", { project: "b" }, { as: grant })).kind).toBe("project_not_found")
    const refused = await kernel.refused("register_project", { path: path.join(kernel.home, "a") }, { as: grant })
    expect(refused.kind).toBe("project_access_denied")
  })
})

describe("unregister_project", () => {
  it("K28: Sessions belong to the registration, not to its name", async () => {
    await using kernel = await startKernel()
    const { home } = kernel
    await kernel.project("p")
    await mkdir(path.join(home, "q"))
    const { session_id } = await kernel.ok("start_session", { project: "p" })
    const end = (revision: number) =>
      kernel.ok("unregister_project", { project: "p", expected_revision: revision, confirm: true })
    expect(await end(1)).toEqual({ unregistered: true, already: false })
    expect(await end(1)).toEqual({ unregistered: true, already: true })
    expect((await kernel.refused("t_read", { project: "p" })).kind).toBe("project_unavailable")
    await kernel.ok("register_project", { path: path.join(home, "q"), project: "p" })
    expect(await kernel.ok("session_summary", { session_id })).toMatchObject({
      project: "p",
      project_unregistered: true,
    })
    expect((await kernel.refused("t_read", { project: "p", session_id })).kind).toBe("session_project_mismatch")
    await end(1)
    await kernel.ok("register_project", { path: path.join(home, "p"), project: "p" })
    expect(await kernel.ok("t_read", { project: "p", session_id })).toMatchObject({ project: "p" })
  })

  it("needs confirmation and the revision that was seen", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const ask = { project: "a", expected_revision: 1 }
    expect((await kernel.refused("unregister_project", { ...ask, confirm: false })).kind).toBe("confirmation_required")
    expect(await kernel.refused("unregister_project", { ...ask, expected_revision: 2, confirm: true })).toEqual({
      kind: "revision_conflict",
      details: { expected: 2, actual: 1 },
    })
  })
})

describe("list_projects", () => {
  it("pages by slug with a cursor that is bound to the filters", async () => {
    await using kernel = await startKernel()
    for (const name of ["c", "a", "b"]) await kernel.project(name)
    const first = await kernel.ok("list_projects", { limit: 2 })
    expect(first).toMatchObject({
      total: 3,
      projects: [{ project: "a", status: "available", git: false }, { project: "b" }],
    })
    expect(await slugs(kernel, { limit: 2, cursor: first.next_cursor })).toEqual(["c"])
    const other = await kernel.refused("list_projects", { limit: 2, query: "a", cursor: first.next_cursor })
    expect(other).toMatchObject({ kind: "invalid_arguments", details: { field: "cursor" } })
  })

  it("leaves out what cannot be used, when asked, and counts the rest", async () => {
    await using kernel = await startKernel()
    for (const name of ["a", "b", "c"]) await kernel.project(name)
    await rm(path.join(kernel.home, "b"), { recursive: true })
    const all = await kernel.ok("list_projects", {})
    expect(all).toMatchObject({
      total: 3,
      projects: [{ status: "available" }, { status: "missing" }, { status: "available" }],
    })
    const first = await kernel.ok("list_projects", { include_unavailable: false, limit: 1 })
    expect(first).toMatchObject({ total: 2, projects: [{ project: "a" }] })
    expect(await slugs(kernel, { include_unavailable: false, limit: 1, cursor: first.next_cursor })).toEqual(["c"])
  })
})
