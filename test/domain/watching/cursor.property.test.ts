import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { jobIdSchema, shellUidSchema } from "../../../core/kernel/ids.ts"
import { decodePosition, encodePosition, MAX_CURSOR, TOLD, type WatchPosition } from "../../../core/watching/cursor.ts"

const hex = (units: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: units, maxLength: units })
const offset = fc.nat({ max: 2 ** 40 })
const position: fc.Arbitrary<WatchPosition> = fc.record({
  since: fc.nat({ max: 2 ** 42 }),
  over: fc.array(hex(10), { maxLength: 20 }),
  jobs: fc.array(
    fc.record({
      jobId: hex(32).map((id) => jobIdSchema.parse(`wc_job_${id}`)),
      stdout: offset,
      stderr: offset,
      told: fc.constantFrom(...TOLD),
    }),
    { maxLength: 20 },
  ),
  shells: fc.array(
    fc
      .string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz234567"), minLength: 26, maxLength: 26 })
      .map((uid) => shellUidSchema.parse(uid)),
    { maxLength: 20 },
  ),
})

describe("the cursor of a stream", () => {
  it("names a place exactly, and fits into a request target", () => {
    fc.assert(
      fc.property(position, (place) => {
        const cursor = encodePosition(place) ?? ""
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR)
        expect(decodePosition(cursor)).toEqual(place)
      }),
    )
  })

  it("a place of very many parts has none", () => {
    const over = Array.from({ length: 1_000 }, (_, index) => index.toString(16).padStart(10, "0"))
    expect(encodePosition({ since: 1, over, jobs: [], shells: [] })).toBeUndefined()
  })

  it("nothing else is one, and nothing throws", () => {
    const packed = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
    for (const wrong of [
      "",
      "!",
      packed({}),
      packed([2, 1, [], [], []]),
      packed([1, -1, [], [], []]),
      packed([1, 1, ["x"], [], []]),
      packed([1, 1, [], [["AAAA", 0, 0, 0]], []]),
      packed([1, 1, [], [["A".repeat(22), 0, 0, 3]], []]),
      packed([1, 1, [], [], ["UPPER"]]),
      "A".repeat(MAX_CURSOR + 1),
    ]) {
      expect(decodePosition(wrong), wrong.slice(0, 40)).toBeUndefined()
    }
    fc.assert(fc.property(fc.string(), (text) => void decodePosition(text)))
    fc.assert(fc.property(fc.jsonValue(), (value) => void decodePosition(packed(value))))
  })
})
