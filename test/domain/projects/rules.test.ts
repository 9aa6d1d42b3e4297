import { describe, expect, it } from "vitest"
import { decodeCursor, encodeCursor } from "../../../core/kernel/list-cursor.ts"
import { isForbiddenRoot, requireAllowedRoot } from "../../../core/projects/roots-policy.ts"
import { freeSlug, slugOfFolder, slugSchema } from "../../../core/projects/slug.ts"

const rules = {
  home: "/home/ada",
  dataDir: "/home/ada/.local/state/holdfast",
  allowedRoots: ["/home/ada", "/srv/projects"],
  operator: false,
}

describe("slugs", () => {
  it.each([
    ["My App", "my-app"],
    ["--x_", "x"],
    ["...", "project"],
    ["日本", "project"],
    ["a".repeat(70), "a".repeat(60)],
    ["v1.2", "v1.2"],
  ])("the folder %j gives %j", (folder, slug) => {
    expect(slugOfFolder(folder)).toBe(slug)
    expect(slugSchema.safeParse(slug).success).toBe(true)
  })

  it("a taken slug gets the next free number", () => {
    expect(freeSlug("a", [])).toBe("a")
    expect(freeSlug("a", ["a", "a-2", "a-4"])).toBe("a-3")
  })
})

describe("which roots may be Projects", () => {
  it.each([
    "/",
    "/home/ada",
    "/etc/x",
    "/home/ada/.local/state/holdfast",
    "/home/ada/.local/state",
    "/home/ada/.local/state/holdfast/runner",
    "/usr",
    "/lib64/x",
    "/var/tmp/x",
    "/var",
    "/private/etc/x",
    "/srv/projects/p/.git",
    "/srv/projects/p/.git/hooks",
    "/srv/projects/p/.GIT/hooks",
    "/srv/projects/p/git~1",
    "/srv/projects/p/.git ./x",
    "/srv/projects/p/.g\u200cit",
    "/home/ada/.ssh",
    "/home/ada/.SSH/keys",
    "/home/ada/.gnupg/x",
    "/home/ada/.aws",
    "/home/ada/.docker",
    "/home/ada/.kube/cache/x",
    "/srv/projects/p/.env",
  ])("K29: %s is forbidden, for the operator too", (path) => {
    expect(isForbiddenRoot(path, rules)).toBe(true)
    expect(() => requireAllowedRoot(path, rules)).toThrowError(expect.objectContaining({ kind: "path_not_allowed" }))
    expect(() => requireAllowedRoot(path, { ...rules, operator: true })).toThrowError(
      expect.objectContaining({ kind: "path_not_allowed", details: { allowed_roots: rules.allowedRoots } }),
    )
  })

  it("components count, not characters", () => {
    for (const path of [
      "/home/ada/p",
      "/srv/projects",
      "/srv/projects/x",
      "/home/ada/.local/state/holdfast-2",
      "/srv/projects/p/.github",
      "/srv/projects/git",
    ]) {
      expect(() => requireAllowedRoot(path, rules)).not.toThrow()
    }
    for (const path of ["/srv/projects-old", "/home/adam", "/opt/x"]) {
      expect(() => requireAllowedRoot(path, rules)).toThrowError(expect.objectContaining({ kind: "path_not_allowed" }))
      expect(() => requireAllowedRoot(path, { ...rules, operator: true })).not.toThrow()
    }
  })

  it("below /var/tmp and /var/lib only where the configuration lists a directory", () => {
    const listed = { ...rules, allowedRoots: ["/var/tmp", "/var/lib/projects"] }
    expect(isForbiddenRoot("/var/tmp/x", listed)).toBe(false)
    expect(isForbiddenRoot("/var/tmp", listed)).toBe(true)
    expect(isForbiddenRoot("/var/lib/projects/x", listed)).toBe(false)
    expect(isForbiddenRoot("/var/lib/other", listed)).toBe(true)
  })
})

describe("cursor", () => {
  it("is bound to the filters and refuses damage", () => {
    const cursor = encodeCursor("b", ["x", undefined, undefined, true])
    expect(decodeCursor(cursor, ["x", undefined, undefined, true])).toBe("b")
    for (const [text, filters] of [
      [cursor, ["y", undefined, undefined, true]],
      ["zzz", ["x", undefined, undefined, true]],
    ] as const) {
      expect(() => decodeCursor(text, [...filters])).toThrowError(
        expect.objectContaining({ kind: "invalid_arguments" }),
      )
    }
  })
})
