import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkPath, comparePaths, isWithin, parsePath } from "../../../core/files/paths.ts"

describe("lexical rules of Project paths", () => {
  it.each([
    ["../x", "parent"],
    ["a/../b", "parent"],
    ["/etc/passwd", "absolute"],
    ["\\x", "absolute"],
    ["C:\\x", "absolute"],
    ["file:///etc/passwd", "uri"],
    ["file:x", "uri"],
    ["https://x/y", "uri"],
    ["~/x", "absolute"],
    ["~", "absolute"],
    ["a\tb", "control_char"],
    ["a\u0085b", "control_char"],
    ["", "empty"],
    [".", "empty"],
    ["./", "empty"],
    ["a".repeat(256), "component_too_long"],
    ["a/".repeat(300), "too_long"],
    ["a\ud800", "not_unicode"],
  ])("F1: refuses %j as %s", (text, fault) => {
    expect(checkPath(text, "file")).toEqual({ fault })
  })

  it.each([
    ["./src//a.txt", "src/a.txt"],
    ["src/", "src"],
    [".", "."],
    ["~x/a", "~x/a"],
    ["a\\b", "a\\b"],
    [" a ", " a "],
  ])("F2: normalises %j to %j", (text, path) => {
    expect(checkPath(text)).toEqual({ path })
  })

  it("normalising twice changes nothing, and no component of a path leads up", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "b", ".", "/", "~", ":", "é"), maxLength: 20 }), (text) => {
        const { path } = checkPath(text)
        if (path === undefined) return
        expect(checkPath(path)).toEqual({ path })
        expect(path.split("/")).not.toContain("..")
        expect(path.startsWith("/")).toBe(false)
      }),
    )
  })

  it("orders component by component, each by bytes", () => {
    expect(["a-b", "a/x", "a", "B", "\u{1f600}", "\uffee"].sort(comparePaths)).toEqual([
      "B",
      "a",
      "a/x",
      "a-b",
      "\uffee",
      "\u{1f600}",
    ])
  })

  it("compares containment by components", () => {
    expect(isWithin(parsePath("safe-evil/f"), parsePath("safe"))).toBe(false)
    expect(isWithin(parsePath("safe/f"), parsePath("safe"))).toBe(true)
  })
})
