import { describe, expect, it } from "vitest"
import type { Project } from "../../core/projects/record.ts"
import type { Current } from "./store.ts"
import { aProject } from "./store-fixtures.ts"

/** Project registrations (spec kernel.md §9). */
export function projectContract(current: Current): void {
  describe("projects", () => {
    const insert = async (...projects: readonly Project[]): Promise<void> => {
      await current().store.write(async (tx) => {
        for (const project of projects) await tx.projects.insert(project)
      })
    }

    it("gives back what was stored, by pk, slug and root", async () => {
      const full = aProject("web", {
        title: "Web",
        description: "The site",
        kind: "managed_worktree",
        filePolicy: { sensitive_allow: ["*.pem"], sensitive_deny: [] },
        gitAboveRoot: true,
      })
      await insert(full, aProject("api"))
      const { store } = current()
      expect(await store.read((tx) => tx.projects.byPk(full.pk))).toEqual(full)
      expect(await store.read((tx) => tx.projects.bySlug("web"))).toEqual(full)
      expect(await store.read((tx) => tx.projects.liveByRoot("local", full.root))).toEqual(full)
      expect(await store.read((tx) => tx.projects.liveByRoot("remote", full.root))).toBeUndefined()
      expect(await store.read((tx) => tx.projects.count())).toBe(2)
    })

    it("prefers the live row of a slug, else the newest that ended", async () => {
      const old = aProject("p", { root: "/1", unregisteredAt: 10 })
      const newer = aProject("p", { root: "/2", unregisteredAt: 20 })
      const { store } = current()
      await insert(old, newer)
      expect(await store.read((tx) => tx.projects.bySlug("p"))).toEqual(newer)
      expect(await store.read((tx) => tx.projects.retired("p", "local", "/1"))).toEqual(old)
      expect(await store.read((tx) => tx.projects.retired("p", "local", "/3"))).toBeUndefined()
      const live = aProject("p", { root: "/3" })
      await insert(live)
      expect(await store.read((tx) => tx.projects.bySlug("p"))).toEqual(live)
    })

    it("allows one live row a slug and a root, any number of ended ones", async () => {
      await insert(aProject("a", { root: "/r" }), aProject("a", { root: "/r", unregisteredAt: 1 }))
      await expect(insert(aProject("a", { root: "/other" }))).rejects.toThrow()
      await expect(insert(aProject("b", { root: "/r" }))).rejects.toThrow()
      await insert(aProject("b", { root: "/r", clientId: "remote" }))
    })

    it("lists live rows by slug in pages, with the total of all pages", async () => {
      await insert(...["d", "b", "a", "c"].map((slug) => aProject(slug)), aProject("e", { unregisteredAt: 4 }))
      const { store } = current()
      const list = async (filter: { slugs?: "*" | string[]; afterSlug?: string; clientId?: string }) => {
        const found = await store.read((tx) => tx.projects.list({ slugs: "*", limit: 2, ...filter }))
        return [found.projects.map(({ slug }) => slug), found.total]
      }
      expect(await list({})).toEqual([["a", "b"], 4])
      expect(await list({ afterSlug: "b" })).toEqual([["c", "d"], 4])
      expect(await list({ slugs: ["c", "e"] })).toEqual([["c"], 1])
      expect(await list({ slugs: [] })).toEqual([[], 0])
      expect(await list({ clientId: "remote" })).toEqual([[], 0])
    })

    it("finds a literal part of slug, title or description, whatever the case of any alphabet", async () => {
      await insert(
        aProject("alpha", { title: "Ünder_100%" }),
        aProject("beta", { description: "says ALPHA" }),
        aProject("gamma"),
      )
      const { store } = current()
      const find = async (query: string, afterSlug?: string) => {
        const more = afterSlug === undefined ? {} : { afterSlug }
        const found = await store.read((tx) => tx.projects.list({ slugs: "*", limit: 1, query, ...more }))
        return [found.projects.map(({ slug }) => slug), found.total]
      }
      expect(await find("alpha")).toEqual([["alpha"], 2])
      expect(await find("alpha", "alpha")).toEqual([["beta"], 2])
      expect(await find("üNDER_")).toEqual([["alpha"], 1])
      expect(await find("0%")).toEqual([["alpha"], 1])
      expect(await find("%")).toEqual([["alpha"], 1])
    })

    it("names taken slugs by prefix, taken literally, and the live roots of a Runner", async () => {
      const [one, two] = [aProject("a_b"), aProject("a_b-2")]
      await insert(one, two, aProject("axb"), aProject("a_b-3", { unregisteredAt: 1 }))
      const { store } = current()
      expect(await store.read((tx) => tx.projects.slugsFrom("a_b"))).toEqual(["a_b", "a_b-2"])
      const roots = await store.read((tx) => tx.projects.liveRoots("local"))
      expect(roots).toContainEqual({ pk: two.pk, root: two.root })
      expect(roots).toHaveLength(3)
    })

    it("updates only the revision it was told", async () => {
      const project = aProject("a")
      await insert(project)
      const { store } = current()
      const ended = { ...project, revision: 2, unregisteredAt: 77 }
      expect(await store.write((tx) => tx.projects.update(ended, 1))).toBe(true)
      expect(await store.write((tx) => tx.projects.update({ ...project, revision: 2 }, 1))).toBe(false)
      expect(await store.read((tx) => tx.projects.byPk(project.pk))).toEqual(ended)
    })
  })
}
