import { mkdir, readdir, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createLocalRoots } from "../../../adapters/runners/local/roots/create-local-roots.ts"
import { openTestStore } from "../ledger/stored.ts"

const rootsIn = (home: string, dataDir: string) => createLocalRoots({ home, dataDir, environment: process.env })

describe("directories of the local Runner", () => {
  it("sees directories, files, links and what is missing by their real paths", async () => {
    await using stored = await openTestStore()
    const { home, dataDir } = stored
    await mkdir(path.join(home, "real/.git"), { recursive: true })
    await writeFile(path.join(home, "file"), "")
    await symlink("real", path.join(home, "link"))
    await symlink("nowhere", path.join(home, "dangling"))
    await symlink("loop", path.join(home, "loop"))
    const { inspect } = rootsIn(home, dataDir)
    expect(await inspect(path.join(home, "link"))).toEqual({
      realPath: path.join(home, "real"),
      kind: "directory",
      git: true,
    })
    expect(await inspect(path.join(home, "file"))).toMatchObject({ kind: "other" })
    expect(await inspect(path.join(home, "dangling"))).toMatchObject({ kind: "other" })
    expect(await inspect(path.join(home, "loop"))).toMatchObject({ kind: "other" })
    expect(await inspect(path.join(home, "link/new/er"))).toEqual({
      realPath: path.join(home, "real/new/er"),
      kind: "missing",
      git: false,
    })
    expect(await inspect(path.join(home, "file/below"))).toMatchObject({ kind: "missing" })
    const long = path.join(home, "n".repeat(300))
    for (const name of [long, `${long}/x`]) {
      expect(await inspect(name)).toEqual({ realPath: name, kind: "missing", git: false })
    }
  })

  it("makes one level, and a repository when asked", async () => {
    await using stored = await openTestStore()
    const { home, dataDir } = stored
    const roots = rootsIn(home, dataDir)
    const made = await roots.create(path.join(home, "new"), { gitInit: true })
    expect(made).toEqual({ realPath: path.join(home, "new"), kind: "directory", git: true })
    expect(await readdir(path.join(home, "new"))).toEqual([".git"])
    await expect(roots.create(path.join(home, "a/b"), { gitInit: false })).rejects.toMatchObject({
      kind: "path_not_found",
    })
    expect(await readdir(home)).not.toContain("a")
    const long = roots.create(path.join(home, "n".repeat(300)), { gitInit: false })
    await expect(long).rejects.toMatchObject({ kind: "path_not_allowed" })
  })
})
