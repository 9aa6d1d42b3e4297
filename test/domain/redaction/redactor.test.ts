import { describe, expect, it } from "vitest"
import { createRedactor } from "../../../core/kernel/redaction/redactor.ts"

const LITERAL = "sk-ABCDEFGHIJ"
const redactor = createRedactor([{ name: "K", value: LITERAL }])
const masked = (text: string): string => redactor.redactText(text).text

describe("K22: what is a secret and what is not", () => {
  const unchanged = [
    "MAX_TOKENS=4096 token_embd.weight=CPU key=value",
    "GITHUB_TOKEN=$GH",
    "token: CancellationToken",
    'password = os.environ["PASSWORD"]',
    "const token = request.headers.authorization",
    "the bearer of 16 tokens",
    "token: 12345678901234",
    "password: <your-password-1>",
    'secret = "<your-password>"',
    'token="$GITHUB_TOKEN_1"',
    "token = getToken1234(x)",
    "password=********",
    "mytoken=abcdefgh12",
    "git@github.com:owner/repo.git",
    "http://localhost:8080/path@x",
    "api_key: null",
    'includes("-----BEGIN PRIVATE KEY-----")',
  ]
  for (const text of unchanged) it(`K22: leaves ${text}`, () => expect(masked(text)).toBe(text))

  const cases: readonly (readonly [string, string])[] = [
    ["password: hunter2hunter2", "password: [redacted:password]"],
    ["postgres://u:s3cretpw@h/db", "postgres://u:[redacted:url_password]@h/db"],
    ["key api_key=abcdefgh12", "key api_key=[redacted:api_key]"],
    ["X-Auth-Token: abc123def456", "X-Auth-Token: [redacted:auth_token]"],
    ["CLIENT-SECRET = abc123def456;", "CLIENT-SECRET = [redacted:client_secret];"],
    ['{"password":"correct horse battery"}', '{"password":"[redacted:password]"}'],
    ['{\\"password\\": \\"correct horse\\"}', '{\\"password\\": \\"[redacted:password]\\"}'],
    ["'secret' : 'it is \\'mine\\' now'", "'secret' : '[redacted:secret]'"],
    ["?access_token=abc12345&x=1", "?access_token=[redacted:access_token]&x=1"],
    ["ship with Bearer abcdefghijklmnop", "ship with Bearer [redacted:bearer]"],
    ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted:basic_auth]"],
    ["AKIAIOSFODNN7EXAMPLE", "[redacted:aws_key]"],
    [`ghp_${"a1".repeat(18)}.`, "[redacted:github_token]."],
    [`github_pat_${"a1".repeat(11)}`, "[redacted:github_token]"],
    [`glpat-${"a1".repeat(10)}`, "[redacted:gitlab_token]"],
    ["xoxb-1234567890-abc", "[redacted:slack_token]"],
    [`sk_live_${"a1".repeat(12)}`, "[redacted:stripe_key]"],
    [`sk-ant-api03-${"a1".repeat(12)}`, "[redacted:anthropic_key]"],
    [`sk-proj-${"a1".repeat(12)}`, "[redacted:openai_key]"],
    [`sk-${"a1".repeat(24)}`, "[redacted:openai_key]"],
    [`AIza${"a1".repeat(17)}b`, "[redacted:google_key]"],
    [`hfp_${"A".repeat(43)}`, "[redacted:holdfast_token]"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def", "[redacted:jwt]"],
    ["url https://u:p@ss@h/", "url https://u:[redacted:url_password]@h/"],
    [`https://ghp_${"a1".repeat(18)}:x@h`, "https://[redacted:github_token]:[redacted:url_password]@h"],
  ]
  for (const [text, expected] of cases) it(`K22: masks ${text}`, () => expect(masked(text)).toBe(expected))
})

