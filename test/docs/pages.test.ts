import { existsSync, globSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { checkFence } from "../../core/shells/fence/check-fence.ts"
import { fenceFileSchema, operatorFence } from "../../core/shells/fence/policy.ts"
import { type ConfigKey, configKeys, configSchema, isFileOnly } from "../../server/config/keys.ts"
import { loadConfig } from "../../server/config/load-config.ts"
import { REPOSITORY } from "../support/build.ts"
import { makePlace } from "../support/place.ts"
import { blocksIn, blocksOf, PAGES, read } from "./markdown.ts"

describe("pages", () => {
  it.each(PAGES)("%s: every relative link leads somewhere", (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)].map(({ 1: target = "" }) => target)
    const missing = targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(path.join(REPOSITORY, path.dirname(page), target)))
    expect(missing).toEqual([])
  })

  it("docs/architecture.md names only paths that exist", () => {
    const named = [...read("docs/architecture.md").matchAll(/`([\w.-]+(?:\/[\w.*-]+)*\/?)`/g)]
      .map(({ 1: name = "" }) => name)
      .filter((name) => name.includes("/") || /\.(ts|json|md|yml)$/.test(name))
    expect(named.length).toBeGreaterThan(10)
    const missing = named.filter((name) => !name.includes("*") && !name.startsWith("@")).filter((name) => !exists(name))
    expect(missing).toEqual([])
  })

  it("every JSON block is JSON", () => {
    for (const { at, text } of blocksIn("json")) expect(() => JSON.parse(text), at).not.toThrow()
  })
})

it("docs/shells.md: its fence is accepted, and refuses what it says", () => {
  const [example] = blocksOf("docs/shells.md", "json")
  const policy = operatorFence(fenceFileSchema.parse(JSON.parse(example?.text ?? "")))
  const rules = ["shutdown", "kubectl -n production get pods", "rm -rf ~", "ls"].map(
    (text) => checkFence(text, policy)?.rule,
  )
  expect(rules).toEqual(["builtin", "deny_patterns", "builtin", undefined])
})

describe("docs/configuration.md", () => {
  it("its table is the configuration schema", () => {
    const rows = read("docs/configuration.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
    expect(rows).toEqual(configKeys.map(rowOf))
  })

  it("its example file is accepted", async () => {
    const [example] = blocksOf("docs/configuration.md", "json")
    const place = await makePlace()
    try {
      const file = path.join(place.home, "config.json")
      await writeFile(file, example?.text ?? "")
      const { config } = loadConfig({ flags: {}, env: {}, dataDir: place.dataDir, file })
      expect(config.projects[0]?.project).toBe("demo")
      expect(Object.keys(JSON.parse(example?.text ?? "")).toSorted()).toEqual(configKeys.filter(isFileOnly).toSorted())
    } finally {
      await place.remove()
    }
  })
})

/** A path from the root, or the bare name of a file that lies somewhere in the code. */
function exists(name: string): boolean {
  if (existsSync(path.join(REPOSITORY, name))) return true
  return (
    !name.includes("/") &&
    globSync(`{core,adapters,server,sdk,openapi,test}/**/${name}`, { cwd: REPOSITORY }).length > 0
  )
}

function rowOf(key: ConfigKey): string {
  const schema = configSchema.shape[key]
  const value = schema.parse(undefined)
  const shown = value === undefined || (Array.isArray(value) && value.length === 0) ? "–" : `\`${String(value)}\``
  return `| \`${key}\` | ${shown} | ${schema.description ?? ""} |`
}
