import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readJsonBody } from "../../../../adapters/http/strict-body.ts"
import { readStrictJson } from "../../../../core/kernel/strict-json.ts"

const fault = (text: string) => {
  const reading = readStrictJson(text)
  return reading.ok ? undefined : reading.fault
}
const nested = (arrays: number) => `{"x":${"[".repeat(arrays)}${"]".repeat(arrays)}}`
const bodyFault = (bytes: Uint8Array) => {
  try {
    return readJsonBody(bytes)
  } catch (error) {
    return error
  }
}

describe("the strict JSON reader", () => {
  it("D11: names the reason and place of a duplicate member, a root that is no object and broken syntax", () => {
    expect(fault('{"a":1,"a":1}')).toEqual({ reason: "duplicate_key", line: 1, column: 8 })
    expect(fault("\n [1]")).toEqual({ reason: "root", line: 2, column: 2 })
    expect(fault('{"a":')).toEqual({ reason: "syntax", line: 1, column: 6 })
  })

  it("D11: names the encoding fault and its place", () => {
    expect(bodyFault(new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]))).toMatchObject({
      kind: "invalid_json",
      details: { reason: "encoding", line: 1, column: 7 },
    })
  })

  it("D11: refuses half a surrogate pair in a value or a member name, and names its place", () => {
    expect(fault(String.raw`{"a":"\ud800"}`)).toEqual({ reason: "encoding", line: 1, column: 6 })
    expect(fault(String.raw`{"a":[1,{"b\uDFFF":2}]}`)).toEqual({ reason: "encoding", line: 1, column: 10 })
    expect(fault(String.raw`{"a":"\ude00\ud83d"}`)?.reason).toBe("encoding")
    expect(fault(String.raw`{"a":"\ud83d\ude00","b":"\\ud800"}`)).toBeUndefined()
    expect(bodyFault(new TextEncoder().encode(String.raw`{"a":"\ud800"}`))).toMatchObject({
      kind: "invalid_json",
      details: { reason: "encoding", line: 1, column: 6 },
    })
  })

  it("D12: counts the root as the first of 32 levels", () => {
    expect(fault(nested(32))).toEqual({ reason: "depth", line: 1, column: 37 })
    expect(fault(nested(31))).toBeUndefined()
  })

  it("refuses 100,000 open or closed brackets for their depth", () => {
    expect(fault(nested(100_000))).toEqual({ reason: "depth" })
    expect(fault("[".repeat(100_000))).toEqual({ reason: "depth" })
  })

  it("compares members after decoding escapes, in nested objects too", () => {
    expect(fault('{"a":{"b":1,\n"\\u0062":2}}')).toEqual({ reason: "duplicate_key", line: 2, column: 1 })
    expect(fault('{"a":{"b":1},"c":[{"b":1},{"b":2}]}')).toBeUndefined()
  })

  it("keeps __proto__ an ordinary member and refuses it twice", () => {
    const reading = readStrictJson('{"__proto__":{"admin":true}}')
    expect(reading.ok && Object.keys(reading.value)).toEqual(["__proto__"])
    expect(reading.ok && Object.getPrototypeOf(reading.value)).toBe(Object.prototype)
    expect(fault('{"__proto__":1,"__proto__":{}}')?.reason).toBe("duplicate_key")
  })

  it("takes brackets, colons and quotes inside strings for text", () => {
    expect(fault('{"a":"\\\\","b\\"":":{[[[","c":"\\\\\\"}"}')).toBeUndefined()
  })

  it("counts columns in code points", () => {
    expect(fault('{"é😀":1,"é😀":2}')).toEqual({ reason: "duplicate_key", line: 1, column: 9 })
  })

  it("refuses a byte order mark, comments, a trailing comma and an empty body as syntax", () => {
    for (const text of ["\uFEFF{}", '{"a":/**/1}', '{"a":1,}', "", '{"a":1} x', '{"a":"\u0001"}'])
      expect(fault(text)?.reason, text).toBe("syntax")
  })

  it("reads what JSON.parse reads, for any object of little depth", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), (value) => {
        const text = JSON.stringify(value)
        expect(readStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  it("gives only well-formed Unicode, and refuses nothing that is", () => {
    const units = fc.array(fc.constantFrom(0x41, 0x5c, 0xd83d, 0xde00, 0xd800, 0xdfff), { maxLength: 6 })
    const texts = units.map((codes) => String.fromCharCode(...codes))
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (name, text, inside) => {
        const value = inside ? { x: [{ [name]: text }] } : { [name]: text }
        const isSound = name.isWellFormed() && text.isWellFormed()
        expect(fault(JSON.stringify(value))?.reason).toBe(isSound ? undefined : "encoding")
      }),
    )
  })

  it("finds any repeated member, wherever it stands", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue({ maxDepth: 3 }), fc.nat(20), (name, value, depth) => {
        const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`
        const text = `{"x":${"[".repeat(depth)}{${member},${member}}${"]".repeat(depth)}}`
        expect(fault(text)?.reason).toBe("duplicate_key")
      }),
    )
  })
})
