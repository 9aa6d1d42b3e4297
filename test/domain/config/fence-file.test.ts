import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { checkFence } from "../../../core/shells/fence/check-fence.ts"
import { ConfigError } from "../../../server/config/config-error.ts"
import { readFence } from "../../../server/config/fence-file.ts"

describe("fence_file (shells.md §8)", () => {
  let directory: string
  let file: string
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "hf-fence-"))
    file = path.join(directory, "fence.json")
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it("is read once and compiled; without one nothing is refused", async () => {
    await writeFile(file, JSON.stringify({ deny: ["rm"], deny_patterns: ["\\bproduction\\b"] }))
    const policy = readFence(file)
    expect(checkFence("rm x", policy)?.rule).toBe("deny")
    expect(checkFence("echo production", policy)?.rule).toBe("deny_patterns")
    expect(checkFence("echo x", policy)).toBeUndefined()
    expect(checkFence("rm x", readFence(undefined))).toBeUndefined()
  })

  it.each([
    ["not JSON", "{", "is not a JSON object"],
    ["a list", "[]", "is not a JSON object"],
    ["a member twice", '{"deny":[],"deny":["rm"]}', "names a member twice (line 1)"],
    ["an unknown member", '{"denied":[]}', '"denied"'],
    ["a path", '{"deny":["ls","/bin/rm"]}', "deny, item 2"],
    ["a pattern that no linear engine takes", '{"deny_patterns":["a(?=b)"]}', "deny_patterns, item 1"],
    ["builtin as text", '{"builtin":"true"}', "builtin must be true or false"],
  ])("%s stops the start and is named", async (_what, text, named) => {
    await writeFile(file, text)
    const start = (): unknown => readFence(file)
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(file)
    expect(start).toThrow(named)
    expect(start).toThrow(/advisory/)
  })

  it("one that cannot be read stops the start", () => {
    expect(() => readFence(file)).toThrow(`fence_file ${file} cannot be read`)
  })
})
