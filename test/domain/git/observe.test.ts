import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  diffInputSchema,
  diffOutputSchema,
  statusInputSchema,
  statusOutputSchema,
} from "../../../core/git/git-schema.ts"
import { readDiff, readStatus } from "../../../core/git/observe.ts"
import { gitDiffTool, gitStatusTool } from "../../../core/git/tools.ts"
import { type CallChanges, type ObservedProject, openObservedProject } from "../overview/observed-project.ts"

describe("git_status and git_diff", () => {
  let project: ObservedProject
  beforeEach(async () => {
    project = await openObservedProject()
  })
  afterEach(() => project.close())

  const diffInput = (input: object = {}) => diffInputSchema.parse({ project: "p", ...input })
  const diff = async (input: object = {}, changes: CallChanges = {}) =>
    diffOutputSchema.parse(await readDiff(diffInput(input), project.call(changes)))

  it("a Project without git is not_git_project", async () => {
    await expect(readStatus(statusInputSchema.parse({ project: "p" }), project.call())).rejects.toMatchObject({
      kind: "not_git_project",
      details: { repository_above: false },
    })
  })

  it("status answers by its schema and records counts", async () => {
    project.git("init", "-q")
    await project.write({ a: "1\n", id_rsa: "k\n" })
    const output = statusOutputSchema.parse(await readStatus(statusInputSchema.parse({ project: "p" }), project.call()))
    expect(output).toMatchObject({ clean: false, files_total: 2, files_truncated: false, stash_count: 0 })
    expect(gitStatusTool.record.output?.(output)).toMatchObject({ change_summary: true, untracked: 2 })
  })

  it("sides belong to range and to nothing else", async () => {
    await expect(diff({ base: "main" })).rejects.toMatchObject({
      kind: "invalid_arguments",
      details: { conflicting_fields: ["base", "mode"] },
    })
    await expect(diff({ mode: "range", base: "main" })).rejects.toMatchObject({
      kind: "invalid_arguments",
      details: { missing_fields: ["head"] },
    })
    await expect(diff({ paths: ["../x"] })).rejects.toMatchObject({ kind: "invalid_path" })
  })

  it.each([1000, 4000, 16_000, 90_000])("no line is too long for a page of %i characters", async (budgetChars) => {
    project.git("init", "-q")
    const long = { ascii: "q".repeat(300_000), escaped: '"\\\u0001'.repeat(30_000), wide: "é😀".repeat(30_000) }
    await project.write({ tracked: "x\n" })
    project.git("add", "-A")
    project.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first")
    const content = `${long.ascii}\n${long.escaped}\nshort\n${long.wide}\n`
    await project.write({ tracked: content, untracked: content })
    const lines = new Map<string, string[]>()
    let continuation: string | undefined
    for (let pages = 0; pages < 40; pages += 1) {
      const page = await diff(
        { max_bytes: 98_304, ...(continuation === undefined ? {} : { continuation }) },
        { budgetChars },
      )
      expect(page.files.length).toBeGreaterThan(0)
      expect(JSON.stringify(page).length).toBeLessThanOrEqual(budgetChars)
      for (const { path, hunks = [] } of page.files) {
        for (const hunk of hunks) {
          const cut = hunk.lines.some((text) => text.length > 1000 || text.length === 0)
          if (cut) expect(hunk.line_cut).toBe(true)
          lines.set(path, [...(lines.get(path) ?? []), ...hunk.lines])
        }
      }
      continuation = page.next_continuation
      if (continuation === undefined) break
    }
    expect(continuation).toBeUndefined()
    const begins = ["+q", '+"\\', "+shor", "+é"]
    expect(lines.get("untracked")?.map((text) => begins.findIndex((begin) => text.startsWith(begin)))).toEqual([
      0, 1, 2, 3,
    ])
    expect(lines.get("tracked")?.map((text) => begins.findIndex((begin) => text.startsWith(begin)))).toEqual([
      -1, 0, 1, 2, 3,
    ])
  })

  it("a page fits the door's budget and can be continued", async () => {
    project.git("init", "-q")
    await project.write({ f: Array.from({ length: 3000 }, (_, index) => `"line" ${index}\n`).join("") })
    const first = await diff({ max_bytes: 98_304 }, { budgetChars: 16_000 })
    expect(JSON.stringify(first).length).toBeLessThanOrEqual(16_000)
    expect(first).toMatchObject({ has_more: true, files: [{ path: "f", status: "untracked", insertions: 3000 }] })
    const second = await diff({ continuation: first.next_continuation })
    expect(second.files[0]?.hunks?.[0]?.new_start).toBe(1 + (first.files[0]?.hunks?.[0]?.new_lines ?? 0))
    expect(gitDiffTool.record.output?.(first)).toEqual({ file_count: 1, has_more: true, diff_review: true })
    expect(gitDiffTool.record.output?.(await diff({ format: "stat" }))).toMatchObject({ diff_review: false })
  })
})
