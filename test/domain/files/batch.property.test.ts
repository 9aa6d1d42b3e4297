import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import fc from "fast-check"
import { expect, it } from "vitest"
import { openProject } from "./project.ts"

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "é"), maxLength: 12 })
const name = fc.constantFrom("a", "b", "c", "d/e", "d/f")
const change = fc.oneof(
  fc.record({ kind: fc.constant("create"), path: name, content: text }),
  fc.record({
    kind: fc.constant("edit"),
    path: name,
    edits: fc.array(
      fc.record({
        kind: fc.constant("replace_exact"),
        old_text: fc.constantFrom("a", "b", "a\n", "é", "ab"),
        new_text: text,
        all: fc.boolean(),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
)

it("a random batch either changes nothing or does exactly what its dry run said", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, text, { maxKeys: 4 }),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (files, changes) => {
        const project = await openProject()
        try {
          for (const [path, content] of Object.entries(files)) project.write(path, content)
          const state = () =>
            ["a", "b", "c", "d/e", "d/f"].map((path) =>
              existsSync(project.path(path)) ? project.trace(path) : undefined,
            )
          const before = state()
          const dry = await project.apply(changes, { dry_run: true })
          expect(state()).toEqual(before)
          const real = await project.apply(changes)
          expect(real.error?.kind).toBe(dry.error?.kind)
          if (real.output === undefined) {
            expect(state()).toEqual(before)
            return
          }
          expect(real.output.files).toEqual(dry.output?.files)
          for (const file of real.output.files) expect(sha256(project.bytes(file.path))).toBe(file.new_sha256)
          const touched = new Set(real.output.changed_paths)
          for (const [index, path] of ["a", "b", "c", "d/e", "d/f"].entries()) {
            if (!touched.has(path)) expect(state()[index]).toEqual(before[index])
          }
        } finally {
          await project.close()
        }
      },
    ),
    { numRuns: 40 },
  )
})
