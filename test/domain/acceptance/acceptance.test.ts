import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { LEFT_OUT } from "../../left-out.ts"

const tests = fileURLToPath(new URL("../..", import.meta.url))
const CASES = { K: 44, D: 69, M: 50, S: 44, J: 44, L: 61 }

/** Ids that stand first in the title of a test; a title may cite several (`D19, D20: …`). */
function citedIds(): ReadonlySet<string> {
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
  const titles = files.flatMap((name) =>
    [...readFileSync(path.join(tests, name), "utf8").matchAll(/["'`]((?:[KDMSJL]\d+[a-c]?(?:, | and )?)+):/g)].map(
      (hit) => hit[1] ?? "",
    ),
  )
  return new Set(titles.flatMap((title) => title.match(/[KDMSJL]\d+/g) ?? []))
}

const all = Object.entries(CASES).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
)
const whole = LEFT_OUT.filter(({ part }) => part === undefined).map(({ id }) => id)

describe("acceptance cases of kernel.md §17, doors.md §10, messages.md §11, sessions.md §10, exec-and-jobs.md §13 and shells.md §17", () => {
  const cited = citedIds()

  it("are each proven by a test that cites them, or left out with what brings them", () => {
    expect(all.filter((id) => !cited.has(id) && !whole.includes(id))).toEqual([])
  })

  it("are not said to be left out while a test proves them whole", () => {
    expect(whole.filter((id) => cited.has(id))).toEqual([])
  })

  it("are real cases, each listed once", () => {
    const ids = LEFT_OUT.map(({ id }) => id)
    expect(ids.filter((id) => !all.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })
})
