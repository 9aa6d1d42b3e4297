import { rm } from "node:fs/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { storedConflicts } from "../../../adapters/runners/local/index.ts"
import { projectOverview } from "../../../core/files/overview/overview.ts"
import { overviewInputSchema, overviewOutputSchema } from "../../../core/files/overview/overview-schema.ts"
import { prepareBatch } from "../../faults/edits/batch.ts"
import { runScript } from "../../faults/edits/children.ts"
import { type ObservedProject, openObservedProject } from "./observed-project.ts"

describe("project_overview", () => {
  let project: ObservedProject
  beforeEach(async () => {
    project = await openObservedProject()
  })
  afterEach(() => project.close())

  const overview = async (input: object = {}) =>
    overviewOutputSchema.parse(
      await projectOverview(overviewInputSchema.parse({ project: "p", ...input }), project.call()),
    )

  it("names types, manifests, key files, roots and first reads, and the repository", async () => {
    await project.write({
      "package.json": "{}",
      "tsconfig.json": "{}",
      "README.md": "# p\n",
      "AGENTS.md": "x\n",
      LICENSE: "x\n",
      ".env": "S=1\n",
      ".gitignore": "dist/\n",
      "src/index.ts": "x\n",
      "src/lib/deep/file.ts": "x\n",
      "test/src/a.test.ts": "x\n",
      "docs/architecture.md": "x\n",
      ".github/workflows/ci.yml": "x\n",
      "crates/one/Cargo.toml": "x\n",
      "node_modules/a/package.json": "{}",
      "dist/package.json": "{}",
    })
    project.git("init", "-q", "-b", "main")
    const fresh = await overview()
    expect(fresh).toEqual({
      project_types: [
        { type: "node", evidence_path: "package.json" },
        { type: "typescript", evidence_path: "tsconfig.json" },
      ],
      manifests: ["package.json"],
      key_files: ["AGENTS.md", "README.md", "LICENSE", "docs/architecture.md"],
      roots: [
        { path: ".github", role: "config" },
        { path: "crates", role: "source" },
        { path: "docs", role: "docs" },
        { path: "src", role: "source" },
        { path: "src/lib", role: "source" },
        { path: "test", role: "test" },
      ],
      top_level: [
        { name: ".env", kind: "file", sensitive: true },
        { name: ".github", kind: "directory" },
        { name: ".gitignore", kind: "file" },
        { name: "AGENTS.md", kind: "file" },
        { name: "LICENSE", kind: "file" },
        { name: "README.md", kind: "file" },
        { name: "crates", kind: "directory" },
        { name: "dist", kind: "directory" },
        { name: "docs", kind: "directory" },
        { name: "node_modules", kind: "directory" },
        { name: "package.json", kind: "file" },
        { name: "src", kind: "directory" },
        { name: "test", kind: "directory" },
        { name: "tsconfig.json", kind: "file" },
      ],
      suggested_next_reads: ["AGENTS.md", "README.md", "docs/architecture.md", "package.json", "src/index.ts"],
      git: { available: true, branch: "main", clean: false },
      path_confinement: project.fs.confinement,
      scan: { entries: 20, truncated: false, skipped: { bulk: 1, ignored: 1, guard: 0 } },
    })
    expect(JSON.stringify(await overview())).toBe(JSON.stringify(fresh))
    const deep = await overview({ max_depth: 3 })
    expect(deep.project_types).toContainEqual({ type: "rust", evidence_path: "crates/one/Cargo.toml" })
    const below = await overview({ path: "crates" })
    expect(below.top_level).toEqual([{ name: "one", kind: "directory" }])
    expect(below.manifests).toEqual(["crates/one/Cargo.toml"])
  })

  it("F42: warns of an interrupted edit whose files were changed meanwhile, until its journal is removed", async () => {
    const place = { root: project.root, dataDir: `${project.home}/data` }
    prepareBatch(place)
    await runScript("killed-child.ts", [place.root, place.dataDir, "applied:11"])
    await project.write({ "old/0.txt": "mine\n" })
    await project.fs.recover()
    const { warnings } = await overview()
    expect(warnings).toHaveLength(1)
    expect(warnings?.[0]).toContain("old/0.txt, old/1.txt, ")
    expect(warnings?.[0]).toContain("old/7.txt and 4 more. ")
    const seenWith = (pathGuard: (path: string) => boolean) =>
      projectOverview(overviewInputSchema.parse({ project: "p" }), { ...project.call(), pathGuard })
    const seen = await seenWith((path) => path === "." || path.startsWith("new/2"))
    expect(seen.warnings?.[0]).toContain("meanwhile: new/2.txt. ")
    expect((await seenWith((path) => path === ".")).warnings).toBeUndefined()
    for (const { journal } of storedConflicts(place.dataDir)) await rm(journal)
    expect((await overview()).warnings).toBeUndefined()
  })

  it("says what the limit left out, and works without git", async () => {
    await project.write(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, "x"])))
    const short = await overview({ limit: 20 })
    expect(short.scan).toEqual({ entries: 20, truncated: true, skipped: { bulk: 0, ignored: 0, guard: 0 } })
    expect(short.git).toEqual({ available: false })
    await expect(overview({ path: "f1" })).rejects.toMatchObject({ kind: "not_directory" })
    await rm(project.root, { recursive: true })
    await expect(overview()).rejects.toMatchObject({ kind: "workspace_missing" })
  })
})
