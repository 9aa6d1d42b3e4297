import { describe, expect, it } from "vitest"
import { compileGlob } from "../../../core/files/globs/glob.ts"
import { createPathPolicy } from "../../../core/files/policy.ts"
import { compileGlobs } from "../../../core/files/search/globs.ts"
import { IgnoreRules } from "../../../core/files/search/ignore-rules.ts"

const LONG = `${"a".repeat(250)}/${"ab".repeat(120)}`
/** Generous for a loaded machine; a backtracking matcher needs years. */
const BOUND_MS = 2000

function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const started = performance.now()
  const value = work()
  return { value, ms: performance.now() - started }
}

const ignores = (rules: string, path: string, isDirectory = false) =>
  IgnoreRules.none.enter("", [{ kind: "gitignore", text: rules }], false).ignores(path, isDirectory)

describe("globs take no more time than the product of two lengths", () => {
  it.each([
    "*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?Z",
    `${"*a".repeat(127)}Z`,
    `${"**/".repeat(80)}Z`,
    `${"*a*/".repeat(60)}**/Z`,
    `${"[a-b]*".repeat(42)}Z`,
    `${"{a,b}".repeat(6)}*${"*a".repeat(40)}Z`,
  ])("%s", (glob) => {
    const { value, ms } = timed(() => [LONG, "a/".repeat(250)].some(compileGlob(glob)))
    expect(value).toBe(false)
    expect(ms).toBeLessThan(BOUND_MS)
  })

  it("rules of a .gitignore as well", () => {
    const hostile = [
      "*?".repeat(200),
      "*a".repeat(2000),
      "**/".repeat(1000),
      `/${"*a*/".repeat(500)}`,
      "*a".repeat(9000),
    ]
    const { value, ms } = timed(() => ignores(hostile.map((line) => `${line}Z`).join("\n"), LONG))
    expect(value).toBe(false)
    expect(ms).toBeLessThan(BOUND_MS)
  })

  it("globs of a file policy as well", () => {
    const policy = createPathPolicy({ sensitive_allow: [], sensitive_deny: [`${"*?".repeat(120)}Z`] })
    const { value, ms } = timed(() => compileGlobs([], []).wantsFile(LONG) && policy.classify(LONG as never))
    expect(value).toBe("plain")
    expect(ms).toBeLessThan(BOUND_MS)
  })
})

describe("globs", () => {
  it.each([
    ["*.ts", "a/b/c.ts", true],
    ["*.ts", "a/b/c.tsx", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["./src/*.ts", "src/a.ts", true],
    ["src/**", "src/a/b.ts", true],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/a/b/c.ts", true],
    ["**/x/**", "a/x/b", true],
    ["a**b", "axxb", true],
    ["src/a**b", "src/a/b", false],
    ["?.ts", "é.ts", true],
    ["?.ts", "😀.ts", true],
    ["[a-c]x[!0-9]", "bxy", true],
    ["[a-c]x[!0-9]", "bx1", false],
    ["[]]", "]", true],
    ["{a,b/**,c{1,2}}.ts", "c2.ts", true],
    ["src/{a,b}/*.{js,ts}", "src/b/x.js", true],
    ["src/{a,b}/*.{js,ts}", "src/c/x.js", false],
    ["app/(group)/{x}.ts", "app/(group)/{x}.ts", true],
    ["\\*.ts", "*.ts", true],
    ["\\*.ts", "a.ts", false],
    [".*", "a/.hidden", true],
    ["*", ".hidden", true],
  ])("%j and %j: %j", (glob, path, expected) => {
    expect(compileGlob(glob)(path)).toBe(expected)
  })

  it.each(["[", "a[b", "{a,b", "x{a,{b,c}", "a\\", "[z-a]", "@(a|b)", "{a,b}".repeat(9)])("%j is refused", (glob) => {
    for (const [include, exclude] of [[[glob], []] as const, [[], [glob]] as const]) {
      expect(() => compileGlobs(include, exclude)).toThrowError(
        expect.objectContaining({ kind: "invalid_glob", details: { reason: "syntax" } }),
      )
    }
  })

  it("an unreadable glob of the operator's opens nothing", () => {
    expect(() => createPathPolicy({ sensitive_allow: [], sensitive_deny: ["secret/["] })).toThrowError(
      expect.objectContaining({ kind: "invalid_glob" }),
    )
  })
})

describe("lines of ignore files", () => {
  it.each([
    ["*.log", "a/x.log", true],
    ["/x", "x", true],
    ["/x", "a/x", false],
    ["a/x", "b/a/x", false],
    ["dir/", "dir", false],
    ["dir/", "dir/f", true],
    ["*\n!keep", "keep", false],
    ["\\#a", "#a", true],
    ["#a", "#a", false],
    ["\\!a", "!a", true],
    ["a  ", "a", true],
    ["a\\ ", "a ", true],
    ["a/**", "a/b/c", true],
    ["a/**/b", "a/b", true],
    ["**/b", "x/y/b", true],
    ["x[", "x[", false],
    ["{a,b}", "a", false],
    ["{a,b}", "{a,b}", true],
    ["a/\n!a/b", "a/b", true],
    ["[a-c]?", "bz", true],
  ])("%j and %j: %j", (rules, path, expected) => {
    expect(ignores(rules, path)).toBe(expected)
  })
})
