import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { applyBudget } from "../../../core/jobs/output/apply-budget.ts"
import { compileBudget } from "../../../core/jobs/output/budget.ts"
import { type BudgetInput, budgetInput } from "../../../core/jobs/output/budget-input.ts"
import { ControlReducer } from "../../../core/jobs/output/control-reduction.ts"
import { grepLog } from "../../../core/jobs/output/grep-log.ts"
import { compileLinePattern } from "../../../core/jobs/output/line-pattern.ts"
import type { PageSource } from "../../../core/jobs/output/line-reader.ts"
import { sharedViews } from "../../../core/jobs/output/shared-views.ts"
import { TextView, textOf } from "../../../core/jobs/output/text-view.ts"
import { StreamCounter } from "../../../core/jobs/output/totals.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const clean = (text: string): string => textOf(bytesOf(text), "clean").text

/** The text in pages of a size that divides nothing. */
function paged(text: string, size = 997): PageSource {
  const bytes = bytesOf(text)
  return function* () {
    for (let at = 0; at < bytes.length; at += size) yield { bytes: bytes.subarray(at, at + size), from: at }
  }
}

const seq = (to: number): string => Array.from({ length: to }, (_, index) => `${index + 1}\n`).join("")
const budgeted = async (text: string, budget: BudgetInput) => await applyBudget(paged(text), compileBudget(budget))

describe("control reduction (shells.md §4.3)", () => {
  it("L14: a progress display is its last frame", () => {
    const frames = Array.from({ length: 100 }, (_, index) => `\r\x1b[2K${String(index + 1).padStart(3)}%`).join("")
    expect(clean(`${frames}\x1b[?25l\x1b]0;t\x07done\n`)).toBe("100%done\n")
  })

  const cases: readonly (readonly [string, string])[] = [
    ["Working\rDone   \n", "Done   \n"],
    ["a\r\nb\r\n", "a\nb\n"],
    ["ab\bc", "ac"],
    ["a😀\bc", "ac"],
    ["\b\bx", "x"],
    ["done\r", "done"],
    ["one\r\r\ntwo", "one\ntwo"],
    ["a\0b", "a\ufffdb"],
    ["a\x07\x0b\x0c\x01b\tc", "ab\tc"],
    ["\x1b[1;31mred\x1b[0m \u009b4mC1\u0085", "red C1"],
    ["\x1b]8;;http://x\x1b\\link\x1b]8;;\x07", "link"],
    ["\x1bPq#0\x1b\\\x1b(B\x1b7x", "x"],
    ["cut \x1b[12;3", "cut "],
    ["cut \x1b]0;title", "cut "],
    ["\x1b[31\nx", "\nx"],
  ]
  it.each(cases)("L15: %j reads as %j", (raw, expected) => expect(clean(raw)).toBe(expected))

  it("L10: NUL and invalid UTF-8 show as U+FFFD and are said", () => {
    expect(textOf(bytesOf("a\0b"), "clean")).toEqual({ text: "a\ufffdb", binary: true })
    expect(textOf(Uint8Array.of(0xff, 0xfe), "clean")).toEqual({ text: "\ufffd\ufffd", binary: true })
    expect(textOf(bytesOf("a\ufffdb"), "clean")).toEqual({ text: "a\ufffdb", binary: false })
  })

  it("L11: a character cut between two reads is one character; a dangling one is one U+FFFD", () => {
    const view = new TextView("clean")
    const whole = bytesOf("a€ z")
    expect(view.push(whole.subarray(0, 2)) + view.push(whole.subarray(2)) + view.end()).toBe("a€ z")
    expect(textOf(whole.subarray(0, 3), "clean")).toEqual({ text: "a\ufffd", binary: true })
  })

  it("L14: the raw view keeps every frame", () => {
    expect(textOf(bytesOf("\r\x1b[2K 1%\r\x1b[2K 2%"), "raw").text).toBe("\r\x1b[2K 1%\r\x1b[2K 2%")
  })

  it("L14: chunking never changes the reduced text", () => {
    const unit = fc.constantFrom(
      "a",
      "b",
      " ",
      "\r",
      "\n",
      "\b",
      "\t",
      "\0",
      "\x1b[2K",
      "\x1b]0;t\x07",
      "\x1b",
      "\u009b",
      "1m",
      "😀",
      "\x07",
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), fc.nat(40), (units, cut) => {
        const text = units.join("")
        const at = cut % (text.length + 1)
        const reducer = new ControlReducer()
        const cutText = reducer.push(text.slice(0, at)) + reducer.push(text.slice(at)) + reducer.end()
        const whole = new ControlReducer()
        expect(cutText).toBe(whole.push(text) + whole.end())
      }),
      { numRuns: 2000 },
    )
  })

  it("long texts, of which whole lines are taken at once, read as they do character by character", () => {
    const rare = fc.constantFrom("\x1b", "\0", "\b", "\x1b]0;t\x07", "\u009b4m", "\x07")
    const usual = fc.constantFrom("\r", "\n", "\r\n", "\x1b[2K", "\x1b[31m", "a", "é ", "\t", "word ", "\x1b[3 ")
    const piece = fc.oneof({ weight: 400, arbitrary: usual }, { weight: 1, arbitrary: rare })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 300, maxLength: 600 }), (pieces) => {
        const text = pieces.join("")
        const slow = new ControlReducer()
        const single = [...text].map((unit) => slow.push(unit)).join("") + slow.end()
        const whole = new ControlReducer()
        expect(whole.push(text) + whole.end()).toBe(single)
      }),
      { numRuns: 300 },
    )
  })
})

