import { symlinkSync, truncateSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openProject, type TestProject } from "./project.ts"

describe("read_files", () => {
  let project: TestProject
  beforeEach(async () => {
    project = await openProject()
  })
  afterEach(() => project.close())

  const readOne = async (path: string, rest: object = {}, batch: object = {}) => {
    const { output, error } = await project.read([{ path, ...rest }], batch)
    return output?.items[0] ?? (error?.output as { items: object[] } | undefined)?.items[0]
  }

  it("F1: answers each bad path in its own item and fails when all do", async () => {
    const paths = ["../x", "a/../b", "/etc/passwd", "C:\\x", "file:///etc/passwd", "~/x", "a\tb"]
    const { error } = await project.read(paths.map((path) => ({ path })))
    expect(error?.kind).toBe("all_items_failed")
    expect(error?.output).toMatchObject({
      requested_count: 7,
      failed_count: 7,
      items: ["parent", "parent", "absolute", "absolute", "uri", "absolute", "control_char"].map((reason) => ({
        success: false,
        error: { kind: "invalid_path", details: { reason } },
      })),
    })
  })

  it("F2: normalises the path", async () => {
    project.write("src/a.txt", "hi\n")
    expect(await readOne("./src//a.txt")).toMatchObject({ path: "src/a.txt", text: "hi\n", total_lines: 1 })
  })

  it("F11: withholds sensitive content, also behind a link", async () => {
    project.write(".env", "A=1\n")
    project.write(".env.example", "A=\n")
    project.write("src/tokens/a.ts", "x\n")
    project.write("id_rsa.pub", "k\n")
    symlinkSync(".env", project.path("n.md"))
    const paths = [".env", ".env.example", "src/tokens/a.ts", "id_rsa.pub", "n.md"]
    const { output } = await project.read(paths.map((path) => ({ path })))
    expect(output?.items.map(({ error }) => error?.kind)).toEqual([
      "sensitive_path",
      undefined,
      undefined,
      undefined,
      "sensitive_path",
    ])
  })

  it("F15: refuses a sparse file of 10 GB from its size alone", async () => {
    project.write("big", "")
    truncateSync(project.path("big"), 10 * 1024 ** 3)
    expect(await readOne("big")).toMatchObject({
      error: { kind: "file_too_large", details: { size_bytes: 10 * 1024 ** 3, limit_bytes: 128 * 1024 * 1024 } },
    })
  })

  it("F16: returns a page, its end and the hash of the whole file", async () => {
    project.write("f", "a\nb\nc\n")
    expect(await readOne("f", { limit: 2 })).toMatchObject({
      text: "a\nb\n",
      end_line: 2,
      has_more: true,
      next: { start_line: 3, start_char: 0 },
      total_lines: 3,
      sha256: "880553fca8fcea94e325ee2cfb48e5a985cc797f39a14cc6d3cedecfeb2ae4d2",
    })
    expect(await readOne("f", { limit: 3 })).toMatchObject({ text: "a\nb\nc\n", has_more: false })
  })

  it("F17: reads an empty file", async () => {
    project.write("f", "")
    expect(await readOne("f")).toMatchObject({
      text: "",
      total_lines: 0,
      start_line: 1,
      end_line: 0,
      has_more: false,
      newline: "none",
      sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    })
  })

  it("F18: numbers lines and keeps CR", async () => {
    project.write("f", "x\r\ny\r\nz")
    expect(await readOne("f", {}, { with_line_numbers: true })).toMatchObject({
      text: "1\tx\r\n2\ty\r\n3\tz",
      format: "numbered",
      newline: "crlf",
      total_lines: 3,
    })
  })

  it("F19: shows an invalid byte and reads it in its encoding", async () => {
    project.write("f", Buffer.from("636166e90a", "hex"))
    expect(await readOne("f")).toMatchObject({ text: "caf\ufffd\n", invalid_bytes: 1, lossy: true })
    const latin = await readOne("f", { encoding: "latin1" })
    expect(latin).toMatchObject({ text: "café\n", encoding: "latin1" })
    expect(latin).not.toHaveProperty("lossy")
    expect(latin).not.toHaveProperty("invalid_bytes")
  })

  it("F20: continues a line that is longer than a page", async () => {
    const line = "x".repeat(200_000)
    project.write("f", line)
    const pages: { text?: string; line_cut?: boolean }[] = []
    let next: { start_line: number; start_char: number } | undefined = { start_line: 1, start_char: 0 }
    while (next !== undefined) {
      const { output } = await project.read([{ path: "f", ...next }])
      const item = output?.items[0]
      pages.push({ ...(item?.text ? { text: item.text } : {}), ...(item?.line_cut ? { line_cut: true } : {}) })
      next = item?.next
    }
    expect(pages.map(({ line_cut }) => line_cut)).toEqual([true, true, true, undefined])
    expect(pages.map(({ text }) => text).join("")).toBe(line)
  })

  it("F21: returns what fits and names the first item that does not", async () => {
    const text = `${"x".repeat(63)}\n`.repeat(960)
    for (let n = 0; n < 8; n += 1) project.write(`f${n}`, text)
    const { output } = await project.read([0, 1, 2, 3, 4, 5, 6, 7].map((n) => ({ path: `f${n}` })))
    expect(output).toMatchObject({ returned_count: 4, requested_count: 8, output_truncated: true, next_index: 4 })
  })

  it("cuts a first item that is too large alone, so that every call advances", async () => {
    const small = await openProject({ budgetChars: 3000 })
    small.write("f", "line\n".repeat(5000))
    const { output } = await small.read([{ path: "f" }, { path: "f" }])
    expect(output?.items).toHaveLength(1)
    expect(output?.items[0]?.has_more).toBe(true)
    expect(output?.items[0]?.end_line).toBeGreaterThan(10)
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(3000)
    expect(output?.next_index).toBe(1)
    await small.close()
  })

  it("F22: a missing item leaves the others standing, in order", async () => {
    project.write("a", "1")
    project.write("c", "3")
    const { output } = await project.read([{ path: "a" }, { path: "b" }, { path: "c" }])
    expect(output).toMatchObject({ returned_count: 3, succeeded_count: 2, failed_count: 1 })
    expect(output?.items.map(({ index, success }) => [index, success])).toEqual([
      [0, true],
      [1, false],
      [2, true],
    ])
    expect(output?.items[1]?.error?.kind).toBe("not_found")
  })

  it("detects BOMs, UTF-32 and binary files; a contradicting encoding is refused", async () => {
    project.write("u8", Buffer.from("efbbbf610a", "hex"))
    project.write("u16", Buffer.from("fffe61000a00", "hex"))
    project.write("u32", Buffer.from("fffe000061000000", "hex"))
    project.write("bin", Buffer.from("610062", "hex"))
    expect(await readOne("u8")).toMatchObject({ text: "a\n", bom: true, encoding: "utf8" })
    expect(await readOne("u16")).toMatchObject({ text: "a\n", bom: true, encoding: "utf16le", total_lines: 1 })
    expect(await readOne("u32")).toMatchObject({ error: { kind: "unsupported_encoding" } })
    expect(await readOne("bin")).toMatchObject({ error: { kind: "binary_file", details: { size_bytes: 3 } } })
    expect(await readOne("u16", { encoding: "latin1" })).toMatchObject({ error: { kind: "encoding_mismatch" } })
  })

  it("F70: the folder guard is asked with the resolved path", async () => {
    const guarded = await openProject({ guard: (path) => path.startsWith("src") })
    guarded.write("docs/a", "x")
    guarded.write("src/b", "y")
    symlinkSync("../docs/a", guarded.path("src/l"))
    const { output } = await guarded.read([{ path: "docs/a" }, { path: "src/l" }, { path: "src/b" }])
    expect(output?.items.map(({ error }) => error?.kind)).toEqual(["guard_denied", "guard_denied", undefined])
    await guarded.close()
  })
})
