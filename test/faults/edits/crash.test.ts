import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { storedConflicts } from "../../../adapters/runners/local/index.ts"
import { checkChanges } from "../../../core/files/edits/changes.ts"
import {
  applyChanges,
  BATCH_FILES,
  BATCH_STEPS,
  INVOCATION,
  openFiles,
  type Place,
  prepareBatch,
  treeOf,
} from "./batch.ts"
import { runScript } from "./children.ts"

describe("a process killed in a batch of twelve files", () => {
  let home: string
  let place: Place
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "hf-crash-")))
    place = { root: join(home, "root"), dataDir: join(home, "data") }
    mkdirSync(place.root)
    prepareBatch(place)
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  const contents = (names: readonly string[]): string[] =>
    names.map((name) => (existsSync(join(place.root, name)) ? readFileSync(join(place.root, name), "utf8") : ""))
  const inodes = (): number[] => BATCH_FILES.existing.map((name) => statSync(join(place.root, name)).ino)
  const names = (): string[] => readdirSync(place.root, { recursive: true, encoding: "utf8" }).sort()

  it.each(BATCH_STEPS)("F42: after %s leaves all old or all new", async (step) => {
    const before = { inodes: inodes(), names: names() }
    const { signal, stderr } = await runScript("killed-child.ts", [place.root, place.dataDir, step])
    expect([signal, stderr]).toEqual(["SIGKILL", ""])
    const fs = openFiles(place)
    await fs.recover()
    const applied = step === "committed" || step === "cleaned"
    expect(await fs.outcomeOf(INVOCATION)).toBe(applied ? "applied" : "rolled_back")
    fs.close()
    const word = applied ? "new" : "old"
    expect(contents(BATCH_FILES.existing)).toEqual(BATCH_FILES.existing.map((name) => `${word} ${name}\n`))
    if (applied) {
      expect(contents(BATCH_FILES.fresh)).toEqual(BATCH_FILES.fresh.map((name) => `new ${name}\n`))
      expect(names().filter((name) => name.includes(".holdfast-"))).toEqual([])
    } else expect({ inodes: inodes(), names: names() }).toEqual(before)
  })

  it("F42: whoever next holds the lock settles what a dead process left", async () => {
    await runScript("killed-child.ts", [place.root, place.dataDir, "applied:5"])
    expect(contents(["old/0.txt"])).toEqual(["new old/0.txt\n"])
    const fs = openFiles(place)
    await applyChanges(fs, place, checkChanges([{ kind: "create", path: "other.txt", content: "x" }]))
    fs.close()
    expect(contents(BATCH_FILES.existing)).toEqual(BATCH_FILES.existing.map((name) => `old ${name}\n`))
    expect(names()).toEqual(["old", ...BATCH_FILES.existing, "other.txt"].sort())
  })

  it("a file that someone changed since is left, and its original is kept", async () => {
    await runScript("killed-child.ts", [place.root, place.dataDir, "applied:11"])
    writeFileSync(join(place.root, "old/0.txt"), "mine\n")
    const fs = openFiles(place)
    await fs.recover()
    expect(await fs.outcomeOf(INVOCATION)).toBe("conflict")
    const told = await fs.conflicts(treeOf(place))
    expect(told).toEqual([{ paths: [...BATCH_FILES.existing, ...BATCH_FILES.fresh] }])
    expect(await fs.conflicts({ ...treeOf(place), root: join(place.root, "old") })).toEqual([])
    fs.close()
    expect(contents(BATCH_FILES.existing.slice(0, 2))).toEqual(["mine\n", "old old/1.txt\n"])
    const edits = join(place.dataDir, "runner/edits")
    const op = readdirSync(edits).find((name) => !name.includes(".")) ?? ""
    expect(readFileSync(join(edits, op, "0.old"), "utf8")).toBe("old old/0.txt\n")
    const { paths } = told[0] ?? { paths: [] }
    expect(storedConflicts(place.dataDir)).toEqual([
      { paths, root: place.root, journal: join(edits, `${op}.json`), originals: join(edits, op) },
    ])
  })
})
