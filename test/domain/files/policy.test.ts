import { describe, expect, it } from "vitest"
import { parsePath } from "../../../core/files/paths.ts"
import { createPathPolicy, fold } from "../../../core/files/policy.ts"

const classify = (path: string, policy = createPathPolicy()) => policy.classify(parsePath(path))

describe("protected and sensitive names", () => {
  it.each([".GIT/config", ".g\u200cit/x", ".git./x", "sub/.git/hooks/post-commit", "GIT~1/x", ".git /x", ".git:s/x"])(
    "F10: %j is protected",
    (path) => {
      expect(classify(path)).toBe("protected")
    },
  )

  it.each([
    ".env",
    ".ENV",
    ".env.local",
    "a/key.pem",
    "x.key",
    "id_rsa",
    ".netrc",
    ".ssh/config",
    ".gnupg/x",
    ".aws/credentials",
    "h/.docker/config.json",
    ".kube/config",
    ".env/x",
  ])("F11: %j is sensitive", (path) => {
    expect(classify(path)).toBe("sensitive")
  })

  it.each([
    ".env.example",
    "src/tokens/a.ts",
    "id_rsa.pub",
    ".ssh/known_hosts",
    ".ssh/id_x.pub",
    "secrets.md",
    "MAX_TOKENS.txt",
    "keyboard.ts",
    ".gitignore",
    "docker/config.json",
  ])("F11: %j is plain", (path) => {
    expect(classify(path)).toBe("plain")
  })

  it("deny beats allow beats the built-in list", () => {
    const policy = createPathPolicy({
      sensitive_allow: ["*.pem", "src/**"],
      sensitive_deny: ["src/secret", "**/*.sql"],
    })
    expect(classify("a/b.pem", policy)).toBe("plain")
    expect(classify("src/secret/x.ts", policy)).toBe("sensitive")
    expect(classify("db/dump.sql", policy)).toBe("sensitive")
    expect(classify(".env", policy)).toBe("sensitive")
    expect(classify("src/.git/x", policy)).toBe("protected")
  })

  it("protects the data directory below the root", () => {
    const policy = createPathPolicy(undefined, parsePath("state/holdfast"))
    expect(classify("state/holdfast/db", policy)).toBe("protected")
    expect(classify("state/holdfast2", policy)).toBe("plain")
  })

  it("folds width, case, invisible characters, trailing dots and stream names", () => {
    expect(fold("．ＧＩＴ")).toBe(".git")
    expect(fold(".Git. . ")).toBe(".git")
    expect(fold(".git ::$INDEX_ALLOCATION")).toBe(".git")
  })
})
