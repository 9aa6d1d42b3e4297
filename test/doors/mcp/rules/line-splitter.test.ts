import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LineSplitter } from "../../../../adapters/mcp/line-splitter.ts"

/** Lines of a text that arrives in chunks of a size, as text. */
function split(text: string, limit: number, size = text.length): readonly string[] {
  const splitter = new LineSplitter(limit)
  const bytes = Buffer.from(text)
  const lines: string[] = []
  const note = (line: Uint8Array | "too_long") =>
    lines.push(line === "too_long" ? "(too long)" : Buffer.from(line).toString())
  for (let at = 0; at < bytes.length; at += size) {
    for (const line of splitter.push(bytes.subarray(at, at + size))) note(line)
  }
  for (const line of splitter.end()) note(line)
  return lines
}

describe("lines of a byte stream", () => {
  it("ends a line at LF or CRLF and leaves out empty ones", () => {
    expect(split("a\nb\r\n\n\r\nc\n", 10)).toEqual(["a", "b", "c"])
  })

  it("gives what came after the last end when the input is over", () => {
    expect(split("a\nb", 10)).toEqual(["a", "b"])
  })

  it("tells once of a line over the limit, wherever it is cut, and reads the next one whole", () => {
    expect(split("1234567890\n12345678901\nok\n", 10)).toEqual(["1234567890", "(too long)", "ok"])
    expect(split(`${"x".repeat(100)}\nok`, 10, 7)).toEqual(["(too long)", "ok"])
    expect(split("x".repeat(100), 10, 7)).toEqual(["(too long)"])
  })

  it("does not depend on how the bytes are cut", () => {
    const text = fc.array(fc.constantFrom("a", "é", "\n", "\r\n", "12345678"), { maxLength: 40 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (parts, size) => {
        expect(split(parts.join(""), 12, size)).toEqual(split(parts.join(""), 12))
      }),
    )
  })
})
