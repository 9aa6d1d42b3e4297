import { execFileSync } from "node:child_process"
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { BatchOperation } from "../../core/files/edits/batch.ts"
import { wholeFileSink } from "../../core/files/edits/plan.ts"
import type { ProjectFs, ProjectTree } from "../../core/files/fs.ts"
import { parsePath, ROOT_PATH } from "../../core/files/paths.ts"
import { isToolError } from "../../core/kernel/error.ts"

/** A `ProjectFs` over a root that is empty at first. */
export interface ProjectFsSubject {
  readonly fs: ProjectFs
  /** A directory that nothing else uses; the root lies in it. */
  readonly home: string
  readonly tree: ProjectTree
  close(): Promise<void>
}

/** What every `ProjectFs` does (files-and-git.md §1.3, §2.1, §4.4). */
export function projectFsContract(name: string, open: () => Promise<ProjectFsSubject>): void {
  describe(`ProjectFs: ${name}`, () => {
    let subject: ProjectFsSubject
    const at = (path: string): string => join(subject.tree.root, path)
    const outside = (path: string): string => join(subject.home, "outside", path)
    const put = (path: string, content: string): void => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
    beforeEach(async () => {
      subject = await open()
      mkdirSync(outside("."))
    })
    afterEach(() => subject.close())

    /** The kind of the ToolError that work ends with, or "ok". */
    const kindOf = async (work: Promise<unknown>): Promise<string> => {
      try {
        await work
        return "ok"
      } catch (error) {
        if (isToolError(error)) return error.kind
        throw error
      }
    }
    const readBytes = (path: string, forWrite = false) =>
      subject.fs.withRoot(subject.tree, (root) =>
        root.read(parsePath(path), { limitBytes: 1_000_000, sink: wholeFileSink, forWrite }),
      )
    const readText = async (path: string): Promise<string> => Buffer.from((await readBytes(path)).content).toString()
    const apply = (operations: BatchOperation[]) =>
      subject.fs.applyBatch(subject.tree, {
        callId: "wc_call_1",
        invocationId: "wc_inv_1",
        plan: { operations },
        replan: async () => ({ operations }),
        lockWaitMs: 5000,
      })
    const creating = (path: string, content = "new\n"): BatchOperation => ({
      kind: "create",
      path: parsePath(path),
      content: Buffer.from(content),
      executable: false,
    })
    const replacing = async (path: string, content: string): Promise<BatchOperation> => ({
      kind: "replace",
      path: parsePath(path),
      content: Buffer.from(content),
      source: await readBytes(path, true),
    })
    const replace = async (path: string, content = "new\n") => apply([await replacing(path, content)])
    const create = (path: string) => apply([creating(path)])
    const temporaries = (): string[] =>
      readdirSync(subject.tree.root, { recursive: true, encoding: "utf8" }).filter((file) =>
        file.includes(".holdfast-"),
      )

    it("F3: a link to a missing place outside is neither written nor followed", async () => {
      symlinkSync(outside("new"), at("l"))
      expect(await kindOf(create("l"))).toBe("path_exists")
      expect(await kindOf(replace("l"))).toBe("path_escapes_root")
      expect(await kindOf(create("l/x"))).toBe("path_escapes_root")
      expect(existsSync(outside("new"))).toBe(false)
      expect(readlinkSync(at("l"))).toBe(outside("new"))
    })

    it("F4: a link inside is read and replaced through, and stays", async () => {
      put(at("src/a.txt"), "one\n")
      symlinkSync("src/a.txt", at("l"))
      symlinkSync("src", at("d"))
      expect(await readText("l")).toBe("one\n")
      expect((await readBytes("d/a.txt")).resolved.resolvedPath).toBe("src/a.txt")
      await replace("l")
      expect(readFileSync(at("src/a.txt"), "utf8")).toBe("new\n")
      expect(readlinkSync(at("l"))).toBe("src/a.txt")
    })

    it("F4: an absolute link to a place under the real root stays inside", async () => {
      put(at("src/a.txt"), "one\n")
      symlinkSync(at("src/a.txt"), at("l"))
      expect(await readText("l")).toBe("one\n")
    })

    it("F5: a root is no prefix of its neighbour", async () => {
      put(`${subject.tree.root}-evil/f`, "secret\n")
      symlinkSync(`${subject.tree.root}-evil/f`, at("l"))
      expect(await kindOf(readBytes("l"))).toBe("path_escapes_root")
    })

    it("F6: a hop that leaves the root is refused even if a later one returns", async () => {
      put(at("src/a"), "x")
      const rootName = subject.tree.root.split("/").at(-1) ?? ""
      symlinkSync(`../${rootName}/src`, at("d"))
      expect(await kindOf(readBytes("d/a"))).toBe("path_escapes_root")
      symlinkSync("src/../src", at("e"))
      expect(await readText("e/a")).toBe("x")
    })

    it("F7: a loop of links ends", async () => {
      symlinkSync("b", at("a"))
      symlinkSync("a", at("b"))
      expect(await kindOf(readBytes("a"))).toBe("symlink_loop")
      expect(await kindOf(create("a/x"))).toBe("symlink_loop")
    })

    it("F9: only regular files are opened, at once", async () => {
      execFileSync("mkfifo", [at("p")])
      mkdirSync(at("s"))
      symlinkSync("/dev/zero", at("z"))
      for (const forWrite of [false, true]) {
        const started = performance.now()
        expect(await kindOf(readBytes("p", forWrite))).toBe("not_regular_file")
        expect(await kindOf(readBytes("s", forWrite))).toBe("not_regular_file")
        expect(await kindOf(readBytes("z", forWrite))).toBe("path_escapes_root")
        expect(performance.now() - started).toBeLessThan(2000)
      }
    })

    it("F13: a root that was moved away is missing, and nothing appears in its place", async () => {
      renameSync(subject.tree.root, join(subject.home, "moved"))
      expect(await kindOf(readBytes("a"))).toBe("workspace_missing")
      expect(await kindOf(create("a"))).toBe("workspace_missing")
      expect(existsSync(subject.tree.root)).toBe(false)
      symlinkSync(join(subject.home, "moved"), subject.tree.root)
      expect(await kindOf(create("a"))).toBe("workspace_missing")
    })

    it("F14: names that look the same are noticed", async () => {
      put(at("cafe\u0301.txt"), "x")
      expect(await kindOf(create("caf\u00e9.txt"))).toBe("path_twin")
      const missing = await readBytes("caf\u00e9.txt").catch((error: unknown) => error)
      expect(missing).toMatchObject({ kind: "not_found", details: { did_you_mean: ["cafe\u0301.txt"] } })
      put(at("README.md"), "x")
      const free = await subject.fs.withRoot(subject.tree, (root) => root.freeName(parsePath("Readme.md")))
      expect(free.caseTwin).toBe("README.md")
    })

    it("a dangling link inside is not found, and its target is never created", async () => {
      symlinkSync("gone", at("l"))
      const error = await readBytes("l").catch((reason: unknown) => reason)
      expect(error).toMatchObject({ kind: "not_found", details: { dangling_symlink: true } })
      expect(await kindOf(create("l"))).toBe("path_exists")
      expect(await kindOf(create("l/x"))).toBe("not_found")
      expect(existsSync(at("gone"))).toBe(false)
    })

    it("never walks through git's directory or a file", async () => {
      put(at("sub/.git/config"), "x")
      symlinkSync("sub/.git", at("g"))
      put(at("f"), "x")
      expect(await kindOf(readBytes("g/config"))).toBe("protected_path")
      expect(await kindOf(readBytes("f/x"))).toBe("not_directory")
      expect(await kindOf(create("f/x"))).toBe("not_directory")
    })

    it("lists names in order of bytes, without git's own", async () => {
      for (const file of ["b", "A", ".git/x", "a/x", ".env"]) put(at(file), "")
      symlinkSync("b", at("c"))
      const names = await subject.fs.withRoot(subject.tree, (root) => root.list(ROOT_PATH))
      expect(names.map((entry) => [entry.name, entry.kind])).toEqual([
        [".env", "file"],
        ["A", "file"],
        ["a", "directory"],
        ["b", "file"],
        ["c", "symlink"],
      ])
      expect(await kindOf(subject.fs.withRoot(subject.tree, (root) => root.list(parsePath("b"))))).toBe("not_directory")
    })

    it("marks names that no tool can address", async () => {
      writeFileSync(Buffer.concat([Buffer.from(at("x")), Buffer.from([0xff])]), "")
      writeFileSync(at("a\tb"), "")
      const names = await subject.fs.withRoot(subject.tree, (root) => root.list(ROOT_PATH))
      expect(names.map(({ addressable }) => addressable)).toEqual([false, false])
    })

    it("gives child processes the root as their directory", async () => {
      put(at("here"), "x")
      const listed = await subject.fs.withRoot(subject.tree, async (root) => {
        expect(realpathSync(root.cwd)).toBe(subject.tree.root)
        return execFileSync("ls", { cwd: root.cwd, encoding: "utf8" })
      })
      expect(listed).toBe("here\n")
    })

    it("applies a batch wholly, making parents, and leaves no temporary file", async () => {
      put(at("a"), "old\n")
      const before = lstatSync(at("a")).ino
      const { results } = await apply([await replacing("a", "new\n"), creating("n/m/f"), creating("n/m/g")])
      expect(results).toHaveLength(2 + 1)
      expect(["a", "n/m/f", "n/m/g"].map((path) => readFileSync(at(path), "utf8"))).toEqual(["new\n", "new\n", "new\n"])
      expect(lstatSync(at("a")).ino).not.toBe(before)
      expect(temporaries()).toEqual([])
      expect(await subject.fs.outcomeOf("wc_inv_1")).toBe("applied")
      expect(await subject.fs.outcomeOf("wc_inv_2")).toBeUndefined()
    })

    it("F12: replacing one of several names of a file leaves the others", async () => {
      put(at("x"), "old\n")
      linkSync(at("x"), outside("y"))
      const operation = await replacing("x", "new\n")
      expect(operation.kind === "replace" && operation.source.stamp.hardLinks).toBe(2)
      await apply([operation])
      expect(readFileSync(outside("y"), "utf8")).toBe("old\n")
    })

    it("plans again when a source changed, and gives up on one that keeps changing", async () => {
      put(at("a"), "one\n")
      const stale = await replacing("a", "stale\n")
      put(at("a"), "two\n")
      let plans = 0
      await subject.fs.applyBatch(subject.tree, {
        callId: "wc_call_2",
        invocationId: "wc_inv_2",
        plan: { operations: [stale] },
        async replan(root) {
          plans += 1
          const source = await root.read(parsePath("a"), { limitBytes: 100, sink: wholeFileSink, forWrite: true })
          return { operations: [{ kind: "replace", path: parsePath("a"), content: Buffer.from("three\n"), source }] }
        },
        lockWaitMs: 5000,
      })
      expect([plans, readFileSync(at("a"), "utf8")]).toEqual([1, "three\n"])
      expect(await kindOf(apply([stale]))).toBe("changed_during_read")
      expect(readFileSync(at("a"), "utf8")).toBe("three\n")
    })
  })
}
