import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isPartWritten } from "../../../adapters/runners/local/files/in-place.ts"
import { openFileText } from "../../../core/files/edits/file-text.ts"
import { planEdit } from "../../../core/files/edits/plan-edit.ts"
import { createPageSink } from "../../../core/files/text.ts"

const bytes = fc
  .array(fc.constantFrom(0x61, 0x62, 0x0a, 0x0d, 0xc3, 0xa9, 0xff, 0x20), { maxLength: 60 })
  .map((list) => Buffer.from(list))

const change = (old_text: string, new_text: string) => ({
  kind: "edit" as const,
  path: "f",
  edits: [{ kind: "replace_exact" as const, old_text, new_text, occurrence: 1 }],
  newlines: "exact" as const,
})

describe("planned edits", () => {
  it("bytes outside the replaced range never change", () => {
    fc.assert(
      fc.property(bytes, bytes, fc.string({ maxLength: 10 }), (before, after, newText) => {
        const file = Buffer.concat([before, Buffer.from("«mark»"), after])
        const { content } = planEdit(openFileText(file, ""), change("«mark»", newText))
        expect(Buffer.from(content)).toEqual(Buffer.concat([before, Buffer.from(newText), after]))
      }),
    )
  })

  it("replacing text by itself gives the same bytes, whatever the line ends", () => {
    const text = fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", "é"), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (parts, from, length) => {
        const whole = parts.join("")
        const start = from % parts.length
        const needle = parts.slice(start, start + 1 + (length % parts.length)).join("")
        // A lone CR before a newline would itself become part of one in the plain spelling.
        if (needle.endsWith("\r") || needle.includes("\r\r\n")) return
        const file = Buffer.from(whole)
        const plan = planEdit(openFileText(file, ""), {
          ...change(needle, needle.replaceAll("\r\n", "\n")),
          newlines: "adapt",
        })
        expect(Buffer.from(plan.content)).toEqual(file)
      }),
    )
  })
})

describe("pages", () => {
  it("concatenate to the decoded file, however they and the chunks are cut", () => {
    fc.assert(
      fc.property(
        bytes,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 4, max: 20 }),
        fc.nat(60),
        (file, limit, maxBytes, cut) => {
          const pages: string[] = []
          let next: { start_line: number; start_char: number } | undefined = { start_line: 2, start_char: 0 }
          for (let turn = 0; next !== undefined; turn += 1) {
            expect(turn).toBeLessThan(200)
            const sink = createPageSink({
              startLine: next.start_line,
              startChar: next.start_char,
              limit,
              maxBytes,
              numbered: false,
            })
            // A first chunk below 8,000 bytes is the whole file; the second one stands for later chunks.
            sink.push(Buffer.concat([Buffer.alloc(8000, "x"), Buffer.from("\n"), file.subarray(0, cut)]))
            sink.push(file.subarray(cut))
            const outcome = sink.end()
            if (outcome.binary) throw new Error("not binary")
            pages.push(outcome.page.text)
            next = outcome.page.next
          }
          expect(pages.join("")).toBe(decodeByByte(file))
        },
      ),
      { numRuns: 40 },
    )
  })
})

/** UTF-8 with one U+FFFD for each invalid byte; the test alphabet knows one valid sequence beyond ASCII. */
function decodeByByte(file: Buffer): string {
  let text = ""
  for (let at = 0; at < file.length; at += 1) {
    if (file[at] === 0xc3 && file[at + 1] === 0xa9) {
      text += "é"
      at += 1
    } else text += (file[at] ?? 0) < 0x80 ? String.fromCharCode(file[at] ?? 0) : "\ufffd"
  }
  return text
}

describe("writing in place", () => {
  const small = fc.uint8Array({ maxLength: 20 })

  it("recognises every state that a killed write or restore can leave", () => {
    fc.assert(
      fc.property(small, small, fc.nat(20), fc.nat(20), (oldBytes, newBytes, written, restored) => {
        const k = Math.min(written, newBytes.length)
        const part = Buffer.concat([newBytes.subarray(0, k), oldBytes.subarray(k)])
        const j = Math.min(restored, oldBytes.length)
        const again = Buffer.concat([oldBytes.subarray(0, j), part.subarray(j)])
        expect(isPartWritten(part, oldBytes, newBytes)).toBe(true)
        expect(isPartWritten(again, oldBytes, newBytes)).toBe(true)
      }),
    )
  })

  it("does not take foreign bytes for ours", () => {
    expect(isPartWritten(Buffer.from("abX"), Buffer.from("abc"), Buffer.from("xyz"))).toBe(false)
    expect(isPartWritten(Buffer.from("xyzQ"), Buffer.from("abc"), Buffer.from("xyz"))).toBe(false)
  })
})
