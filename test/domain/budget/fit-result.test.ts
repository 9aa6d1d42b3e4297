import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { fitResult } from "../../../core/kernel/budget/fit-result.ts"
import { worstCase } from "../../../core/kernel/budget/worst-case.ts"
import type { Reduction } from "../../../core/kernel/definition.ts"
import type { ToolResult } from "../../../core/kernel/result.ts"

const length = (value: unknown): number => JSON.stringify(value).length

describe("output budget", () => {
  it("K21: a text of 100,000 × U+0000 is cut to the limit, head and tail kept, the report says so", () => {
    const text = `HEAD${"\0".repeat(99_992)}TAIL`
    const { result, cut } = fitResult(
      { success: true, output: { text } },
      { limit: 90_000, reduce: [{ at: "text", kind: "text", min: 500 }] },
    )
    expect(length(result)).toBeLessThanOrEqual(90_000)
    expect(length(result)).toBeGreaterThan(89_900)
    expect(result.attached?.budget).toEqual({ limit_chars: 90_000, cut })
    expect(cut).toEqual([{ at: "text", unit: "characters", total: 100_000, kept: expect.any(Number) }])
    const kept = cut[0]?.kept ?? 0
    const shown = z.object({ text: z.string() }).parse(result.output).text
    expect(shown.startsWith("HEAD\0")).toBe(true)
    expect(shown.endsWith("\0TAIL")).toBe(true)
    const [head = "", tail = ""] = shown.split(`\n[… ${100_000 - kept} characters left out …]\n`)
    expect(head.length + tail.length).toBe(kept)
    expect(head.length).toBe(Math.floor(kept * 0.4))
  })

  it("K21: leaves a result that fits as it is", () => {
    const result: ToolResult = { success: true, output: { text: "x".repeat(100) } }
    const limit = length(result)
    expect(fitResult(result, { limit, reduce: [{ at: "text", kind: "text", min: 1 }] })).toEqual({ result, cut: [] })
  })

  it("cuts between grapheme clusters", () => {
    const family = "👨‍👩‍👧‍👦"
    const { result } = fitResult(
      { success: true, output: { text: family.repeat(1000) } },
      { limit: 2000, reduce: [{ at: "text", kind: "text", min: 10 }] },
    )
    const shown = z.object({ text: z.string() }).parse(result.output).text
    expect(shown).toMatch(new RegExp(`^(?:${family})+\n\\[… \\d+ characters left out …\\]\n(?:${family})+$`))
  })

  it("drops list items from the end and says truncated and returned, or the list's own such members", () => {
    const reduce: Reduction[] = [{ at: "items", kind: "list", min: 1 }]
    const items = Array.from({ length: 100 }, (_, id) => ({ id, text: "x".repeat(100) }))
    const { result, cut } = fitResult({ success: true, output: { items } }, { limit: 3000, reduce })
    const output = z.object({ items: z.array(z.any()), truncated: z.boolean(), returned: z.int() }).parse(result.output)
    expect(output.truncated).toBe(true)
    expect(output.items).toEqual(items.slice(0, output.returned))
    expect(cut).toEqual([{ at: "items", unit: "items", total: 100, kept: output.returned }])
    expect(length(result)).toBeLessThanOrEqual(3000)
    expect(length(result)).toBeGreaterThan(2800)

    const own = { items, items_truncated: false, items_returned: 100 }
    expect(fitResult({ success: true, output: own }, { limit: 1, reduce }).result.output).toEqual({
      items: items.slice(0, 1),
      items_truncated: true,
      items_returned: 1,
    })
  })

  it("goes through the rules in order, each only as far as needed", () => {
    const output = { id: "wc_job_1", note: "n".repeat(500), text: "t".repeat(5000), extra: "e".repeat(100) }
    const reduce: Reduction[] = [
      { at: "extra", kind: "drop", min: 0 },
      { at: "text", kind: "text", min: 100 },
      { at: "note", kind: "text", min: 10 },
    ]
    const { result, cut } = fitResult({ success: true, output }, { limit: 2000, reduce })
    expect(cut.map(({ at, unit }) => [at, unit])).toEqual([
      ["extra", "members"],
      ["text", "characters"],
    ])
    expect(result.output).toMatchObject({ id: "wc_job_1", note: output.note })
    expect(result.output).not.toHaveProperty("extra")
  })

  it("cuts an error's details first, then its output", () => {
    const paths = Array.from({ length: 300 }, (_, index) => `src/file-${index}.ts`)
    const failed: ToolResult = {
      success: false,
      error: { kind: "internal_error", message: "m", recovery: "none", details: { paths } },
      output: { text: "t".repeat(3000) },
    }
    const reduce: Reduction[] = [{ at: "text", kind: "text", min: 100 }]
    const first = fitResult(failed, { limit: 6000, reduce })
    expect(first.cut.map(({ at }) => at)).toEqual(["error.details.paths"])
    expect(first.result).toMatchObject({
      success: false,
      error: { details: { paths_truncated: true } },
      output: failed.output,
    })
    const second = fitResult(failed, { limit: 1000, reduce })
    expect(second.cut.map(({ at }) => at)).toEqual(["error.details.paths", "error.details", "text"])
    expect(length(second.result)).toBeLessThanOrEqual(1000)
  })

  it("below its smallest form an output passes the limit, and nothing given is modified", () => {
    const result: ToolResult = { success: true, output: { id: "x".repeat(2000), text: "t".repeat(2000) } }
    const before = JSON.stringify(result)
    const fitted = fitResult(result, { limit: 1000, reduce: [{ at: "text", kind: "text", min: 50 }] })
    expect(fitted.result.output).toMatchObject({ id: "x".repeat(2000) })
    expect(JSON.stringify(result)).toBe(before)
  })
})

