import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
} from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { edit, openProject, type TestProject } from "./project.ts"

const sha256 = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex")

describe("apply_text_edits", () => {
  let project: TestProject
  beforeEach(async () => {
    project = await openProject()
  })
  afterEach(() => project.close())

  /** Applies changes that must fail, and checks that the file stays as it was. */
  const refused = async (changes: object[], untouched = "f") => {
    const before = project.trace(untouched)
    const { error } = await project.apply(changes)
    expect(project.trace(untouched)).toEqual(before)
    return error
  }

  it("F4: an edit through a link changes its target and leaves the link", async () => {
    project.write("src/a.txt", "one\n")
    symlinkSync("src/a.txt", project.path("l"))
    const { output } = await project.apply([edit("l", "one", "two")])
    expect(project.text("src/a.txt")).toBe("two\n")
    expect(readlinkSync(project.path("l"))).toBe("src/a.txt")
    expect(output?.files[0]).toMatchObject({ path: "l", resolved_path: "src/a.txt", changed: true })
  })

  it("F10: never creates anything in git's directory", async () => {
    for (const path of [".GIT/config", ".g\u200cit/x", ".git./x", "sub/.git/hooks/post-commit"]) {
      const { error } = await project.apply([{ kind: "create", path, content: "x" }])
      expect(error?.kind).toBe("protected_path")
    }
  })

  it("F12: other names of a hard-linked file keep the old bytes", async () => {
    project.write("x", "old\n")
    linkSync(project.path("x"), join(project.home, "outside"))
    const { output } = await project.apply([edit("x", "old", "new")])
    expect(output?.files[0]).toMatchObject({ hard_links: 2 })
    expect(project.text("x")).toBe("new\n")
    expect(readFileSync(join(project.home, "outside"), "utf8")).toBe("old\n")
  })

  it("F15: refuses to edit a sparse file of 10 GB", async () => {
    project.write("big", "")
    truncateSync(project.path("big"), 10 * 1024 ** 3)
    const { error } = await project.apply([edit("big", "a", "b")])
    expect(error).toMatchObject({ kind: "file_too_large", details: { limit_bytes: 32 * 1024 * 1024 } })
  })

  it("F23: bytes that are not valid UTF-8 stay", async () => {
    project.write("f", Buffer.concat([Buffer.from("const x = 1;\n// caf"), Buffer.from([0xe9, 0x0a])]))
    const { output } = await project.apply([edit("f", "x = 1", "x = 2")])
    expect(output?.files[0]?.new_sha256).toBe("a1daba75d2a59c40eec953199ea9ddef4e0862ec7d0345fc5f5350eb086437c9")
    expect(project.bytes("f").includes(0xe9)).toBe(true)
  })

  it.each([
    ["F24", "a\r\nb\nc\r\n", "b", "B", "a\r\nB\nc\r\n"],
    ["F25", "x\r\ny\r\nz\r\n", "x\ny", "x\nw\ny", "x\r\nw\r\ny\r\nz\r\n"],
    ["F26", "a\rb\nc\n", "c", "d", "a\rb\nd\n"],
    ["F26", "a\u2028b\nc\n", "c", "d", "a\u2028b\nd\n"],
    ["F27", "k = OLD;\n", "OLD", "$& $$ $' $` $1 \\n", "k = $& $$ $' $` $1 \\n;\n"],
    ["new lines take the style of the line they start in", "a\r\nb", "b", "b\nc\n", "a\r\nb\r\nc\r\n"],
    [
      "shared lines of a mixed file keep their own ends",
      "a\r\nb\nc\r\n",
      "a\nb\nc\n",
      "a\nb\nX\nc\n",
      "a\r\nb\nX\r\nc\r\n",
    ],
    ["a needle with CR LF matches LF", "a\nb\n", "a\r\nb", "c", "c\n"],
  ])("%s: %j with %j → %j", async (_, before, oldText, newText, after) => {
    project.write("f", before)
    const { error } = await project.apply([edit("f", oldText, newText)])
    expect(error).toBeUndefined()
    expect(project.text("f")).toBe(after)
  })

  it("F25: has the stated hash", async () => {
    project.write("f", "x\r\ny\r\nz\r\n")
    const { output } = await project.apply([edit("f", "x\ny", "x\nw\ny")])
    expect(output?.files[0]?.new_sha256).toMatch(/^333812b3.*fc02bc$/)
  })

  it("with newlines: exact neither matches nor writes other line ends", async () => {
    project.write("f", "a\r\nb\r\n")
    expect((await refused([edit("f", "a\nb", "x", { newlines: "exact" })]))?.kind).toBe("match_not_found")
    await project.apply([edit("f", "a\r\n", "a\n", { newlines: "exact" })])
    expect(project.text("f")).toBe("a\nb\r\n")
  })

  it("F29: edits UTF-16 by characters", async () => {
    project.write("f", Buffer.from("fffe610062000d000a00630064000d000a00", "hex"))
    await project.apply([edit("f", "cd", "é😀")])
    expect(project.bytes("f").toString("hex")).toBe("fffe610062000d000a00e9003dd800de0d000a00")
  })

  it.each([
    ["windows1251", "\xcf\xf0\xe8\n", "Пр", "Ж", "\xc6\xe8\n"],
    ["shift_jis", "\x82\xa0\x0a\x82\xa2", "い", "う", "\x82\xa0\x0a\x82\xa4"],
    ["latin1", "caf\xe9\n", "é", "è", "caf\xe8\n"],
  ])("edits %s and maps characters back to bytes", async (encoding, before, oldText, newText, after) => {
    project.write("f", Buffer.from(before, "latin1"))
    await project.apply([edit("f", oldText, newText, { encoding })])
    expect(project.bytes("f").toString("latin1")).toBe(after)
  })

  it("refuses an encoding that the file does not round-trip in, and text it cannot represent", async () => {
    project.write("f", Buffer.from("61ff62", "hex"))
    expect((await refused([edit("f", "a", "b", { encoding: "shift_jis" })]))?.kind).toBe("encoding_mismatch")
    project.write("f", "abc")
    expect(await refused([edit("f", "a", "€", { encoding: "latin1" })])).toMatchObject({
      kind: "unencodable_text",
      details: { codepoint: "U+20AC" },
    })
  })

  it("F30: says which of several matches there are", async () => {
    project.write("f", "v\nv\nv\n")
    const withEdit = (rest: object) => [
      { kind: "edit", path: "f", edits: [{ kind: "replace_exact", old_text: "v", new_text: "W", ...rest }] },
    ]
    expect(await refused(withEdit({}))).toMatchObject({
      kind: "multiple_matches",
      details: { match_count: 3, edit_index: 0, candidates: [1, 2, 3].map((n) => ({ occurrence: n, start_line: n })) },
    })
    expect((await refused(withEdit({ occurrence: 4 })))?.kind).toBe("occurrence_out_of_range")
    expect(await refused(withEdit({ occurrence: 1, all: true }))).toMatchObject({
      kind: "invalid_arguments",
      details: { field: "changes[0].edits[0].occurrence" },
    })
    await project.apply(withEdit({ occurrence: 2 }))
    expect(project.text("f")).toBe("v\nW\nv\n")
    const { output } = await project.apply(withEdit({ all: true }))
    expect(project.text("f")).toBe("W\nW\nW\n")
    expect(output?.files[0]?.edits).toEqual([{ index: 0, matches: 2, start_line: 1, end_line: 3, new_line_count: 1 }])
  })

  it("F31: no edit sees another's result", async () => {
    project.write("f", "foo\n")
    const edits = [
      { kind: "replace_exact", old_text: "foo", new_text: "bar" },
      { kind: "replace_exact", old_text: "bar", new_text: "baz" },
    ]
    expect(await refused([{ kind: "edit", path: "f", edits }])).toMatchObject({
      kind: "match_not_found",
      details: { edit_index: 1, match_count: 0 },
    })
  })

  it("F32: refuses edits that overlap", async () => {
    project.write("f", "abcdef")
    const edits = ["abc", "cde"].map((old_text) => ({ kind: "replace_exact", old_text, new_text: "x" }))
    expect(await refused([{ kind: "edit", path: "f", edits }])).toMatchObject({
      kind: "overlapping_edits",
      details: { edit_index: 1, other_edit_index: 0 },
    })
  })

  it("touching edits are allowed", async () => {
    project.write("f", "abcdef")
    const edits = ["def", "abc"].map((old_text) => ({
      kind: "replace_exact",
      old_text,
      new_text: old_text.toUpperCase(),
    }))
    await project.apply([{ kind: "edit", path: "f", edits }])
    expect(project.text("f")).toBe("ABCDEF")
  })

  it("an edit that keeps its whole text may touch another", async () => {
    project.write("f", "a\né")
    const edits = [
      { kind: "replace_exact", old_text: "é", new_text: "x" },
      { kind: "replace_exact", old_text: "a\n", new_text: "a\n" },
    ]
    await project.apply([{ kind: "edit", path: "f", edits }])
    expect(project.text("f")).toBe("a\nx")
  })

  it("an unpaired surrogate matches nothing and is never written", async () => {
    project.write("f", "a\ufffdb")
    expect((await refused([edit("f", "\ud800", "x")]))?.kind).toBe("match_not_found")
    expect(await refused([edit("f", "a", "\ud800")])).toMatchObject({
      kind: "unencodable_text",
      details: { codepoint: "U+D800" },
    })
  })

  it("F34: one stale hash stops the whole batch", async () => {
    project.write("f", "one\n")
    project.write("g", "two\n")
    const error = await refused([
      edit("f", "one", "1"),
      { kind: "create", path: "n/m/f", content: "x" },
      { kind: "replace", path: "g", content: "y", expected_sha256: "0".repeat(64) },
    ])
    expect(error).toMatchObject({
      kind: "sha256_mismatch",
      details: { actual_sha256: sha256("two\n"), change_index: 2 },
    })
    expect(project.text("g")).toBe("two\n")
    expect(existsSync(project.path("n"))).toBe(false)
  })

  it("F35: lists every failing change", async () => {
    project.write("f", "one\n")
    const error = await refused([edit("f", "absent", "1"), edit("missing", "a", "b"), edit("../x", "a", "b")])
    expect(error).toMatchObject({
      kind: "match_not_found",
      details: {
        change_index: 0,
        failures: [
          { change_index: 0, kind: "match_not_found", path: "f" },
          { change_index: 1, kind: "not_found", path: "missing" },
          { change_index: 2, kind: "invalid_path", path: "../x" },
        ],
      },
    })
  })

  it("F36: a dry run predicts the real one and changes nothing", async () => {
    project.write("f", "one\n")
    project.write("g", "two\n")
    const changes = [
      edit("f", "one", "1"),
      { kind: "create", path: "n/new.sh", content: "x\n", executable: true },
      { kind: "replace", path: "g", content: "y", expected_sha256: sha256("two\n").slice(0, 16) },
    ]
    const before = [project.trace("f"), project.trace("g")]
    const dry = await project.apply(changes, { dry_run: true, include_diff: true })
    expect(dry.output).toMatchObject({
      dry_run: true,
      planned_count: 3,
      applied_count: 0,
      changed: false,
      would_change: true,
      changed_paths: [],
    })
    expect(dry.output?.diff).toContain("--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-one\n+1\n")
    expect([project.trace("f"), project.trace("g")]).toEqual(before)
    expect(existsSync(project.path("n"))).toBe(false)
    const real = await project.apply(changes)
    expect(real.output).toMatchObject({ applied_count: 3, changed: true, changed_paths: ["f", "n/new.sh", "g"] })
    expect(real.output?.files.map(({ new_sha256 }) => new_sha256)).toEqual(
      dry.output?.files.map(({ new_sha256 }) => new_sha256),
    )
    expect(statSync(project.path("n/new.sh")).mode & 0o111).not.toBe(0)
    expect(project.text("g")).toBe("y")
  })

  it("F37: an edit that changes nothing does not touch the file", async () => {
    project.write("f", "one\n")
    const before = project.trace("f")
    const { output } = await project.apply([edit("f", "one", "one")])
    expect(output).toMatchObject({ changed: false, applied_count: 0, planned_count: 0, would_change: false })
    expect(project.trace("f")).toEqual(before)
  })

  it.each([
    ["F38: line_number_prefix", "12\tfoo\n13\tbar\n", "line_number_prefix"],
    ["trailing_whitespace", "foo  \nbar\n", "trailing_whitespace"],
    ["whitespace", "  foo\nbar", "whitespace"],
    ["case", "FOO\nbar", "case"],
  ])("%s explains a near miss", async (_, oldText, difference) => {
    project.write("f", "head\nfoo\nbar\n")
    expect(await refused([edit("f", oldText, "x")])).toMatchObject({
      kind: "match_not_found",
      details: { near: [{ start_line: 2, end_line: 3, difference }] },
    })
  })

  it("explains typographic signs and replacement characters", async () => {
    project.write("f", Buffer.concat([Buffer.from('say "hi" - now\ncaf'), Buffer.from([0xe9, 0x0a])]))
    expect(await refused([edit("f", "say “hi” – now", "x")])).toMatchObject({
      details: { near: [{ start_line: 1, difference: "unicode" }] },
    })
    expect(await refused([edit("f", "caf\ufffd", "x")])).toMatchObject({
      details: { near: [{ start_line: 2, difference: "replacement_character" }] },
    })
  })

  it("F39: an absent needle in 10 MiB", async () => {
    project.write("f", "0123456789abcde\n".repeat(655_360))
    expect(await refused([edit("f", "n".repeat(200), "x")])).toMatchObject({
      kind: "match_not_found",
      details: { match_count: 0 },
    })
  })

  it("F40: a mask is never written over a secret", async () => {
    project.write("f", "key = abc\n")
    expect((await refused([edit("f", "abc", "[redacted:API_KEY]")]))?.kind).toBe("redaction_marker")
    project.write("two", "ab\n")
    const pieces = [
      { kind: "replace_exact", old_text: "a", new_text: "[reda" },
      { kind: "replace_exact", old_text: "b", new_text: "cted:K]" },
    ]
    const together = await project.apply([{ kind: "edit", path: "two", edits: pieces }])
    expect(together.error?.kind).toBe("redaction_marker")
    project.write("half", "[redacted KEY]\n")
    expect((await refused([edit("half", " KEY", ":KEY")]))?.kind).toBe("redaction_marker")
    const create = await project.apply([{ kind: "create", path: "g", content: "[redacted:X]" }])
    expect(create.error?.kind).toBe("redaction_marker")
    project.write("doc", "A mask is [redacted:NAME].\n")
    const { output } = await project.apply([edit("doc", "A mask is", "The mask [redacted:NAME] is")])
    expect(output?.changed).toBe(true)
  })

  it("F41: two changes of one file are refused, also through a link", async () => {
    project.write("f", "x\n")
    symlinkSync("f", project.path("l"))
    expect(await refused([edit("l", "x", "y"), edit("f", "x", "z")])).toMatchObject({
      kind: "overlapping_changes",
      details: { change_index: 1, other_change_index: 0 },
    })
    const nested = [
      { kind: "create", path: "n", content: "" },
      { kind: "create", path: "N/m", content: "" },
    ]
    expect((await project.apply(nested)).error?.kind).toBe("overlapping_changes")
  })

  it("F45: keeps the mode; a mode without write bit is refused, also for root", async () => {
    project.write("run.sh", "one\n")
    chmodSync(project.path("run.sh"), 0o755)
    project.write("ro", "one\n")
    chmodSync(project.path("ro"), 0o444)
    await project.apply([edit("run.sh", "one", "two")])
    expect(lstatSync(project.path("run.sh")).mode & 0o7777).toBe(0o755)
    const { error } = await project.apply([edit("ro", "one", "two")])
    expect(error).toMatchObject({ kind: "file_access_denied", details: { reason: "read_only_mode" } })
  })

  it("refuses fields that do not belong to a kind", async () => {
    const bad = [
      { kind: "edit", path: "f" },
      { kind: "create", path: "g", content: "x", edits: [{ kind: "replace_exact", old_text: "a" }] },
      { kind: "replace", path: "g", content: "a\0b" },
    ]
    const { error } = await project.apply(bad)
    expect(error).toMatchObject({
      kind: "invalid_arguments",
      details: {
        field: "changes[0].edits",
        fields: [
          { path: "changes[0].edits", code: "required" },
          { path: "changes[1].edits", code: "conflict" },
          { path: "changes[2].expected_sha256", code: "required" },
          { path: "changes[2].content", code: "pattern" },
        ],
      },
    })
  })

  it("keeps a UTF-8 BOM outside the text", async () => {
    project.write("f", Buffer.from("efbbbf6f6e650a", "hex"))
    expect((await refused([edit("f", "\ufeffone", "x")]))?.kind).toBe("match_not_found")
    await project.apply([edit("f", "one", "two")])
    expect(project.bytes("f").toString("hex")).toBe("efbbbf74776f0a")
  })
})
