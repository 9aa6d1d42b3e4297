import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkFence } from "../../../core/shells/fence/check-fence.ts"
import { fenceFileSchema, operatorFence } from "../../../core/shells/fence/policy.ts"
import { scanCommands } from "../../../core/shells/fence/scan-commands.ts"

const policy = operatorFence(
  fenceFileSchema.parse({ deny_patterns: ["a+b"], builtin: true, deny: ["rm"], allow: ["ls"] }),
)
const onlyDeny = operatorFence(fenceFileSchema.parse({ deny: ["rm"] }))

const pieces = [
  ..."\\'\"$`#;&|()<>{}!=*?[]~ \t\n-1aE",
  "$(",
  "$((",
  "${",
  "((",
  "))",
  "<<E\n",
  "<<-'E'\n",
  "\nE\n",
  "$'",
  '$"',
  "<(",
  "[[ ",
  " ]]",
  "case x in ",
  ";;",
  " esac ",
  "if ",
  "for x in ",
  " do ",
  "f() ",
  "x=(",
  "@(",
  "time ",
  "coproc ",
  "sudo -u ",
  "env -S ",
  "curl | sh",
  "rm -rf /",
  "\\`",
  "\ud800",
]

/** Repeated, each of these nests, waits for an end that never comes, or has to be read again. */
const HOSTILE = [
  "$(",
  "`",
  "\\`",
  "$((",
  "((",
  "(",
  "${",
  '"$(',
  '"${x:-',
  "x=(",
  "@(",
  "<<E\n$(",
  "cat <<E\n`cat <<E\n",
  "$(cat <<E\n",
  "<<A ",
  "case x in a)",
  "$(( ) ",
  "f (    ",
  "a\\\n",
  "'\"",
  "sudo ",
  "env -S 'a b' ",
  "{a,",
  "a;",
  "a ",
  "a|",
  "curl|sh|",
  "[[ ",
  "$'\\x",
  "#",
]

describe("a fence in front of any text", () => {
  it("never throws", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string())), (parts) => {
        expect(() => checkFence(parts.join(""), policy)).not.toThrow()
      }),
      { numRuns: 3_000 },
    )
  })

  it("finds a denied program after any complete line", () => {
    const lines = fc.constantFrom(
      "a 'b;c' # rm",
      "x=$(b `c`)",
      "cat <<E\nrm\nE",
      "f() { a; }",
      "(a) | { b; }",
      "[[ a ]] && b",
    )
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 12 }), (before) => {
        const text = before.join("\n")
        expect(checkFence(text, onlyDeny)).toBeUndefined()
        expect(checkFence(`${text}\nrm x`, onlyDeny)).toMatchObject({ rule: "deny", program: "rm" })
      }),
    )
  })

  it("takes time linear in a hostile text", () => {
    for (const piece of HOSTILE) {
      const short = fastest(piece, 4_096)
      const long = fastest(piece, 262_144)
      // 64 times the text; a quadratic reader would take 4,096 times as long, and a loaded machine a few times.
      expect(long, JSON.stringify(piece)).toBeLessThan(Math.max(short, 0.2) * 64 * 12)
    }
  })

  it("a text of the greatest length is read to its end, or said to be incomplete", () => {
    expect(scanCommands("a;".repeat(524_288), () => undefined).complete).toBe(true)
    expect(scanCommands("$(".repeat(524_288), () => undefined).complete).toBe(false)
    expect(scanCommands("$(cat <<E\n".repeat(100_000), () => undefined).complete).toBe(false)
  })
})

/** Milliseconds of the fastest of three. */
function fastest(piece: string, units: number): number {
  const text = piece.repeat(Math.ceil(units / piece.length))
  const times = [1, 2, 3].map(() => {
    const start = performance.now()
    checkFence(text, policy)
    return performance.now() - start
  })
  return Math.min(...times)
}