describe("budgets (shells.md §4.4)", () => {
  it("L16: keep tail 3 of 200,000 lines", async () => {
    expect(await budgeted(seq(200_000), { keep: { mode: "tail", n: 3 } })).toEqual({
      text: "... 199997 lines elided ...\n199998\n199999\n200000\n",
      truncated: true,
      mode: "tail",
      lines_total: 200_000,
      lines_kept: 3,
      binary: false,
    })
  })

  it("L16: grep with context over the whole spool, in the log as in a budget", async () => {
    const { matches, next } = await grepLog(paged(seq(200_000)), {
      pattern: compileLinePattern("^77777$", "grep_pattern"),
      context: 1,
      maxMatches: 100,
    })
    const byte = seq(77_776).length
    expect(matches).toEqual([{ line: 77_777, byte, text: "77777", before: ["77776"], after: ["77778"] }])
    expect(next).toBeUndefined()
    const { text, lines_kept } = await budgeted(seq(100_000), { grep: { pattern: "^77777$", context: 1 } })
    expect(text).toBe("... 77775 lines elided ...\n77776\n77777\n77778\n... 22222 lines elided ...\n")
    expect(lines_kept).toBe(3)
  })

  it("L18: a pattern that does not compile is budget_invalid; a hostile one is linear", async () => {
    const error = (() => {
      try {
        return compileBudget({ grep: { pattern: "(", context: 0 } })
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toMatchObject({
      kind: "budget_invalid",
      details: { field: "budget.grep.pattern" },
      executionState: "not_started",
    })
    const hostile = `${"a".repeat(100_000)}b\n`
    const from = performance.now()
    expect((await budgeted(hostile, { grep: { pattern: "(a+)+$", context: 0 } })).text).toBe("... 1 lines elided ...\n")
    expect(performance.now() - from).toBeLessThan(3000)
  })

  it("L18: numbers out of range are refused by the schema", () => {
    expect(budgetInput.safeParse({ keep: { mode: "tail", n: 2 ** 31 } }).success).toBe(false)
    expect(budgetInput.safeParse({ keep: { mode: "tail", n: 2 ** 31 - 1 } }).success).toBe(true)
    expect(budgetInput.safeParse({ max_chars: 1_000_001 }).success).toBe(false)
    expect(budgetInput.parse({ grep: { pattern: "x" } })).toEqual({ grep: { pattern: "x", context: 0 } })
    expect(JSON.stringify(z.toJSONSchema(budgetInput))).not.toMatch(/anyOf|oneOf/)
  })

  const text = "1\n2\n3\n4\n5\n6\n7"
  const cases: readonly (readonly [BudgetInput, string])[] = [
    [{ keep: { mode: "head", n: 2 } }, "1\n2\n... 5 lines elided ..."],
    [{ keep: { mode: "tail", n: 1 } }, "... 6 lines elided ...\n7"],
    [{ keep: { mode: "head_tail", n: 1 } }, "1\n... 5 lines elided ...\n7"],
    [{ keep: { mode: "head_tail", head: 2, tail: 0 } }, "1\n2\n... 5 lines elided ..."],
    [{ keep: { mode: "head_tail", n: 4 } }, text],
    [{ keep: { mode: "tail" } }, "... 7 lines elided ..."],
    [{ keep: { mode: "all" } }, text],
    [
      { grep: { pattern: "[36]", context: 0 } },
      "... 2 lines elided ...\n3\n... 2 lines elided ...\n6\n... 1 lines elided ...",
    ],
    [{ grep: { pattern: "[13]", context: 1 } }, "1\n2\n3\n4\n... 3 lines elided ..."],
    [
      { grep: { pattern: "[1-6]", context: 0 }, keep: { mode: "tail", n: 2 } },
      "... 4 lines elided ...\n5\n6\n... 1 lines elided ...",
    ],
    [{ max_chars: 4 }, "1\n\n... 9 chars elided ...\n\n7"],
    [{ max_chars: 1 }, ""],
    [{ max_chars: 13 }, text],
  ]
  it.each(cases)("L16: %j", async (budget, expected) => {
    const view = await budgeted(text, budget)
    expect(view.text).toBe(expected)
    expect(view.truncated).toBe(expected !== text)
    expect(view.lines_total).toBe(7)
  })

  it("L16: max_chars counts characters, never halves of them", async () => {
    expect((await budgeted("😀".repeat(10), { max_chars: 4 })).text).toBe("😀😀\n... 6 chars elided ...\n😀😀")
  })

  it("a dropped middle breaks lines: it is said, nothing matches across it, numbers begin anew", async () => {
    const broken: PageSource = () => [
      { bytes: bytesOf("one\ntwo\nerr"), from: 0 },
      { bytes: bytesOf("or\nfour\nfive\n"), from: 1000 },
    ]
    const grep = (pattern: string) => ({ grep: { pattern, context: 0 } })
    const view = (budget: BudgetInput) => applyBudget(broken, compileBudget(budget), 77)
    expect(await view(grep("error"))).toMatchObject({ lines_kept: 0, lines_total: 77, truncated: true })
    expect((await view(grep("^err$|^or$"))).lines_kept).toBe(0)
    expect((await view(grep("^err|or$"))).text).toBe(
      "... 2 lines elided ...\nerr\n... 989 bytes dropped ...\nor\n... 2 lines elided ...\n",
    )
    expect((await view({ keep: { mode: "head_tail", n: 1 } })).text).toBe(
      "one\n... 2 lines elided ...\n... 989 bytes dropped ...\n... 2 lines elided ...\nfive\n",
    )
    expect((await view({ keep: { mode: "all" } })).text).toBe(
      "one\ntwo\nerr\n... 989 bytes dropped ...\nor\nfour\nfive\n",
    )
    const { stdout } = await sharedViews({ stdout: broken, stderr: paged("") })
    expect(stdout.text).toBe("one\ntwo\nerr\n... 989 bytes dropped ...\nor\nfour\nfive\n")
    const pattern = compileLinePattern("five|two", "grep_pattern")
    const found = await grepLog(broken, { pattern, context: 2, maxMatches: 9, firstLines: [1, 75] })
    expect(found.matches).toEqual([
      { line: 2, byte: 4, text: "two", before: ["one"], after: ["err"] },
      { line: 77, byte: 1008, text: "five", before: ["or", "four"], after: [] },
    ])
  })

  it("a pattern over whole pages finds what it finds line by line", () => {
    const line = fc.array(fc.constantFrom("a", "b", "-", "", " ", "é"), { maxLength: 6 }).map((parts) => parts.join(""))
    const pattern = fc.constantFrom(
      "^a",
      "b$",
      "^$",
      "\\ba",
      "a\\B",
      "\\Aa",
      "b\\z",
      "(?-m:^b)",
      "(?i)A.B",
      "[^a]b",
      "^a?b*$",
    )
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), pattern, (lines, text) => {
        const compiled = compileLinePattern(text, "grep_pattern")
        const any = lines.some((one) => compiled.matches(one))
        if (any) expect(compiled.mayMatch(`${lines.join("\n")}\n`)).toBe(true)
      }),
    )
  })

  it("L16: names what is in force", () => {
    const input: BudgetInput = { grep: { pattern: "x", context: 0 }, keep: { mode: "head_tail", n: 1 }, max_chars: 10 }
    expect(compileBudget(input).mode).toBe("grep+head_tail+max_chars")
    expect(compileBudget({ keep: { mode: "all" } }).mode).toBe("all")
  })

  it("L16: a page's size never changes a view", async () => {
    const lines = fc.array(fc.constantFrom("a\n", "b\n", "\n", "x\ry\n", "€\n", "\x1b[1mz\n", "tail"), {
      maxLength: 30,
    })
    const budget = compileBudget({
      grep: { pattern: "[axz€]", context: 1 },
      keep: { mode: "head_tail", n: 3 },
      max_chars: 30,
    })
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        const whole = await applyBudget(paged(parts.join(""), 1_000_000), budget)
        expect(await applyBudget(paged(parts.join(""), size), budget)).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })
})

