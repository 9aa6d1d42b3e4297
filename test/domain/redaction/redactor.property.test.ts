import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CONTROL, type ControlState, nextControl } from "../../../core/kernel/redaction/control-sequences.ts"
import { createRedactor } from "../../../core/kernel/redaction/redactor.ts"

const redactor = createRedactor([
  { name: "K", value: "sk-ABCDEFGHIJ" },
  { name: "DB_PASSWORD", value: "password" },
  { name: "OVERLAP", value: "GHIJpass" },
  { name: "REPEAT", value: "aaaa" },
  { name: "UMLAUT", value: "pässwörd€1" },
  { name: "ALNUM", value: "redacted" },
])

const pieces = [
  "sk-ABCDEFGHIJ",
  "sk-ABC",
  "DEFGHIJ",
  "password",
  "passwd",
  "GHIJpass",
  "aaaa",
  "aaa",
  "pässwörd€1",
  "redacted",
  "token",
  "api-key",
  "=",
  ": ",
  ":",
  "://",
  "@",
  '"',
  "'",
  '\\"',
  "\\",
  "\n",
  "\r\n",
  " ",
  "\t",
  ".",
  "(",
  "[",
  "]",
  "<",
  ">",
  "$",
  "***",
  ",",
  "/",
  "-----",
  "hunter2hunter2",
  "abc123def456",
  "12345678",
  "a1",
  "x",
  "é",
  "€",
  "😀",
  "[redacted:",
  "[redacted:K]",
  "[redacted:password]",
  "[redacted:nope]",
  "[redacted:redacted]",
  "Bearer ",
  "Authorization: Basic ",
  "dXNlcjpwYXNz",
  "AKIAIOSFODNN7EXAMPLE",
  `ghp_${"a1".repeat(18)}`,
  `hfp_${"A".repeat(43)}`,
  "eyJhbGciOiJIUzI1NiJ9",
  ".eyJzdWIiOiIxIn0",
  ".abc_def",
  "postgres://u:s3cretpw@h/db",
  "https://",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----END RSA PRIVATE KEY-----",
  "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn",
  "Proc-Type: 4,ENCRYPTED",
]
const controls = [
  "\x1b[31m",
  "\x1b[0;1m",
  "\x1b]0;title sk-ABCDEFGHIJ\x07",
  "\x1b]8;;x\x1b\\",
  "\x1b(B",
  "\x1b",
  "\u009b1m",
  "\u0085",
  "\x1b[",
  "\x1bP1",
  "\x07",
]

const text = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 14 })
  .map((parts) => parts.join(""))
const rawText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...pieces) },
      { weight: 2, arbitrary: fc.constantFrom(...controls) },
    ),
    { maxLength: 16 },
  )
  .map((parts) => parts.join(""))
const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 })

function chunksOf<T extends { slice(from: number, to: number): T; readonly length: number }>(
  whole: T,
  at: readonly number[],
): T[] {
  const borders = [0, ...at.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length]
  return borders.slice(1).map((to, index) => whole.slice(borders[index] ?? 0, to))
}

function throughText(whole: string, at: readonly number[]): string {
  const stream = redactor.textStream()
  return (
    chunksOf(whole, at)
      .map((chunk) => stream.push(chunk))
      .join("") + stream.end()
  )
}

function throughBytes(whole: string, at: readonly number[]): string {
  const stream = redactor.byteStream()
  const out = chunksOf(new TextEncoder().encode(whole), at).map((chunk) => Buffer.from(stream.push(chunk)))
  return Buffer.concat([...out, Buffer.from(stream.end())]).toString("utf8")
}

function strip(raw: string): string {
  let state: ControlState = CONTROL.visible
  let visible = ""
  for (const char of raw) {
    state = nextControl(state, char.codePointAt(0) ?? 0)
    if (state === CONTROL.visible) visible += char
  }
  return visible
}

describe("K-I6", () => {
  it("K-I6: chunking never changes redacted text", () => {
    fc.assert(
      fc.property(text, cuts, (whole, at) => {
        expect(throughText(whole, at)).toBe(redactor.redactText(whole).text)
      }),
      { numRuns: 3000 },
    )
  })

  it("K-I6: chunking never changes redacted bytes, control sequences included", () => {
    fc.assert(
      fc.property(rawText, cuts, (whole, at) => {
        expect(throughBytes(whole, at)).toBe(throughBytes(whole, []))
      }),
      { numRuns: 3000 },
    )
  })

  it("K-I6: redacting twice changes nothing", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const once = redactor.redactText(whole).text
        expect(redactor.redactText(once).text).toBe(once)
      }),
      { numRuns: 6000 },
    )
  })

  it("K-I6: strip(redact_bytes(raw)) = redact(strip(raw))", () => {
    fc.assert(
      fc.property(rawText, cuts, (raw, at) => {
        expect(strip(throughBytes(raw, at))).toBe(redactor.redactText(strip(raw)).text)
      }),
      {
        numRuns: 6000,
      },
    )
  })

  it("K-I6: no registered literal survives in visible text", () => {
    fc.assert(
      fc.property(rawText, (raw) => {
        const visible = strip(throughBytes(raw, [])).replace(/\[redacted:[A-Za-z0-9_]+\]/g, "\0")
        for (const value of ["sk-ABCDEFGHIJ", "password", "GHIJpass", "aaaa", "pässwörd€1"])
          expect(visible).not.toContain(value)
      }),
      { numRuns: 2000 },
    )
  })
})
