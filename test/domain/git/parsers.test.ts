import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { guardOf } from "../../../adapters/runners/local/git/config-guard.ts"
import { PatchReader } from "../../../core/git/patch-reader.ts"
import { parsePorcelain } from "../../../core/git/porcelain.ts"
import { parseNumstat, parseRaw } from "../../../core/git/raw.ts"
import { checkRevision } from "../../../core/git/revision.ts"

const ID = "a".repeat(40)
const PATCH = [
  `:100644 100644 ${ID} ${ID} M\0a b\0:100644 100644 ${ID} ${ID} R090\0old\0new "q"\0:100644 000000 ${ID} ${ID} M\0unsure\0\0`,
  "diff --git a/a b b/a b\nindex 1..2 100644\n--- a/a b\n+++ b/a b\n@@ -1,2 +1,2 @@ diff --git\n same\n--- gone\n+++ come\n",
  'diff --git a/old "b/new \\"q\\""\nsimilarity index 90%\nrename from old\nrename to "new \\"q\\""\nBinary files differ\n',
].join("")

/** What a reader tells when the bytes come in pieces of the given sizes. */
function told(text: string, cuts: readonly number[]): readonly string[] {
  const said: string[] = []
  const reader = new PatchReader({
    file: (entry) => said.push(`file ${entry.oldPath ?? "-"} ${entry.path}`) > 0,
    binary: () => {
      said.push("binary")
    },
    hunk: (start) => said.push(`hunk ${start.oldStart},${start.oldLines} ${start.newStart},${start.newLines}`) > 0,
    line: (line) => said.push(line) > 0,
    fileEnd: () => said.push("end") > 0,
  })
  const bytes = Buffer.from(text)
  const at = [0, ...[...cuts].sort((a, b) => a - b), bytes.length]
  for (const [index, from] of at.slice(0, -1).entries()) reader.push(bytes.subarray(from, at[index + 1]))
  reader.end()
  return said
}

describe("parsers of git's output", () => {
  it("a patch is read the same however its bytes are cut, and content never passes for a header", () => {
    const whole = [
      "file - a b",
      "hunk 1,2 1,2",
      " same",
      "--- gone",
      "+++ come",
      "end",
      'file old new "q"',
      "binary",
      "end",
    ]
    expect(told(PATCH, [])).toEqual(whole)
    const cuts = fc.array(fc.nat(Buffer.byteLength(PATCH)), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (at) => {
        expect(told(PATCH, at)).toEqual(whole)
      }),
    )
  })

  it("a porcelain status keeps names with spaces, and drops a record that was cut", () => {
    const text =
      `# branch.oid ${ID}\0# branch.head (detached)\0# branch.ab +2 -1\0` +
      `1 .M N... 100644 100644 100644 ${ID} ${ID} a b\0` +
      `2 R. S..U 100644 100644 100644 ${ID} ${ID} R100 to\0from x\0` +
      `u UD N... 100644 100644 000000 100644 ${ID} ${ID} ${ID} c\0? u\0? cu`
    const { entries, ...head } = parsePorcelain(text)
    expect(head).toEqual({ head: ID, ahead: 2, behind: 1 })
    expect(entries.map(({ identity: _, ...entry }) => entry)).toEqual([
      { path: "a b", index: "unmodified", worktree: "modified", submodule: false },
      { path: "to", oldPath: "from x", index: "renamed", worktree: "unmodified", submodule: true },
      { path: "c", index: "unmerged", worktree: "unmerged", conflict: "deleted_by_them", submodule: false },
      { path: "u", index: "unmodified", worktree: "untracked", submodule: false },
    ])
  })

  it("raw records and counts keep renames and binaries apart", () => {
    expect(parseRaw(PATCH).map(({ path, oldPath, status }) => [path, oldPath, status])).toEqual([
      ["a b", undefined, "modified"],
      ['new "q"', "old", "renamed"],
      ["unsure", undefined, "modified"],
    ])
    expect(parseNumstat("1\t2\ta b\0-\t-\tbin\x003\t0\t\0old\0new\0")).toEqual([
      { path: "a b", insertions: 1, deletions: 2 },
      { path: "bin" },
      { path: "new", oldPath: "old", insertions: 3, deletions: 0 },
    ])
  })

  it("a revision can never be read as an option or leave its grammar", () => {
    expect(checkRevision("base", "HEAD~2^{tree}")).toBe("HEAD~2^{tree}")
    for (const text of ["-x", "--output=x", "a b", "a:b", "", "ä", "a\n", "x".repeat(201)]) {
      expect(() => checkRevision("base", text)).toThrow(expect.objectContaining({ kind: "invalid_arguments" }))
    }
  })

  it("only keys of the repository's own scopes that name commands are overridden", () => {
    const listing = [
      "system",
      "filter.lfs.clean",
      "global",
      "filter.lfs.process",
      "local",
      "filter.x.y.smudge",
      "local",
      "diff.Z.textconv",
      "worktree",
      "credential.https://h.helper",
      "local",
      "user.name",
      "local",
      "includeif.gitdir:/x.path",
      "",
    ].join("\0")
    const guard = guardOf({ text: listing, cut: false })
    expect(guard.overrides).toEqual([
      ["filter.x.y.smudge", ""],
      ["diff.Z.textconv", ""],
      ["credential.https://h.helper", ""],
      ["filter.x.y.required", "false"],
    ])
    expect([...guard.suppressedFilters]).toEqual(["x.y"])
    expect(guard.includes).toBe(true)
  })
})