describe("without a budget", () => {
  it("L17: a short stderr is whole, stdout has head and tail at line borders", async () => {
    const { stdout, stderr } = await sharedViews({ stdout: paged(seq(100_000)), stderr: paged("REAL ERROR\n") })
    expect(stderr).toEqual({ text: "REAL ERROR\n", truncated: false, binary: false })
    expect(stdout.truncated).toBe(true)
    const [head = "", count = "", tail = ""] = stdout.text.split(/\.\.\. (\d+) chars elided \.\.\.\n/)
    expect(seq(100_000).startsWith(head)).toBe(true)
    expect(seq(100_000).endsWith(tail)).toBe(true)
    expect(head.endsWith("\n")).toBe(true)
    expect(head.length + Number(count) + tail.length).toBe(seq(100_000).length)
    expect(head.length + tail.length).toBeLessThanOrEqual(32_000 - 11)
    expect(head.length + tail.length).toBeGreaterThan(31_900)
    expect(head.length).toBeGreaterThan(12_700)
    expect(head.length).toBeLessThanOrEqual(12_796)
  })

  it("L17: stderr is assured 8,000, and each gets what the other leaves", async () => {
    const long = "x".repeat(100_000)
    const both = await sharedViews({ stdout: paged(long), stderr: paged(long) })
    expect(both.stderr.text.replace(/\n.*\n/, "").length).toBe(8000)
    expect(both.stdout.text.replace(/\n.*\n/, "").length).toBe(24_000)
    const quiet = await sharedViews({ stdout: paged("x".repeat(2000)), stderr: paged(long) })
    expect(quiet.stdout.truncated).toBe(false)
    expect(quiet.stderr.text.replace(/\n.*\n/, "").length).toBe(30_000)
  })
})

describe("totals", () => {
  it("L16: bytes and lines are exact, a last line without newline counts", () => {
    const counter = new StreamCounter()
    expect(counter.lines).toBe(0)
    counter.push(bytesOf("a\nb"))
    expect(counter.lines).toBe(2)
    counter.push(bytesOf(""))
    counter.push(bytesOf("c\n\n"))
    expect({ bytes: counter.bytes, lines: counter.lines }).toEqual({ bytes: 6, lines: 3 })
  })
})
