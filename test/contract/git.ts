import { existsSync } from "node:fs"
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Confinement } from "../../adapters/runners/local/files/directory.ts"
import { parsePath } from "../../core/files/paths.ts"
import type { DiffFile, DiffRequest } from "../../core/git/diff.ts"
import type { Git, GitTree } from "../../core/git/git.ts"
import { observeWorkspace } from "../../core/git/workspace-facts.ts"
import { openRunnerFixture, type RunnerFixture } from "./runner-fixture.ts"

/** Opens the adapter under test over a fixture. */
export type OpenGit = (fixture: RunnerFixture, environment?: Readonly<Record<string, string>>) => Git

const DIFF: DiffRequest = {
  mode: "head",
  paths: [],
  includeUntracked: true,
  format: "hunks",
  maxBytes: 32_768,
  timeoutMs: 30_000,
}
const STATUS = { limit: 200, details: true, timeoutMs: 30_000 }
const RUN = { timeoutMs: 30_000 }

const added = (file: DiffFile | undefined): readonly string[] =>
  (file?.hunks ?? []).flatMap((hunk) => hunk.lines.filter((line) => line.startsWith("+")))

/** Every adapter of `Git` answers this one table (files-and-git.md §5). */
export function gitContract(name: string, open: OpenGit, confinement?: Confinement): void {
  describe(`git: ${name}, ${confinement ?? "as detected"}`, () => {
    let fixture: RunnerFixture
    let git: Git
    let tree: GitTree

    const commitAll = (message: string): string => {
      fixture.git("add", "-A")
      fixture.git("commit", "-qm", message)
      return fixture.git("rev-parse", "HEAD").trim()
    }
    const diff = (changes: Partial<DiffRequest> = {}) => git.diff(tree, { ...DIFF, ...changes })

    beforeEach(async () => {
      fixture = await openRunnerFixture(confinement)
      fixture.git("init", "-q", "-b", "main")
      git = open(fixture)
      tree = fixture.tree
    })
    afterEach(() => fixture.close())

    it("status names head, sides, renames, conflicts, sensitive names and counts", async () => {
      await fixture.write({ a: "1\n", b: "2\n", old: "a\nb\nc\nd\n", 'ü "q"': "x\n" })
      const head = commitAll("first: subject")
      await fixture.write({ a: "1!\n", b: "2!\n", new: "n\n", ".env": "S=1\n" })
      fixture.git("add", "b")
      fixture.git("mv", "old", "moved")
      await rm(join(fixture.root, 'ü "q"'))
      const status = await git.status(tree, STATUS)
      expect(status.head).toEqual({
        commit: head,
        branch: "main",
        detached: false,
        unborn: false,
        subject: "first: subject",
      })
      expect(status.upstream).toEqual({ status: "absent" })
      expect(status.files).toEqual([
        { path: "a", index: "unmodified", worktree: "modified" },
        { path: "b", index: "modified", worktree: "unmodified" },
        { path: "moved", old_path: "old", index: "renamed", worktree: "unmodified" },
        { path: 'ü "q"', index: "unmodified", worktree: "deleted" },
        { path: ".env", index: "unmodified", worktree: "untracked", sensitive: true },
        { path: "new", index: "unmodified", worktree: "untracked" },
      ])
      expect(status.counts).toEqual({ staged: 2, unstaged: 2, untracked: 2, conflicted: 0 })
      expect([status.clean, status.files_total, status.files_truncated, status.operation]).toEqual([
        false,
        6,
        false,
        "none",
      ])
      const short = await git.status(tree, { ...STATUS, limit: 2 })
      expect([short.files.length, short.files_total, short.files_truncated]).toEqual([2, 6, true])
    })

    it("status of an unborn, a detached and a conflicted repository, and of stashes", async () => {
      expect((await git.status(tree, STATUS)).head).toEqual({ branch: "main", detached: false, unborn: true })
      await fixture.write({ f: "base\n" })
      commitAll("base")
      fixture.git("checkout", "-qb", "other")
      await fixture.write({ f: "theirs\n" })
      commitAll("theirs")
      fixture.git("checkout", "-q", "main")
      await fixture.write({ f: "ours\n" })
      commitAll("ours")
      await fixture.write({ f: "stashed\n" })
      fixture.git("stash", "-q")
      expect(() => fixture.git("merge", "-q", "other")).toThrow()
      const conflicted = await git.status(tree, STATUS)
      expect(conflicted).toMatchObject({ operation: "merge", stash_count: 1, clean: false })
      expect(conflicted.files).toEqual([
        { path: "f", index: "unmerged", worktree: "unmerged", conflict: "both_modified" },
      ])
      expect(conflicted.counts).toEqual({ staged: 0, unstaged: 0, untracked: 0, conflicted: 1 })
      expect((await diff()).files).toEqual([{ path: "f", status: "unmerged" }])
      fixture.git("merge", "--abort")
      fixture.git("checkout", "-q", "--detach")
      expect((await git.status(tree, STATUS)).head).toMatchObject({ detached: true, unborn: false })
    })

    it("diff of HEAD and files: modes, renames, deletions, binaries, quoted names, untracked, withheld", async () => {
      await fixture.write({
        "a.txt": "1\n2\n3\n",
        gone: "bye\n",
        "tab\there": "t\n",
        'q"uote': "q\n",
        mv: "one\ntwo\nthree\nfour\n",
        script: "#!\n",
        bin: Buffer.from([0, 1, 2]),
        id_rsa: "PRIVATE\n",
      })
      commitAll("first")
      await fixture.write({ "a.txt": "1\n2!\n3", 'q"uote': "Q\n", bin: Buffer.from([0, 1, 3]) })
      await fixture.write({ id_rsa: "LEAK\n", fresh: "new\nfile", "big.bin": Buffer.alloc(10), ".env": "LEAK=1\n" })
      await rm(join(fixture.root, "gone"))
      await chmod(join(fixture.root, "script"), 0o755)
      fixture.git("mv", "mv", "moved")
      await fixture.write({ moved: "one\ntwo\nthree\nFOUR\n" })
      const page = await diff()
      expect(page.has_more).toBe(false)
      expect(page.files).toEqual([
        {
          path: "a.txt",
          status: "modified",
          insertions: 2,
          deletions: 2,
          hunks: [
            {
              old_start: 1,
              old_lines: 3,
              new_start: 1,
              new_lines: 3,
              lines: [" 1", "-2", "-3", "+2!", "+3", "\\ No newline at end of file"],
            },
          ],
        },
        { path: "bin", status: "modified", binary: true },
        {
          path: "gone",
          status: "deleted",
          insertions: 0,
          deletions: 1,
          hunks: [{ old_start: 1, old_lines: 1, new_start: 0, new_lines: 0, lines: ["-bye"] }],
        },
        { path: "id_rsa", status: "modified", withheld: "sensitive" },
        {
          path: "moved",
          old_path: "mv",
          status: "renamed",
          insertions: 1,
          deletions: 1,
          hunks: [
            {
              old_start: 1,
              old_lines: 4,
              new_start: 1,
              new_lines: 4,
              lines: [" one", " two", " three", "-four", "+FOUR"],
            },
          ],
        },
        {
          path: 'q"uote',
          status: "modified",
          insertions: 1,
          deletions: 1,
          hunks: [{ old_start: 1, old_lines: 1, new_start: 1, new_lines: 1, lines: ["-q", "+Q"] }],
        },
        {
          path: "script",
          status: "modified",
          insertions: 0,
          deletions: 0,
          mode_change: { from: "100644", to: "100755" },
        },
        { path: ".env", status: "untracked", withheld: "sensitive" },
        { path: "big.bin", status: "untracked", binary: true },
        {
          path: "fresh",
          status: "untracked",
          insertions: 2,
          deletions: 0,
          hunks: [
            {
              old_start: 0,
              old_lines: 0,
              new_start: 1,
              new_lines: 2,
              lines: ["+new", "+file", "\\ No newline at end of file"],
            },
          ],
        },
      ])
      expect(JSON.stringify(page)).not.toContain("LEAK")
      const stat = await diff({ format: "stat" })
      expect([stat.files_total, stat.insertions, stat.deletions]).toEqual([10, 6, 5])
      expect(stat.files.map((file) => file.path)).toEqual(page.files.map((file) => file.path))
      expect(stat.files.every((file) => file.hunks === undefined)).toBe(true)
    })

    it("a sensitive file leaks under no name that it had or got", async () => {
      await fixture.write({ ".env": "LEAK=1\nLEAK=2\nLEAK=3\n", plain: "shown 1\nshown 2\nshown 3\n", rest: "r\n" })
      commitAll("first")
      fixture.git("mv", ".env", "visible")
      fixture.git("mv", "plain", "server.key")
      await fixture.write({ rest: "R\n" })
      for (const mode of ["head", "staged"] as const) {
        const page = await diff({ mode })
        expect(page.files.filter((file) => file.path !== "rest")).toEqual([
          { path: "server.key", old_path: "plain", status: "renamed", withheld: "sensitive" },
          { path: "visible", old_path: ".env", status: "renamed", withheld: "sensitive" },
        ])
        expect(JSON.stringify([page, await diff({ mode, format: "stat" })])).not.toContain("LEAK")
      }
    })

    it("more changed paths than one argument list holds come in several pages", async () => {
      const names = Array.from({ length: 1500 }, (_, index) => `d/${String(index).padStart(5, "0")}`)
      await fixture.write(Object.fromEntries(names.map((path) => [path, ""])))
      commitAll("first")
      await fixture.write(Object.fromEntries(names.map((path) => [path, "x\n"])))
      await fixture.write({ untracked: "u\n" })
      const seen: string[] = []
      let page = await diff({ maxBytes: 98_304 })
      for (;;) {
        seen.push(...page.files.map((file) => file.path))
        if (page.next_continuation === undefined) break
        page = await diff({ maxBytes: 98_304, continuation: page.next_continuation })
      }
      expect(seen).toEqual([...names, "untracked"])
      const stat = await diff({ format: "stat" })
      expect([stat.files_total, stat.insertions, stat.has_more]).toEqual([1501, 1501, true])
    })

    it("worktree, staged and range compare the right sides", async () => {
      await fixture.write({ f: "one\n" })
      const first = commitAll("first")
      fixture.git("checkout", "-qb", "side")
      await fixture.write({ g: "side\n" })
      commitAll("side")
      fixture.git("checkout", "-q", "main")
      await fixture.write({ f: "two\n" })
      commitAll("second")
      await fixture.write({ f: "staged\n" })
      fixture.git("add", "f")
      await fixture.write({ f: "dirty\n", u: "u\n" })
      expect(added((await diff({ mode: "worktree" })).files[0])).toEqual(["+dirty"])
      expect((await diff({ mode: "worktree" })).files.map((file) => file.path)).toEqual(["f", "u"])
      expect((await diff({ mode: "worktree", includeUntracked: false })).files.map((file) => file.path)).toEqual(["f"])
      expect(added((await diff({ mode: "staged" })).files[0])).toEqual(["+staged"])
      expect((await diff({ mode: "staged" })).files.length).toBe(1)
      const range = await diff({ mode: "range", base: "main", head: "side" })
      expect(range.merge_base).toBe(first)
      expect(range.files.map((file) => [file.path, file.status])).toEqual([["g", "added"]])
      await expect(diff({ mode: "range", base: "main", head: "nope" })).rejects.toMatchObject({
        kind: "unknown_revision",
        details: { field: "head" },
      })
      await expect(diff({ mode: "range", base: "--output=x", head: "main" })).rejects.toMatchObject({
        kind: "invalid_arguments",
      })
    })

    it("pages cover every line once, split between hunks, and cut a hunk that is larger than a page", async () => {
      const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}`)
      const numbered = (mark: (index: number) => boolean) =>
        lines.map((line, index) => (mark(index) ? `${line} changed` : line)).join("\n")
      await fixture.write({ many: `${lines.join("\n")}\n`, tail: "t\n" })
      commitAll("first")
      await fixture.write({
        many: `${numbered((index) => index % 10 === 0)}\n`,
        big: `${lines.join("\n")}\n`,
        tail: "T\n",
      })
      fixture.git("add", "big")
      const whole = { many: { insertions: 300, deletions: 300 }, big: { insertions: 3000, deletions: 0 } }
      const seen: Record<string, string[]> = {}
      let continuation: string | undefined
      let pages = 0
      do {
        const page = await diff({ maxBytes: 8192, ...(continuation === undefined ? {} : { continuation }) })
        expect(Buffer.byteLength(JSON.stringify(page.files))).toBeLessThanOrEqual(8192)
        for (const file of page.files) {
          seen[file.path] = [...(seen[file.path] ?? []), ...added(file)]
          if (file.path === "many" || file.path === "big") expect(file).toMatchObject(whole[file.path])
          for (const hunk of file.hunks ?? []) {
            expect(hunk.new_lines).toBe(hunk.lines.filter((line) => /^[ +]/.test(line)).length)
            if (hunk.cut === true) expect(file.path).toBe("big")
          }
        }
        continuation = page.next_continuation
        expect(page.has_more).toBe(continuation !== undefined)
        expect((continuation ?? "").length).toBeLessThanOrEqual(512)
        pages += 1
      } while (continuation !== undefined && pages < 200)
      expect(seen["big"]).toEqual(lines.map((line) => `+${line}`))
      expect(seen["many"]).toEqual(lines.filter((_, index) => index % 10 === 0).map((line) => `+${line} changed`))
      expect(seen["tail"]).toEqual(["+T"])
      expect(pages).toBeGreaterThan(5)
    })

    it("a cut hunk goes on with the right line numbers", async () => {
      await fixture.write({ f: Array.from({ length: 2000 }, (_, index) => `line ${index}\n`).join("") })
      const first = await diff({ maxBytes: 4096 })
      const [hunk] = first.files[0]?.hunks ?? []
      expect(hunk).toMatchObject({ old_start: 0, new_start: 1, cut: true })
      const second = await diff({ maxBytes: 4096, continuation: first.next_continuation ?? "" })
      expect(second.files[0]?.hunks?.[0]?.new_start).toBe(1 + (hunk?.new_lines ?? 0))
      expect(second.files[0]?.hunks?.[0]?.lines[0]).toBe(`+line ${hunk?.new_lines}`)
    })

    it("a continuation is stale after a change and useless for another request", async () => {
      const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}\n`).join("")
      await fixture.write({ f: "x\n", g: "y\n" })
      commitAll("first")
      await fixture.write({ f: lines, g: lines })
      const { next_continuation: continuation = "" } = await diff({ maxBytes: 4096 })
      await expect(diff({ mode: "worktree", continuation })).rejects.toMatchObject({ kind: "invalid_arguments" })
      await expect(diff({ continuation: "nonsense" })).rejects.toMatchObject({ kind: "invalid_arguments" })
      expect((await diff({ maxBytes: 8192, continuation })).files.length).toBe(1)
      await fixture.write({ g: `${lines}more\n` })
      await expect(diff({ continuation })).rejects.toMatchObject({ kind: "snapshot_changed" })
    })

    it("F61: a path is literal, whatever it looks like", async () => {
      const names = ["*.ts", "a.ts", "b.ts", "c.ts", "d.ts", "e.ts"]
      await fixture.write(Object.fromEntries(names.map((path) => [path, "1\n"])))
      commitAll("first")
      await fixture.write(Object.fromEntries(names.map((path) => [path, "2\n"])))
      expect((await diff({ paths: [parsePath("*.ts")] })).files.map((file) => file.path)).toEqual(["*.ts"])
    })

    it("F62: a repository above the root counts only where the Project was registered so", async () => {
      await fixture.write({ "sub/a": "1\n", out: "1\n" })
      commitAll("first")
      await fixture.write({ "sub/a": "2\n", "sub/n": "n\n", out: "2\n" })
      const below: GitTree = { ...tree, root: join(fixture.root, "sub") }
      await expect(git.status(below, STATUS)).rejects.toMatchObject({
        kind: "not_git_project",
        details: { repository_above: true },
      })
      const above: GitTree = { ...below, gitAboveRoot: true }
      expect((await git.status(above, STATUS)).files.map((file) => file.path)).toEqual(["a", "n"])
      const page = await git.diff(above, DIFF)
      expect(page.files.map((file) => [file.path, added(file)])).toEqual([
        ["a", ["+2"]],
        ["n", ["+n"]],
      ])
      const stat = await git.diff(above, { ...DIFF, format: "stat", paths: [parsePath("a")] })
      expect(stat.files).toEqual([{ path: "a", status: "modified", insertions: 1, deletions: 1 }])
      await rm(join(fixture.root, ".git"), { recursive: true })
      await expect(git.status(above, STATUS)).rejects.toMatchObject({
        kind: "not_git_project",
        details: { repository_above: false },
      })
    })

    it("F55: no command of the repository's configuration runs", async () => {
      const marker = join(fixture.home, "ran")
      const script = join(fixture.home, "marker.sh")
      await writeFile(script, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 })
      await fixture.write({ "f.x": "1\n", "g.e": "1\n", h: "lost\n", ".gitattributes": "*.x diff=x\n*.e filter=e\n" })
      commitAll("first")
      const lost = fixture.git("rev-parse", "HEAD:h").trim()
      await fixture.write({ "f.x": "2\n", "g.e": "2\n", h: "2\n" })
      for (const [key, value] of [
        ["core.fsmonitor", script],
        ["core.pager", script],
        ["core.sshCommand", script],
        ["core.alternateRefsCommand", script],
        ["diff.external", script],
        ["diff.x.textconv", script],
        ["diff.x.command", script],
        ["filter.e.clean", script],
        ["filter.e.smudge", script],
        ["filter.e.process", script],
        ["filter.e.required", "true"],
        ["gpg.program", script],
        ["log.showSignature", "true"],
        ["credential.helper", script],
        ["protocol.ext.allow", "always"],
        ["remote.origin.url", `ext::${script}`],
        ["remote.origin.promisor", "true"],
        ["extensions.partialClone", "origin"],
        ["core.repositoryFormatVersion", "1"],
      ] as const) {
        fixture.git("config", key, value)
      }
      await rm(join(fixture.root, ".git/objects", lost.slice(0, 2), lost.slice(2)))
      const status = await git.status(tree, STATUS)
      expect(status.files).toContainEqual({
        path: "g.e",
        index: "unmodified",
        worktree: "modified",
        filter_suppressed: true,
      })
      await expect(diff()).rejects.toMatchObject({ kind: "git_failed" })
      const page = await diff({ paths: [parsePath("f.x"), parsePath("g.e")] })
      expect(page.files.map((file) => [file.path, file.filter_suppressed, added(file)])).toEqual([
        ["f.x", undefined, ["+2"]],
        ["g.e", true, []],
      ])
      await diff({ format: "stat", paths: [parsePath("f.x")] })
      await git.glance(tree, RUN)
      await git.baselineTree(tree, RUN)
      expect(existsSync(marker)).toBe(false)
    })

    it.each([
      ["empty", ""],
      ["of odd characters", "a.b=é]["],
      ["named like a state", "unset"],
    ])("F55: no command runs under a subsection that is %s", async (_, name) => {
      const subsection = JSON.stringify(name)
      const file = "g.d"
      const marker = join(fixture.home, "ran")
      const script = join(fixture.home, "marker.sh")
      await writeFile(script, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 })
      await fixture.write({ [file]: "1\n", ".gitattributes": `*.d filter=${name} diff=${name} merge=${name}\n` })
      commitAll("first")
      const commands = ["clean", "smudge", "process"].map((key) => `\t${key} = ${script}\n`).join("")
      const planted =
        `[filter ${subsection}]\n${commands}\trequired = true\n` +
        `[diff ${subsection}]\n\tcommand = ${script}\n\ttextconv = ${script}\n` +
        `[merge ${subsection}]\n\tdriver = ${script}\n[pager]\n\tstatus = ${script}\n\tdiff = ${script}\n`
      const config = join(fixture.root, ".git/config")
      const before = await readFile(config, "utf8")
      const observe = async () => {
        await fixture.write({ [file]: `${Math.random()}\n` })
        const status = await git.status(tree, STATUS)
        expect(status.files_total).toBeGreaterThan(0)
        await diff()
        await diff({ format: "stat" })
        await git.glance(tree, RUN)
        expect(existsSync(marker)).toBe(false)
      }
      await writeFile(config, before + planted)
      await observe()
      await writeFile(join(fixture.root, ".git/more"), planted)
      await writeFile(config, `${before}[includeIf "gitdir:**"]\n\tpath = more\n`)
      await observe()
      await writeFile(config, `${before}[extensions]\n\tworktreeConfig = true\n`)
      await writeFile(join(fixture.root, ".git/config.worktree"), planted)
      await observe()
    })

    it("F55: a command under a name that cannot be overridden byte by byte is refused, not run", async () => {
      const marker = join(fixture.home, "ran")
      const script = join(fixture.home, "marker.sh")
      await writeFile(script, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 })
      await fixture.write({ "g.d": "1\n" })
      commitAll("first")
      await writeFile(join(fixture.root, ".gitattributes"), Buffer.from("*.d filter=\xff\n", "latin1"))
      const planted = Buffer.from(`\n[filter "\xff"]\n\tclean = ${script}\n`, "latin1")
      await writeFile(join(fixture.root, ".git/config"), planted, { flag: "a" })
      await fixture.write({ "g.d": "2\n" })
      await expect(git.status(tree, STATUS)).rejects.toMatchObject({ kind: "git_failed" })
      await expect(diff()).rejects.toMatchObject({ kind: "git_failed" })
      expect(existsSync(marker)).toBe(false)
    })

    it("F55: configuration planted after a first call, also through an include, is seen", async () => {
      const marker = join(fixture.home, "ran")
      const script = join(fixture.home, "marker.sh")
      await writeFile(script, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 })
      await fixture.write({ "g.e": "1\n", ".gitattributes": "*.e filter=e\n", extra: "" })
      commitAll("first")
      fixture.git("config", "include.path", "../extra")
      await git.status(tree, STATUS)
      await fixture.write({ extra: `[filter "e"]\n\tclean = ${script}\n`, "g.e": "2\n" })
      await git.status(tree, STATUS)
      await diff()
      expect(existsSync(marker)).toBe(false)
    })

    it("a status says that it did not look into submodules", async () => {
      await fixture.write({ f: "1\n" })
      const head = commitAll("first")
      expect(await git.status(tree, STATUS)).not.toHaveProperty("submodules_unchecked")
      await fixture.write({ ".gitmodules": '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n' })
      await mkdir(join(fixture.root, "sub"))
      fixture.git("update-index", "--add", "--cacheinfo", `160000,${head},sub`)
      fixture.git("add", ".gitmodules")
      fixture.git("commit", "-qm", "submodule")
      await fixture.write({ "sub/dirty": "1\n" })
      expect(await git.status(tree, STATUS)).toMatchObject({ submodules_unchecked: 1 })
    })

    it("F56: editors, pagers, hooks and credentials never ask and never block", async () => {
      const waiting = join(fixture.home, "wait.sh")
      await writeFile(waiting, "#!/bin/sh\nsleep 60\n", { mode: 0o755 })
      await fixture.write({ f: "1\n" })
      commitAll("first")
      await mkdir(join(fixture.root, ".git/hooks"), { recursive: true })
      for (const hook of ["reference-transaction", "post-index-change", "fsmonitor-watchman", "pre-commit"]) {
        await writeFile(join(fixture.root, ".git/hooks", hook), "#!/bin/sh\nsleep 60\n", { mode: 0o755 })
      }
      await fixture.write({ f: "2\n" })
      const hostile = {
        GIT_EDITOR: waiting,
        GIT_PAGER: waiting,
        GIT_EXTERNAL_DIFF: waiting,
        GIT_DIR: "/nowhere",
        PAGER: waiting,
      }
      const steered = open(fixture, hostile)
      const from = Date.now()
      expect((await steered.status(tree, STATUS)).files_total).toBe(1)
      expect(added((await steered.diff(tree, DIFF)).files[0])).toEqual(["+2"])
      expect(Date.now() - from).toBeLessThan(20_000)
    })

    it("observing writes nothing, not even the index", async () => {
      await fixture.write({ f: "1\n" })
      commitAll("first")
      await rename(join(fixture.root, "f"), join(fixture.root, "f2"))
      await fixture.write({ f: "1\n" })
      await rm(join(fixture.root, "f2"))
      const { mtimeNs, ino } = await import("node:fs").then((fs) =>
        fs.statSync(join(fixture.root, ".git/index"), { bigint: true }),
      )
      expect((await git.status(tree, STATUS)).clean).toBe(true)
      expect((await diff()).files).toEqual([])
      const now = (await import("node:fs")).statSync(join(fixture.root, ".git/index"), { bigint: true })
      expect([now.mtimeNs, now.ino]).toEqual([mtimeNs, ino])
    })

    it("an untracked link is shown by its name only", async () => {
      await fixture.write({ target: "secret of the target\n" })
      commitAll("first")
      await symlink("target", join(fixture.root, "link"))
      await symlink("/etc/passwd", join(fixture.root, "outside"))
      expect((await diff()).files).toEqual([
        { path: "link", status: "untracked" },
        { path: "outside", status: "untracked" },
      ])
    })

    it("the baseline is HEAD's tree, or the empty tree of the repository's own format", async () => {
      expect(await git.baselineTree(tree, RUN)).toEqual({ tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904" })
      await fixture.write({ f: "1\n" })
      expect((await diff()).files.map((file) => file.status)).toEqual(["untracked"])
      fixture.git("add", "f")
      expect((await diff()).files.map((file) => file.status)).toEqual(["added"])
      commitAll("first")
      expect(await git.baselineTree(tree, RUN)).toEqual({ tree: fixture.git("rev-parse", "HEAD^{tree}").trim() })
    })

    it("workspace facts come from one status; a Project without git is available", async () => {
      await fixture.write({ a: "1\n" })
      const head = commitAll("first")
      await fixture.write({ a: "2\n", b: "u\n" })
      expect(await observeWorkspace(git, tree, RUN)).toEqual({
        status: "available",
        reason_code: null,
        branch: "main",
        head,
        detached: false,
        dirty: true,
        conflicted: false,
        ahead: null,
        behind: null,
        changed_count: 1,
        untracked_count: 1,
      })
      expect(await git.glance(tree, RUN)).toEqual({ branch: "main", head, clean: false })
      await rm(join(fixture.root, ".git"), { recursive: true })
      expect(await observeWorkspace(git, tree, RUN)).toMatchObject({
        status: "available",
        reason_code: "not_git",
        head: null,
      })
      await rm(fixture.root, { recursive: true })
      expect(await observeWorkspace(git, tree, RUN)).toMatchObject({
        status: "unavailable",
        reason_code: "workspace_missing",
      })
    })

    it("upstream: available with distances, and gone", async () => {
      await fixture.write({ a: "1\n" })
      commitAll("first")
      fixture.git("branch", "base")
      fixture.git("branch", "-q", "--set-upstream-to=base")
      await fixture.write({ a: "2\n" })
      commitAll("second")
      expect((await git.status(tree, STATUS)).upstream).toEqual({
        status: "available",
        name: "base",
        ahead: 1,
        behind: 0,
      })
      fixture.git("branch", "-qD", "base")
      expect((await git.status(tree, STATUS)).upstream).toEqual({ status: "gone", name: "base" })
    })

    it("a cancelled call ends its git at once", async () => {
      await expect(
        git.status(tree, { ...STATUS, signal: AbortSignal.abort("client_cancelled") }),
      ).rejects.toMatchObject({ kind: "cancelled" })
    })
  })
}