const itemSchema = z.object({
  id: z.string().regex(/^wc_job_[0-9a-f]{32}$/),
  text: z.string(),
  state: z.enum(["open", "closed"]),
})
const outputSchema = z.object({
  job_id: z.string().regex(/^wc_job_[0-9a-f]{32}$/),
  items: z.array(itemSchema),
  stdout: z.string(),
  note: z.string().max(200).optional(),
  truncated: z.boolean().optional(),
  returned: z.int().min(0).max(100_000).optional(),
})
const reduce: Reduction[] = [
  { at: "items[].text", kind: "text", min: 40 },
  { at: "items", kind: "list", min: 2 },
  { at: "stdout", kind: "text", min: 500 },
  { at: "note", kind: "drop", min: 0 },
]

describe("K-I5", () => {
  const nasty = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc
      .tuple(
        fc.constantFrom("\0", "x", "\ud800", '"', "é́́", "😀", "\n", "👨‍👩‍👧‍👦"),
        fc.integer({ min: 1, max: 30_000 }),
      )
      .map(([unit, times]) => unit.repeat(times).slice(0, 30_000)),
  )
  const id = fc.constant(`wc_job_${"a".repeat(32)}`)
  const output = fc.record(
    {
      job_id: id,
      items: fc.array(fc.record({ id, text: nasty, state: fc.constantFrom("open", "closed") }), { maxLength: 60 }),
      stdout: nasty,
      note: fc.string({ unit: "binary", maxLength: 100 }),
    },
    { requiredKeys: ["job_id", "items", "stdout"] },
  )

  it("K-I5: the serialised reply is within every limit from 16,000 on", () => {
    expect(worstCase(z.toJSONSchema(outputSchema), reduce)).toBeLessThanOrEqual(12_000)
    fc.assert(
      fc.property(output, fc.integer({ min: 16_000, max: 120_000 }), (value, limit) => {
        const attached = { redactions: { count: 1, names: ["K"] } }
        const { result, cut } = fitResult({ success: true, output: value, attached }, { limit, reduce })
        expect(length(result)).toBeLessThanOrEqual(limit)
        expect(outputSchema.safeParse(result.output).success).toBe(true)
        if (cut.length > 0) expect(result.attached?.budget?.cut).toEqual(cut)
      }),
      { numRuns: 150 },
    )
  })

  it("K-I5: the fully reduced result is never longer than the computed worst case", () => {
    const bound = worstCase(z.toJSONSchema(outputSchema), reduce)
    fc.assert(
      fc.property(output, (value) => {
        expect(length(fitResult({ success: true, output: value }, { limit: 1, reduce }).result)).toBeLessThanOrEqual(
          bound,
        )
      }),
      { numRuns: 150 },
    )
  })
})

describe("worst case", () => {
  it("is infinite where something has no bound", () => {
    expect(worstCase(z.toJSONSchema(z.object({ text: z.string() })), [])).toBe(Number.POSITIVE_INFINITY)
    expect(worstCase(z.toJSONSchema(z.object({ list: z.array(z.int()) })), [])).toBe(Number.POSITIVE_INFINITY)
    expect(worstCase(z.toJSONSchema(z.object({ id: z.string().regex(/^a+$/) })), [])).toBe(Number.POSITIVE_INFINITY)
  })

  it("counts patterns, enums and numbers exactly", () => {
    const schema = z.object({
      id: z.string().regex(/^ab[0-9a-f]{4}(?:x|yz)?$/),
      kind: z.enum(["a", "bcd"]),
      n: z.int().min(-5).max(100),
    })
    const longest = { success: true, output: { id: "ab0000yz", kind: "bcd", n: 100 } }
    expect(worstCase(z.toJSONSchema(schema), [])).toBe(length(longest) + 1)
  })

  it("reads a list of types as their union", () => {
    const of = (type: readonly string[], more: object = {}) =>
      worstCase(
        { type: "object", properties: { a: { type, ...more } }, required: ["a"], additionalProperties: false },
        [],
      )
    const longest = (a: unknown) => length({ success: true, output: { a } })
    expect(of(["boolean", "null"])).toBe(longest(false) + 1)
    expect(of(["integer", "null"], { minimum: 0, maximum: 99_999 })).toBe(longest(99_999) + 1)
    expect(of(["null", "string"], { maxLength: 2 })).toBe(longest("\u0001\u0001") + 1)
    expect(of(["null", "string"])).toBe(Number.POSITIVE_INFINITY)
  })
})
