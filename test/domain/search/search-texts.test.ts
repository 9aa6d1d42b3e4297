import { rm } from "node:fs/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { searchInputSchema, searchOutputSchema } from "../../../core/files/search/search-schema.ts"
import { searchTexts } from "../../../core/files/search/search-texts.ts"
import { searchProjectTextsTool } from "../../../core/files/search/tools.ts"
import { type CallChanges, type ObservedProject, openObservedProject } from "../overview/observed-project.ts"

describe("search_project_texts", () => {
  let project: ObservedProject
  beforeEach(async () => {
    project = await openObservedProject()
  })
  afterEach(() => project.close())

  const inputOf = (queries: readonly object[]) => searchInputSchema.parse({ project: "p", queries })
  const search = async (queries: readonly object[], changes: CallChanges = {}) =>
    searchOutputSchema.parse(await searchTexts(inputOf(queries), project.call(changes)))

  it("answers in order; an item's error leaves the others standing", async () => {
    await project.write({ a: "one\ntwo\n" })
    const output = await search([
      { pattern: "two" },
      { pattern: "(" },
      { pattern: "one", path: "../x" },
      { pattern: "one", include_globs: ["!a"] },
      { pattern: "one", result_mode: "count" },
    ])
    expect(output.items.map((item) => item.error?.kind ?? item.returned)).toEqual([
      1,
      "invalid_pattern",
      "invalid_path",
      "invalid_glob",
      1,
    ])
    expect(output).toMatchObject({
      requested_count: 5,
      returned_count: 5,
      succeeded_count: 2,
      failed_count: 3,
      output_truncated: false,
    })
    expect(output.items[0]).toEqual({
      index: 0,
      success: true,
      matches: [{ path: "a", line: 2, column: 1, preview: "two" }],
      returned: 1,
      complete: true,
      backend: "rg",
      not_searched: ["sensitive", "ignored", "bulk"],
      effective_timeout_secs: 20,
    })
    expect(output.items[4]).toMatchObject({ files: [{ path: "a", match_count: 1 }], total_matches: 1 })
  })

  it("a match inside a secret shows the mask, also where the secret begins on another line", async () => {
    const body = "MIIEowIBAAKCAQEA1234567890abcdefghijklmnopqrstuvwxyzABCDEFGHIJ\n"
    const begin = "-----BEGIN RSA PRIVATE KEY-----\n"
    const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    await project.write({
      pem: `a\n${begin}${body.repeat(3)}-----END RSA PRIVATE KEY-----\nz\n`,
      long: `${"x ".repeat(400)}${token} needle\n`,
      plain: "needle\n",
    })
    const output = await search([
      { pattern: "MIIE", context_before: 1, context_after: 1 },
      { pattern: "abcdefghijkl", path: "long" },
      { pattern: "wxyz0123456789 needle" },
      { pattern: "needle", path: "plain" },
    ])
    const text = JSON.stringify(output)
    for (const part of ["MIIE", "ABCDEFGHIJ", "ghp_", "wxyz0123"]) expect(text).not.toContain(part)
    expect(output.items.map((item) => item.returned)).toEqual([3, 1, 1, 1])
    expect(output.items[0]?.matches?.map((match) => match.preview)).toEqual(Array(3).fill("[redacted:private_key]"))
    expect(output.items[1]?.matches?.[0]?.preview).toContain("[redacted:github_token]")
    expect(output.items[3]?.matches?.[0]).toEqual({ path: "plain", line: 1, column: 1, preview: "needle" })
  })

  it("fails as a whole when every item fails, or the workspace is gone", async () => {
    await expect(search([{ pattern: "(" }, { pattern: "[" }])).rejects.toMatchObject({
      kind: "all_items_failed",
      output: { failed_count: 2 },
    })
    await rm(project.root, { recursive: true })
    await expect(search([{ pattern: "a" }])).rejects.toMatchObject({ kind: "workspace_missing" })
  })

  it("keeps inside the reply's budget: cuts the first answer, leaves later ones out", async () => {
    await project.write({ f: `${"x".repeat(280)}\n`.repeat(900) })
    const queries = [{ pattern: "^x", limit: 1000 }, { pattern: "^x", limit: 1000 }, { pattern: "^x" }]
    const output = await search(queries, { budgetChars: 20_000 })
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(20_000)
    expect(output).toMatchObject({ returned_count: 1, output_truncated: true, next_index: 1 })
    expect(output.items[0]).toMatchObject({ complete: false, truncation_reason: "output_bytes" })
    expect(output.items[0]?.next_offset).toBe(output.items[0]?.returned)
    const wide = await search([...queries, ...queries], { budgetChars: 4_000_000 })
    expect(Buffer.byteLength(JSON.stringify(wide))).toBeLessThanOrEqual(256 * 1024)
    expect(wide.returned_count).toBe(4)
  })

  it("gives each search what the deadline leaves and says how much that was", async () => {
    await project.write({ f: "x\n" })
    const [item] = (await search([{ pattern: "x", timeout_secs: 60 }], { remainingMs: 7000 })).items
    expect(item).toMatchObject({ effective_timeout_secs: 5, complete: true })
    const [late] = (await search([{ pattern: "x" }], { remainingMs: 1000 })).items
    expect(late).toMatchObject({ effective_timeout_secs: 0, complete: false, truncation_reason: "timeout" })
  })

  it("on shutdown answers what it has, on cancel fails", async () => {
    await project.write({ f: "x\n" })
    const [item] = (await search([{ pattern: "x" }], { signal: AbortSignal.abort("shutdown") })).items
    expect(item).toMatchObject({ success: true, complete: false, truncation_reason: "timeout" })
    await expect(search([{ pattern: "x" }], { signal: AbortSignal.abort("client_cancelled") })).rejects.toMatchObject({
      kind: "cancelled",
    })
  })

  it("records the paths of returned records and counts, never pattern or text", async () => {
    await project.write({ a: "needle\nneedle\n", b: "needle\n" })
    const input = inputOf([{ pattern: "needle" }, { pattern: "needle", result_mode: "files_with_matches", limit: 1 }])
    const output = searchOutputSchema.parse(await searchTexts(input, project.call()))
    const { record } = searchProjectTextsTool
    expect(new Set(record.observedPaths?.(input, output))).toEqual(new Set(["a", "b"]))
    const facts = { ...record.input?.(input), ...record.output?.(output) }
    expect(facts).toMatchObject({ query_count: 2, record_count: 4 })
    expect(JSON.stringify(facts)).not.toContain("needle")
    expect(record.evidence?.({ output })).toEqual({ state_changed: false })
  })
})
