import fc from "fast-check"
import { expect, it } from "vitest"
import { LocalSearch } from "../../../adapters/runners/local/search/search.ts"
import { parsePath } from "../../../core/files/paths.ts"
import type { SearchQuery } from "../../../core/files/search/search.ts"
import { openRunnerFixture } from "../../contract/runner-fixture.ts"

const RUNS = 25

const name = fc.constantFrom("a", "b", "a-b", "x.log", "y.ts", ".hid", "node_modules", "out")
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"))
const content = fc.constantFrom(
  "needle\n",
  "a\nneedle b needle\r\nc",
  "none\n",
  "\uFEFFneedle",
  "needle\0",
  "é needle\n",
)
const rule = fc.constantFrom(
  "*.log",
  "out/",
  "/a",
  "a/b",
  "!x.log",
  "!a",
  "**/out/*",
  "node_modules",
  "b/*",
  "!b/a",
  "# no",
  ".hid",
)
const rules = fc.array(rule, { maxLength: 5 }).map((lines) => lines.join("\n"))
const glob = fc.constantFrom("*.ts", "a/**", "out", "a/*", "**/b", "{a,b}", "?", "a/b/*.log")

/** Files whose names do not clash with directories. */
const files = fc.array(fc.tuple(path, content), { minLength: 1, maxLength: 14 }).map((entries) => {
  const kept = new Map<string, string>()
  for (const [file, text] of entries) {
    const clashes = [...kept.keys()].some((other) => other.startsWith(`${file}/`) || file.startsWith(`${other}/`))
    if (!clashes) kept.set(file, text)
  }
  return kept
})

it("both backends answer the same on any tree", async () => {
  const tree = fc.record({
    files,
    ignores: fc.array(fc.tuple(fc.constantFrom("", "a/", "b/", "a/b/", "out/"), rules), { maxLength: 3 }),
    exclude: rules,
    from: fc.constantFrom(".", ".", "a", "a/b", "out"),
    include: fc.array(glob, { maxLength: 1 }),
    leaveOut: fc.array(glob, { maxLength: 2 }),
    includeIgnored: fc.boolean(),
    context: fc.nat(2),
    limit: fc.integer({ min: 1, max: 5 }),
    offset: fc.nat(3),
    mode: fc.constantFrom("matches", "files_with_matches", "count" as const),
  })
  const run = fc.asyncProperty(tree, async (made) => {
    const fixture = await openRunnerFixture()
    try {
      for (const [file, text] of made.files) await fixture.write({ [file]: text })
      for (const [directory, text] of made.ignores) {
        const isFile = made.files.has(directory.slice(0, -1)) || made.files.has("a")
        if (!isFile) await fixture.write({ [`${directory}.gitignore`]: text }).catch(() => undefined)
      }
      await fixture.write({ ".git/info/exclude": made.exclude })
      const query: SearchQuery = {
        pattern: "needle",
        literal: false,
        ignoreCase: false,
        path: parsePath(made.from),
        includeGlobs: made.include,
        excludeGlobs: made.leaveOut,
        includeIgnored: made.includeIgnored,
        resultMode: made.mode,
        limit: made.limit,
        offset: made.offset,
        contextBefore: made.context,
        contextAfter: made.context,
        timeoutMs: 20_000,
        maxBytes: 65_536,
      }
      const { fs, policyOf } = fixture
      const answers = ["auto", "native"] as const
      const [rg, native] = await Promise.all(
        answers.map((backend) =>
          new LocalSearch({ fs, policyOf, environment: process.env, backend }).search(fixture.tree, query).then(
            ({ backend: _, ...page }) => page,
            (error: unknown) => ({ error: String(error) }),
          ),
        ),
      )
      expect(native).toEqual(rg)
    } finally {
      await fixture.close()
    }
  })
  await fc.assert(run, { numRuns: RUNS })
})
