import { mkdir, symlink } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createLocalRoots } from "../../../adapters/runners/local/roots/create-local-roots.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { prepareRoot, type Registered, type Registration, registerRoot } from "../../../core/projects/register.ts"
import { unregisterProject } from "../../../core/projects/unregister.ts"
import type { Runner } from "../../../core/runners/runner.ts"
import type { Stored } from "../ledger/stored.ts"
import { openTestStore } from "../ledger/stored.ts"

const ids = createIds()

function registrar({ store, home, dataDir }: Stored) {
  const roots = createLocalRoots({ home, dataDir, environment: process.env })
  // Registration uses nothing of a Runner but its directories.
  const runner = { clientId: "local", confinement: "anchored", roots } as unknown as Runner
  const runners = { get: (id: string) => (id === "local" ? runner : undefined), ids: () => ["local"] }
  return async (name: string, over: Partial<Registration> = {}): Promise<Registered> => {
    const request: Registration = {
      clientId: "local",
      path: path.resolve(home, name),
      allowedRoots: [home],
      operator: false,
      create: false,
      gitInit: false,
      ...over,
    }
    const { facts } = await prepareRoot({ store, runners }, request)
    return await store.write((tx) => registerRoot(tx, request, { facts, ids, secrets: createSecretRegistry(), at: 1 }))
  }
}

describe("registration", () => {
  it("K29: places that are never a Project, also through a link, leave no row", async () => {
    await using stored = await openTestStore()
    const register = registrar(stored)
    await symlink("/etc", path.join(stored.home, "link"))
    await mkdir(path.join(stored.home, "p/.git/hooks"), { recursive: true })
    await mkdir(path.join(stored.home, ".ssh"))
    await symlink(path.join(stored.home, ".ssh"), path.join(stored.home, "plain"))
    for (const place of ["p/.git", "p/.git/hooks", "p/.git/new", ".ssh", "plain", "plain/x"]) {
      for (const operator of [false, true]) {
        await expect(register(place, { operator, create: true })).rejects.toMatchObject({ kind: "path_not_allowed" })
      }
    }
    for (const place of ["/", ".", "/etc/x", "data", "..", "link", "data/runner", "link/x"]) {
      await expect(register(place)).rejects.toMatchObject({ kind: "path_not_allowed" })
    }
    expect(await stored.store.read((tx) => tx.projects.count())).toBe(0)
  })

  it("K30: the same root again is the same Project; a taken name or root is refused", async () => {
    await using stored = await openTestStore()
    const register = registrar(stored)
    await mkdir(path.join(stored.home, "Two Words"))
    await mkdir(path.join(stored.home, "q"))
    const first = await register("Two Words")
    expect(first).toMatchObject({ created: true, project: { slug: "two-words", revision: 1 } })
    expect(await register("Two Words")).toEqual({ created: false, project: first.project })
    expect(await register("Two Words", { slug: "two-words" })).toMatchObject({ created: false })
    await expect(register("q", { slug: "two-words" })).rejects.toMatchObject({
      kind: "project_exists",
      details: { project: "two-words" },
    })
    await expect(register("Two Words", { slug: "other" })).rejects.toMatchObject({ details: { project: "two-words" } })
  })

  it("K28: a name used again for another root is another Project; the old root revives its own", async () => {
    await using stored = await openTestStore()
    const { store, home } = stored
    const register = registrar(stored)
    await mkdir(path.join(home, "p"))
    await mkdir(path.join(home, "q"))
    const old = (await register("p", { slug: "p" })).project
    await store.write((tx) => unregisterProject(tx, { pk: old.pk, expectedRevision: 1, at: 2 }))
    const other = (await register("q", { slug: "p" })).project
    expect(other.pk).not.toBe(old.pk)
    await store.write((tx) => unregisterProject(tx, { pk: other.pk, expectedRevision: 1, at: 3 }))
    const revived = await register("p", { slug: "p" })
    expect(revived).toMatchObject({ created: true, project: { pk: old.pk, revision: 3 } })
    expect(revived.project.unregisteredAt).toBeUndefined()
  })

  it("folders of one name get numbers", async () => {
    await using stored = await openTestStore()
    const register = registrar(stored)
    for (const place of ["a/app", "b/app", "c/app"]) await mkdir(path.join(stored.home, place), { recursive: true })
    const slugs = [await register("a/app"), await register("b/app"), await register("c/app")]
    expect(slugs.map(({ project }) => project.slug)).toEqual(["app", "app-2", "app-3"])
  })

  it("a missing folder needs create, which makes one level; a taken name makes nothing", async () => {
    await using stored = await openTestStore()
    const register = registrar(stored)
    await expect(register("new")).rejects.toMatchObject({ kind: "path_not_found" })
    await expect(register("new/er", { create: true })).rejects.toMatchObject({ kind: "path_not_found" })
    await mkdir(path.join(stored.home, "taken"))
    await register("taken")
    await expect(register("new", { create: true, slug: "taken" })).rejects.toMatchObject({ kind: "project_exists" })
    await expect(register("new")).rejects.toMatchObject({ kind: "path_not_found" })
    expect(await register("new", { create: true, gitInit: true })).toMatchObject({ created: true })
  })

  it("the operator may register outside the allowed roots, never in a forbidden place", async () => {
    await using stored = await openTestStore()
    const { home } = stored
    await mkdir(path.join(home, "out"))
    const register = registrar(stored)
    const outside = { allowedRoots: [path.join(home, "in")] }
    await expect(register("out", outside)).rejects.toMatchObject({ kind: "path_not_allowed" })
    expect(await register("out", { ...outside, operator: true })).toMatchObject({ created: true })
    for (const place of [".", "data", "/etc"]) {
      await expect(register(place, { ...outside, operator: true })).rejects.toMatchObject({ kind: "path_not_allowed" })
    }
  })

  it("an ended registration says already; another revision is refused", async () => {
    await using stored = await openTestStore()
    const { store } = stored
    await mkdir(path.join(stored.home, "p"))
    const { pk } = (await registrar(stored)("p")).project
    const end = (expectedRevision: number) =>
      store.write((tx) => unregisterProject(tx, { pk, expectedRevision, at: 2 }))
    await expect(end(7)).rejects.toMatchObject({ kind: "revision_conflict", details: { expected: 7, actual: 1 } })
    expect(await end(1)).toEqual({ unregistered: true, already: false })
    expect(await end(1)).toEqual({ unregistered: true, already: true })
  })
})
