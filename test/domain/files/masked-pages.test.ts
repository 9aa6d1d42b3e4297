import { describe, expect, it } from "vitest"
import { createPageSink } from "../../../core/files/text.ts"
import { createRedactor } from "../../../core/kernel/redaction/redactor.ts"

const redactor = createRedactor([{ name: "KEY", value: "literal-secret-value" }])
const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
const BODY = "MIIEowIBAAKCAQEA1234567890abcdefghijklmnopqrstuvwxyzABCDEFGHIJ\n"
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${BODY.repeat(10)}-----END RSA PRIVATE KEY-----\n`

interface Ask {
  readonly startLine?: number
  readonly startChar?: number
  readonly limit?: number
  readonly numbered?: boolean
}

function read(text: string, ask: Ask = {}) {
  const sink = createPageSink({
    startLine: ask.startLine ?? 1,
    limit: ask.limit ?? 2000,
    startChar: ask.startChar ?? 0,
    numbered: ask.numbered ?? false,
    maxBytes: 64 * 1024,
    spansOf: (part) => redactor.spansOf(part),
  })
  const bytes = Buffer.from(text)
  sink.push(bytes.subarray(0, 8000))
  for (let at = 8000; at < bytes.length; at += 5000) sink.push(bytes.subarray(at, at + 5000))
  const outcome = sink.end()
  if (outcome.binary) throw new Error("binary")
  return outcome
}

function walk(text: string, limit: number): string {
  let shown = ""
  for (let next: { start_line: number; start_char: number } | undefined = { start_line: 1, start_char: 0 }; next; ) {
    const { page }: ReturnType<typeof read> = read(text, {
      startLine: next.start_line,
      startChar: next.start_char,
      limit,
    })
    shown += page.text
    next = page.next
  }
  return shown
}

describe("where a read begins or ends hides no secret from the redactor", () => {
  it.each([4, 5, 11])("a page that begins at line %i of a key block shows nothing of it", (startLine) => {
    const { page, masks } = read(`a\n${PEM}z\n`, { startLine, limit: 2 })
    expect(page.text).not.toContain("MII")
    expect(masks).toBe(1)
    expect(page.startLine).toBe(startLine)
  })

  it.each([2, 5, 36])("start_char %i characters inside a token shows nothing of it", (inside) => {
    const { page, masks } = read(`${"x ".repeat(50)}${TOKEN} tail\n`, { startChar: 100 + inside })
    expect(page.text).toBe(" tail\n")
    expect(masks).toBe(1)
  })

  it("line numbers do not take a key block apart, and stay those of the file", () => {
    const { page } = read(`a\n${PEM}z\n`, { numbered: true })
    expect(page.text).not.toContain("MII")
    expect(page.text).toMatch(/^1\ta\n2\t\[redacted:private_key\]\n(?:13\t\n)?14\tz\n$/)
  })

  it.each([
    ["a token over the border of 64 KiB", `${"x ".repeat(32_760)}${TOKEN} tail\n`],
    ["a literal over the border", `${"y".repeat(65_530)}literal-secret-value tail\n`],
    ["key blocks and tokens", `${`a ${TOKEN}\n${PEM}b\n`.repeat(30)}end`],
    ["wide characters before a token", `${"é😀".repeat(12_000)} ${TOKEN} tail\n`],
  ])("pages of %s concatenate to the masked file", (_, text) => {
    for (const limit of [1, 3, 2000]) expect(walk(text, limit)).toBe(redactor.redactText(text).text)
  })
})
