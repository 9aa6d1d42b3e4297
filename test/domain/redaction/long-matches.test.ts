import { describe, expect, it } from "vitest"
import { createRedactor } from "../../../core/kernel/redaction/redactor.ts"

const redactor = createRedactor([{ name: "LONG", value: `begin-${"0123456789".repeat(2000)}-end` }])

function inChunks(text: string, size: number): string {
  const stream = redactor.byteStream()
  const bytes = new TextEncoder().encode(text)
  const out: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) out.push(stream.push(bytes.subarray(at, at + size)))
  return Buffer.concat([...out, stream.end()]).toString("utf8")
}

/** The most bytes that a stream held back at any moment. */
function mostHeld(text: string): number {
  const stream = redactor.byteStream()
  const bytes = new TextEncoder().encode(text)
  let given = 0
  let most = 0
  for (let at = 0; at < bytes.length; at++) {
    given += stream.push(bytes.subarray(at, at + 1)).length
    most = Math.max(most, at + 1 - given)
  }
  return most
}

const base64Lines = Array.from({ length: 400 }, () => "M".repeat(64)).join("\n")
const cases: readonly (readonly [string, string, string])[] = [
  ["an unquoted value", `token=a1${"x".repeat(50_000)} after`, "token=[redacted:token] after"],
  ["a quoted value", `token="a ${"x".repeat(50_000)}" after`, 'token="[redacted:token]" after'],
  ["a URL password", `https://u:${"x".repeat(50_000)}@h after`, "https://[redacted:url_password] after"],
  ["a token", `sk-ant-${"x".repeat(50_000)} after`, "[redacted:anthropic_key] after"],
  ["a bearer value", `Bearer ${"x".repeat(50_000)} after`, "Bearer [redacted:bearer] after"],
  [
    "a PEM block",
    `-----BEGIN PRIVATE KEY-----\n${base64Lines}\n-----END PRIVATE KEY-----\nafter`,
    "[redacted:private_key]\nafter",
  ],
  [
    "a PEM line",
    `-----BEGIN PRIVATE KEY-----\n${"M".repeat(50_000)}\nafter this`,
    "[redacted:private_key]\nafter this",
  ],
  ["a long word", `x ${"x".repeat(50_000)} after`, `x ${"x".repeat(50_000)} after`],
  ["a user without a password", `https://${"u".repeat(50_000)} after`, `https://${"u".repeat(50_000)} after`],
]

describe("matches longer than what may be held back (kernel.md §12)", () => {
  it.each(cases)("K-I6: %s is masked as it stands, whatever the chunks", (_, text, expected) => {
    for (const size of [text.length * 4, 4096, 61]) expect(inChunks(text, size)).toBe(expected)
  })

  it("K-I6: a very long literal leaves nothing of itself", () => {
    const text = `x begin-${"0123456789".repeat(2000)}-end y`
    const out = inChunks(text, 333)
    expect(out).toMatch(/^x (?:\[redacted:LONG\])+ y$/)
    expect(redactor.redactText(text).text).toBe(out)
  })

  it("K23: ordinary text is held back by a few bytes at most", () => {
    expect(mostHeld("CC src/module.o -O2 -DNDEBUG=1 warning: unused 'x' [-Wunused]\n".repeat(20))).toBeLessThanOrEqual(
      16,
    )
    expect(mostHeld(`prefix ${"y".repeat(30_000)}`)).toBeLessThanOrEqual(16)
  })

  it("K23: control sequences between two characters of a secret are held back by 16 KiB at most", () => {
    const stream = redactor.byteStream()
    const colours = "\x1b[31m".repeat(100_000)
    const out: Uint8Array[] = []
    for (const part of ["b", "egin-0", colours, "x"]) out.push(stream.push(new TextEncoder().encode(part)))
    out.push(stream.end())
    const text = Buffer.concat(out).toString("utf8")
    expect(text.startsWith("begin-0\x1b[31m")).toBe(true)
    expect(text.endsWith("x")).toBe(true)
    expect(text.length).toBeLessThanOrEqual(16_384 + 20)
  })
})
