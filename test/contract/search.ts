import { spawn } from "node:child_process"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Confinement } from "../../adapters/runners/local/files/directory.ts"
import type { ProjectTree } from "../../core/files/fs.ts"
import { parsePath } from "../../core/files/paths.ts"
import type { ProjectSearch, SearchQuery } from "../../core/files/search/search.ts"
import { isToolError } from "../../core/kernel/error.ts"
import { openRunnerFixture, type RunnerFixture } from "./runner-fixture.ts"

/** Opens the backend under test over a fixture. */
export type OpenSearch = (fixture: RunnerFixture) => ProjectSearch

const QUERY: SearchQuery = {
  pattern: "needle",
  literal: false,
  ignoreCase: false,
  path: parsePath("."),
  includeGlobs: [],
  excludeGlobs: [],
  includeIgnored: false,
  resultMode: "matches",
  limit: 100,
  offset: 0,
  contextBefore: 0,
  contextAfter: 0,
  timeoutMs: 20_000,
  maxBytes: 64 * 1024,
}

/** Every backend of `ProjectSearch` answers this one table (files-and-git.md §3). */
export function searchContract(backend: "rg" | "native", open: OpenSearch, confinement?: Confinement): void {
  describe(`search: ${backend}, ${confinement ?? "as detected"}`, () => {
    let fixture: RunnerFixture
    let search: ProjectSearch
    const run = (changes: Partial<SearchQuery> = {}, tree: ProjectTree = fixture.tree) =>
      search.search(tree, { ...QUERY, ...changes })
    /** `checked` has the race that documentation names. */
    const raced = (title: string, test: () => Promise<void>): void => {
      if (confinement !== "checked") it(title, test)
    }
    const pathsOf = async (changes: Partial<SearchQuery> = {}) =>
      (await run({ resultMode: "files_with_matches", ...changes })).files?.map((file) => file.path)

    beforeEach(async () => {
      fixture = await openRunnerFixture(confinement)
      search = open(fixture)
    })
    afterEach(() => fixture.close())

    raced("a directory exchanged with a link to outside never lets text in", async () => {
      const outside = join(fixture.home, "outside")
      await mkdir(outside)
      await writeFile(join(outside, "s"), "OUTSIDE\n")
      await fixture.write({ "dd/in": "inside\n" })
      await symlink(outside, join(fixture.root, "ll"))
      const program =
        "import ctypes, time, sys\nlibc = ctypes.CDLL(None)\nend = time.time() + 3\n" +
        "while time.time() < end: libc.renameat2(-100, b'dd', -100, b'll', 2)"
      const swapping = spawn("python3", ["-c", program], { cwd: fixture.root, stdio: "ignore" })
      const ended = new Promise((resolve) => swapping.once("close", resolve))
      const ends = new Set<string>()
      for (const until = performance.now() + 3000; performance.now() < until; await setImmediate()) {
        for (const path of ["dd", "dd/s"]) {
          const end = await run({ pattern: "OUTSIDE", path: parsePath(path) }).then(
            (page) => `${page.returned} found`,
            (error: unknown) => (isToolError(error) ? error.kind : "fault"),
          )
          ends.add(end)
        }
      }
      await ended
      const wrong = [...ends].filter((end) => (end.endsWith(" found") && end !== "0 found") || end === "fault")
      expect(wrong).toEqual([])
    })

    it("F51: hidden and UTF-16 files are searched, ignored, bulk, sensitive and binary ones are not", async () => {
      await fixture.write({
        ".gitignore": "ign/\n",
        ".hid/h": "a needle\n",
        "ign/x": "needle\n",
        "node_modules/y": "needle\n",
        ".env": "needle\n",
        "bin.dat": Buffer.from("needle\n\0needle\n"),
        "late.dat": Buffer.concat([Buffer.from("needle\n".repeat(40_000)), Buffer.from([0])]),
        "wide.txt": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("ä needle\n", "utf16le")]),
        "wide-be.txt": Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from("ä needle\n", "utf16le").swap16()]),
      })
      const page = await run()
      expect(page.matches?.map((match) => [match.path, match.line, match.column])).toEqual([
        [".hid/h", 1, 3],
        ["wide-be.txt", 1, 3],
        ["wide.txt", 1, 3],
      ])
      expect(page.not_searched).toEqual(["sensitive", "ignored", "bulk"])
      expect(page.backend).toBe(backend)
      const all = await run({ includeIgnored: true })
      expect(all.matches?.map((match) => match.path)).toEqual([
        ".hid/h",
        "ign/x",
        "node_modules/y",
        "wide-be.txt",
        "wide.txt",
      ])
      expect(all.not_searched).toEqual(["sensitive"])
    })

    it("F52: patterns outside the linear dialect are invalid_pattern", async () => {
      await fixture.write({ a: "foobar\n" })
      for (const pattern of ["foo(?=bar)", "[", "(a)\\1", "a\\nb"]) {
        await expect(run({ pattern })).rejects.toMatchObject({ kind: "invalid_pattern" })
      }
    })

    it("F53: pages have no gap and no repeat", async () => {
      const lines = Array.from({ length: 50 }, (_, index) => `needle ${index}\n`).join("")
      await fixture.write({ "a/one": lines, "a-two": lines, b: lines })
      const first = await run({ limit: 100 })
      const second = await run({ limit: 100, offset: 100 })
      expect([first.returned, first.complete, first.next_offset, first.truncation_reason]).toEqual([
        100,
        false,
        100,
        "limit",
      ])
      expect([second.returned, second.complete, second.next_offset]).toEqual([50, true, undefined])
      const seen = [...(first.matches ?? []), ...(second.matches ?? [])].map((match) => `${match.path}:${match.line}`)
      expect(new Set(seen).size).toBe(150)
      expect(seen[0]).toBe("a/one:1")
      expect(seen[50]).toBe("a-two:1")
      expect(seen[149]).toBe("b:50")
    })

    it("F54: a long line is shown round its match", async () => {
      const half = "😀".repeat(256 * 1024)
      await fixture.write({ long: `${half}needle${half}\n` })
      const [match] = (await run()).matches ?? []
      expect([...(match?.preview ?? "")].length).toBeLessThanOrEqual(300)
      expect(match?.preview).toContain("needle")
      expect(match?.preview_cut).toBe(true)
      expect(match?.column).toBe(256 * 1024 + 1)
    })

    it("shows context lines, also shared ones, without line ends", async () => {
      await fixture.write({ f: "1\r\n2\r\nneedle a\r\nneedle b\r\n5\r\n6\r\n7\r\n" })
      const { matches } = await run({ contextBefore: 1, contextAfter: 2 })
      expect(matches).toEqual([
        { path: "f", line: 3, column: 1, preview: "needle a", before: ["2"], after: ["needle b", "5"] },
        { path: "f", line: 4, column: 1, preview: "needle b", before: ["needle a"], after: ["5", "6"] },
      ])
    })

    it("counts matching lines, and says the total only when complete", async () => {
      await fixture.write({ a: "needle needle\nneedle\n", b: "needle\n", c: "none\n" })
      expect(await run({ resultMode: "count" })).toMatchObject({
        files: [
          { path: "a", match_count: 2 },
          { path: "b", match_count: 1 },
        ],
        complete: true,
        total_matches: 3,
      })
      const part = await run({ resultMode: "count", limit: 1 })
      expect(part).toMatchObject({ returned: 1, complete: false, next_offset: 1 })
      expect(part.total_matches).toBeUndefined()
    })

    it("applies nested ignore files and info/exclude, and forgets the rules that ignore an explicit path", async () => {
      await fixture.write({
        ".git/info/exclude": "secret-notes\n",
        ".git/HEAD": "needle\n",
        ".gitignore": "*.log\nout/\n",
        "sub/.gitignore": "!keep.log\nlocal\n",
        "sub/keep.log": "needle\n",
        "sub/other.log": "needle\n",
        "sub/local/x": "needle\n",
        "sub/deep/local": "needle\n",
        "out/a": "needle\n",
        "out/b.log": "needle\n",
        ".ignore": "plain\n",
        ".rgignore": "plain\n",
        plain: "needle\n",
        "secret-notes": "needle\n",
        "secret-notes2": "needle\n",
      })
      expect(await pathsOf()).toEqual(["plain", "secret-notes2", "sub/keep.log"])
      expect(await pathsOf({ path: parsePath("sub") })).toEqual(["sub/keep.log"])
      expect(await pathsOf({ path: parsePath("out") })).toEqual(["out/a"])
      expect(await pathsOf({ path: parsePath("sub/other.log") })).toEqual(["sub/other.log"])
      expect((await run({ path: parsePath("out/a") })).not_searched).toEqual([])
    })

    it("globs are relative to the root, by base name without a slash, and refuse a leading !", async () => {
      await fixture.write({
        "a.ts": "needle\n",
        "src/b.ts": "needle\n",
        "src/gen/c.ts": "needle\n",
        "src/gen/d.js": "needle\n",
        "docs/gen/e.ts": "needle\n",
      })
      expect(await pathsOf({ includeGlobs: ["*.ts"] })).toEqual(["a.ts", "docs/gen/e.ts", "src/b.ts", "src/gen/c.ts"])
      expect(await pathsOf({ includeGlobs: ["src/*.ts"] })).toEqual(["src/b.ts"])
      expect(await pathsOf({ includeGlobs: ["src/**/*.{js,ts}"] })).toEqual([
        "src/b.ts",
        "src/gen/c.ts",
        "src/gen/d.js",
      ])
      expect(await pathsOf({ excludeGlobs: ["gen"] })).toEqual(["a.ts", "src/b.ts"])
      expect(await pathsOf({ excludeGlobs: ["src/gen"] })).toEqual(["a.ts", "docs/gen/e.ts", "src/b.ts"])
      expect(await pathsOf({ includeGlobs: ["*.ts"], path: parsePath("src") })).toEqual(["src/b.ts", "src/gen/c.ts"])
      await expect(run({ includeGlobs: ["!x"] })).rejects.toMatchObject({
        kind: "invalid_glob",
        details: { reason: "negated" },
      })
    })

    it("searches a bulk tree that path names, and never a protected one", async () => {
      await fixture.write({ "node_modules/p/x": "needle\n", "node_modules/p/node_modules/q": "needle\n" })
      await fixture.write({ ".git/config": "needle\n", "sub/.git/config": "needle\n", "sub/.GIT/x": "needle\n" })
      expect(await pathsOf({ path: parsePath("node_modules/p") })).toEqual([
        "node_modules/p/node_modules/q",
        "node_modules/p/x",
      ])
      expect(await pathsOf({ includeIgnored: true })).toEqual(["node_modules/p/node_modules/q", "node_modules/p/x"])
      await expect(run({ path: parsePath(".git") })).rejects.toMatchObject({ kind: "protected_path" })
    })

    it("follows no link below the path, but a path that is one", async () => {
      await fixture.write({ "src/a": "needle\n" })
      await symlink("src", join(fixture.root, "link"))
      await symlink("src/a", join(fixture.root, "file"))
      await symlink(fixture.home, join(fixture.root, "outside"))
      expect(await pathsOf()).toEqual(["src/a"])
      expect(await pathsOf({ path: parsePath("link") })).toEqual(["link/a"])
      expect(await pathsOf({ path: parsePath("file") })).toEqual(["file"])
      await expect(run({ path: parsePath("outside") })).rejects.toMatchObject({ kind: "path_escapes_root" })
      await expect(run({ path: parsePath("nowhere") })).rejects.toMatchObject({ kind: "not_found" })
    })

    it("takes a pattern literally when asked, in any case when asked, and never as an option", async () => {
      await fixture.write({ f: "a.b\naxb\nNEEDLE\n--files\n" })
      const linesOf = async (changes: Partial<SearchQuery>) => (await run(changes)).matches?.map((match) => match.line)
      expect(await linesOf({ pattern: "a.b" })).toEqual([1, 2])
      expect(await linesOf({ pattern: "a.b", literal: true })).toEqual([1])
      expect(await linesOf({ ignoreCase: true })).toEqual([3])
      expect(await linesOf({ pattern: "A.B", literal: true, ignoreCase: true })).toEqual([1])
      expect(await linesOf({ pattern: "--files" })).toEqual([4])
      expect(await linesOf({ pattern: "^a.b$" })).toEqual([1, 2])
    })

    it("shows invalid bytes as U+FFFD and ignores a UTF-8 byte order mark", async () => {
      await fixture.write({
        latin: Buffer.from("caf\xe9 needle\n", "latin1"),
        marked: Buffer.from("\uFEFFneedle\n"),
      })
      expect((await run()).matches).toEqual([
        { path: "latin", line: 1, column: 6, preview: "caf\uFFFD needle" },
        { path: "marked", line: 1, column: 1, preview: "needle" },
      ])
      expect((await run({ pattern: "^needle" })).matches?.map((match) => match.path)).toEqual(["marked"])
    })

    it("a timeout returns what there is", async () => {
      await fixture.write({ a: "needle\n" })
      const page = await run({ timeoutMs: 0 })
      expect([page.complete, page.truncation_reason]).toEqual([false, "timeout"])
    })

    it("stops at the bytes of a page and goes on behind them", async () => {
      const line = `needle ${"x".repeat(280)}\n`
      await fixture.write({ a: line.repeat(40) })
      const first = await run({ maxBytes: 4096 })
      expect(first).toMatchObject({ complete: false, truncation_reason: "output_bytes", next_offset: first.returned })
      expect(Buffer.byteLength(JSON.stringify(first.matches))).toBeLessThanOrEqual(4096)
      const rest = await run({ offset: first.returned })
      expect(first.returned + rest.returned).toBe(40)
      expect(rest.matches?.[0]?.line).toBe(first.returned + 1)
    })

    it("asks the folder guard for every file and says so", async () => {
      await fixture.write({ "src/a": "needle\n", "docs/b": "needle\n" })
      const tree: ProjectTree = { ...fixture.tree, guard: (path) => path.startsWith("src") }
      const page = await run({}, tree)
      expect(page.matches?.map((match) => match.path)).toEqual(["src/a"])
      expect(page.not_searched).toContain("guard")
      await expect(run({ path: parsePath("docs") }, tree)).rejects.toMatchObject({ kind: "guard_denied" })
    })

    it("honours the operator's lists: deny beats allow beats the built-in list", async () => {
      await fixture.write({ "a.key": "needle\n", "b.key": "needle\n", notes: "needle\n" })
      const filePolicy = { sensitive_allow: ["*.key"], sensitive_deny: ["b.*", "notes"] }
      const page = await run({}, { ...fixture.tree, filePolicy })
      expect(page.matches?.map((match) => match.path)).toEqual(["a.key"])
    })
  })
}