describe("PEM private keys", () => {
  const begin = "-----BEGIN RSA PRIVATE KEY-----"
  const end = "-----END RSA PRIVATE KEY-----"
  const body = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MaK0\nabc=="
  const cases: readonly (readonly [string, string])[] = [
    [`a\n${begin}\n${body}\n${end}\nb`, "a\n[redacted:private_key]\nb"],
    [`KEY="${begin}\\n${body.replace("\n", "\\n")}\\n${end}\\n"`, 'KEY="[redacted:private_key]\\n"'],
    [`${begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,00\n\n${body}\n${end}`, "[redacted:private_key]"],
    [`${begin} ${body.replace("\n", " ")} ${end} x`, "[redacted:private_key] x"],
    [`${begin}\n${body}\nnot a key any more`, "[redacted:private_key]\nnot a key any more"],
    [`${begin}${body.replace("\n", "")}${end} and more`, "[redacted:private_key] and more"],
    [`private_key = "${begin}\n${body}\n${end}"`, 'private_key = "[redacted:private_key]"'],
    ["-----BEGIN CERTIFICATE-----\nMIIE\n", "-----BEGIN CERTIFICATE-----\nMIIE\n"],
  ]
  it.each(cases)("K22: %j", (text, expected) => expect(masked(text)).toBe(expected))
})

describe("registered literals", () => {
  it("K23: every two-chunk split of a stream gives the same mask", () => {
    const text = `before ${LITERAL} after`
    for (let cut = 0; cut <= text.length; cut++) {
      const stream = redactor.textStream()
      const out = stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end()
      expect(out).toBe("before [redacted:K] after")
    }
  })

  it("K23: a colour code inside does not hide it", () => {
    for (let cut = 1; cut < LITERAL.length; cut++) {
      expect(masked(`${LITERAL.slice(0, cut)}\x1b[31m${LITERAL.slice(cut)}`)).toBe("[redacted:K]")
    }
  })

  it("K23: no six characters of it survive in base64 of any alignment, hex, percent or JSON form", () => {
    const odd = 'p"w/d+ü 12345678'
    const oddRedactor = createRedactor([{ name: "ODD", value: odd }])
    for (const prefix of ["", "x", "xy"]) {
      const out = masked(btoa(`${prefix}${LITERAL}zz`))
      expect(out).toMatch(/^[A-Za-z0-9+/=]{0,4}\[redacted:K\][A-Za-z0-9+/=]{0,6}$/)
    }
    const bytes = new TextEncoder().encode(odd)
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
    for (const form of [odd, JSON.stringify(odd), encodeURIComponent(odd), hex, hex.toUpperCase()]) {
      expect(oddRedactor.redactText(form).text.replaceAll('"', "")).toBe("[redacted:ODD]")
    }
  })

  it("K24: members at verbatim paths and all keys stay, other strings are masked", () => {
    const value = { [LITERAL]: 1, items: [{ id: LITERAL, text: `a ${LITERAL}` }], list: [LITERAL] }
    expect(redactor.redactValue(value, { verbatim: ["items[].id"] })).toEqual({
      value: { [LITERAL]: 1, items: [{ id: LITERAL, text: "a [redacted:K]" }], list: ["[redacted:K]"] },
      count: 2,
      names: ["K"],
    })
  })

  it("masks overlapping occurrences as one span under the longest one's name", () => {
    const both = createRedactor([
      { name: "SHORT", value: "abcdef" },
      { name: "LONG", value: "defghijk" },
    ])
    expect(both.redactText("x abcdefghijk y").text).toBe("x [redacted:LONG] y")
  })

  it("adds literals without changing the redactor they are added to", () => {
    const more = redactor.with([{ name: "MY-VAR", value: "zq-LITERAL-77" }])
    expect(more.redactText(`zq-LITERAL-77 ${LITERAL}`).text).toBe("[redacted:MY_VAR] [redacted:K]")
    expect(masked("zq-LITERAL-77")).toBe("zq-LITERAL-77")
  })

  it("does not take a secret for the name of a mask", () => {
    expect(createRedactor([{ name: "K", value: "hunter2000" }]).redactText("[redacted:hunter2000]").text).toBe(
      "[redacted:[redacted:K]]",
    )
  })

  it("masks a secret in the payload of a title sequence", () => {
    const stream = redactor.byteStream()
    const raw = new TextEncoder().encode(`a\x1b]0;${LITERAL}\x07b`)
    const out = new TextDecoder().decode(stream.push(raw)) + new TextDecoder().decode(stream.end())
    expect(out).toBe("a\x1b]0;[redacted:K]\x07b")
    expect(stream.masked).toBe(1)
  })
})
