import fc from "fast-check"
import { expect, it } from "vitest"
import type { ChangeEntry } from "../../../core/git/change-list.ts"
import { DIFF_START, type DiffFile, type DiffPosition } from "../../../core/git/diff.ts"
import { type BuiltPage, DiffPageBuilder } from "../../../core/git/diff-page.ts"

interface Made {
  readonly entry: ChangeEntry
  readonly hunks: readonly (readonly string[])[]
}

const line = fc.tuple(fc.constantFrom(" ", "+", "-"), fc.string({ maxLength: 60 })).map((parts) => parts.join(""))
const hunks = fc.array(fc.array(line, { minLength: 1, maxLength: 30 }), { maxLength: 4 })
const made = fc
  .array(fc.tuple(fc.constantFrom("tracked", "tracked", "trace", "unmerged" as const), hunks), {
    minLength: 1,
    maxLength: 6,
  })
  .map((files) =>
    files.map(([kind, parts], index): Made => {
      const entry = { path: `f${index}`, kind, status: "modified", submodule: false, identity: "" } as const
      return { entry, hunks: kind === "tracked" ? parts : [] }
    }),
  )

const START = 10
const count = (lines: readonly string[], pattern: RegExp): number => lines.filter((text) => pattern.test(text)).length

function stream(builder: DiffPageBuilder, files: readonly Made[]): void {
  for (const { entry, hunks: parts } of files) {
    if (entry.kind !== "tracked" || parts.length === 0) continue
    const raw = { path: entry.path, status: entry.status, oldMode: "100644", newMode: "100644" }
    if (!builder.file(raw)) return
    for (const lines of parts) {
      const sizes = { oldLines: count(lines, /^[ -]/), newLines: count(lines, /^[ +]/) }
      if (!builder.hunk({ oldStart: START, newStart: START, ...sizes })) return
      for (const text of lines) if (!builder.line(text, false)) return
    }
    if (!builder.fileEnd()) return
  }
}

function page(files: readonly Made[], start: DiffPosition, maxBytes: number): BuiltPage {
  const closed = files
    .filter(({ entry }) => entry.kind === "unmerged")
    .map(({ entry }): [string, DiffFile] => [entry.path, { path: entry.path, status: entry.status }])
  const builder = new DiffPageBuilder(
    files.map(({ entry }) => entry),
    new Map(closed),
    { start, maxBytes },
  )
  stream(builder, files)
  return builder.build(files.length)
}

it("whatever the page size, the pages hold every file and line once, in order, with true line numbers", () => {
  fc.assert(
    fc.property(made, fc.integer({ min: 300, max: 3000 }), (files, maxBytes) => {
      const lines = new Map<string, string[]>()
      let start: DiffPosition | undefined = DIFF_START
      for (let pages = 0; start !== undefined; pages += 1) {
        expect(pages).toBeLessThan(400)
        const built: BuiltPage = page(files, start, maxBytes)
        if (built.files.length > 1) expect(Buffer.byteLength(JSON.stringify(built.files))).toBeLessThanOrEqual(maxBytes)
        for (const file of built.files) {
          const known = lines.get(file.path) ?? []
          for (const hunk of file.hunks ?? []) {
            expect(hunk.old_lines).toBe(count(hunk.lines, /^[ -]/))
            const whole = files.find(({ entry }) => entry.path === file.path)?.hunks ?? []
            let before = known.length
            for (const part of whole) {
              if (before < part.length) {
                expect(hunk.old_start).toBe(START + count(part.slice(0, before), /^[ -]/))
                expect(hunk.new_start).toBe(START + count(part.slice(0, before), /^[ +]/))
                break
              }
              before -= part.length
            }
            known.push(...hunk.lines)
          }
          lines.set(file.path, known)
        }
        start = built.next
      }
      const shown = files.filter(({ entry, hunks: parts }) => entry.kind === "unmerged" || parts.length > 0)
      expect([...lines]).toEqual(shown.map(({ entry, hunks: parts }) => [entry.path, parts.flat()]))
    }),
    { numRuns: 300 },
  )
})
