import { existsSync, globSync } from "node:fs"
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import packageFile from "../../package.json" with { type: "json" }
import { REPOSITORY } from "../support/build.ts"
import { hostProgram, mustRun, personEnv, programsWith, RUNTIMES, runProgram } from "../support/host-programs.ts"
import { serveAndCall } from "../support/serve-and-call.ts"

/** What each export of package.json must offer, on every runtime. */
const ENTRIES: Readonly<Record<string, string>> = {
  holdfast: "createHoldfast",
  "holdfast/core": "defineTool",
  "holdfast/sdk": "createClient",
  "holdfast/sdk/local": "connectLocal",
  "holdfast/server": "serve",
  "holdfast/mcp": "createMcpHttpDoor",
  "holdfast/adapters/audit-log": "createAuditLog",
  "holdfast/adapters/chat-sessions": "createNoChatSessions",
  "holdfast/adapters/clock": "createSystemClock",
  "holdfast/adapters/data-dir": "resolveDataDir",
  "holdfast/adapters/http": "exposureOf",
  "holdfast/adapters/local-token": "createLocalTokenFile",
  "holdfast/adapters/mcp": "createMcpHttpDoor",
  "holdfast/adapters/processes": "createProcessProbe",
  "holdfast/adapters/runners/local": "createLocalRunner",
  "holdfast/adapters/signals": "createSignals",
  "holdfast/adapters/storage": "openStore",
  "holdfast/adapters/telemetry": "createPinoTelemetry",
}

const IMPORTS = `const missing = []
for (const [entry, name] of Object.entries(${JSON.stringify(ENTRIES)})) {
  const module = await import(entry).catch((error) => ({ error }))
  if (typeof module[name] !== "function") missing.push(entry + ": " + (module.error?.message ?? "no " + name))
}
console.log(JSON.stringify(missing))
`

const CONSUMER = `import { createClient, isHoldfastError } from "holdfast/sdk"
import { connectLocal } from "holdfast/sdk/local"

export async function first(): Promise<string | undefined> {
  const remote = createClient({ baseUrl: "https://h.example", token: "x" })
  await remote.tools.list_projects()
  const client = await connectLocal({ port: 4747 })
  const { projects } = await client.tools.list_projects()
  return isHoldfastError(projects) ? projects.kind : projects[0]?.project
}
`

const deno = path.join(REPOSITORY, "node_modules/.bin/deno")
const tool = (name: string): string => path.join(REPOSITORY, "node_modules/.bin", name)

describe("the package", () => {
  let scratch: string
  let clone: string
  let tarball: string
  let consumer: string
  const at = (...names: readonly string[]): string => path.join(scratch, ...names)
  const env = (runtime: keyof typeof RUNTIMES) => personEnv(at("programs", runtime))

  beforeAll(async () => {
    scratch = await realpath(await mkdtemp(path.join(tmpdir(), "hf-packaging-")))
    clone = at("clone")
    consumer = at("consumer")
    for (const [name, node] of Object.entries(RUNTIMES)) await programsWith(node, at("programs", name))
    await programsWith(hostProgram("node"), at("programs", "host"))
    await mustRun("git", ["clone", "--quiet", "--local", REPOSITORY, clone], {})
  }, 60_000)
  afterAll(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }))

  it("D68: npm ci on a clean clone, with node, npm, sh and git alone, builds what npm start serves", {
    timeout: 300_000,
  }, async () => {
    const host = personEnv(at("programs", "host"))
    await mustRun("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: clone, env: host })
    const answer = await serveAndCall({
      program: "npm",
      args: ["start"],
      cwd: clone,
      home: at("home", "clone"),
      env: host,
    })
    expect(answer).toMatchObject({ success: true, output: { projects: [{ project: "clone" }] } })
    expect(await mustRun("npm", ["exec", "holdfast", "--", "setup", "cursor"], { cwd: clone, env: host })).toContain(
      path.join(clone, "dist/server/bin.js"),
    )
  })

  it("packs, and installs into an empty folder without a development dependency", { timeout: 180_000 }, async () => {
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", scratch]
    const packed = JSON.parse(await mustRun("npm", pack, { cwd: clone, env: env("Node 24") }))
    const [{ filename, size, unpackedSize, files }] = Array.isArray(packed) ? packed : Object.values<never>(packed)
    tarball = at(filename)
    const paths: readonly string[] = files.map((file: { path: string }) => file.path)
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", "openapi/openapi.json"]))
    expect(
      paths.filter((name) => !/^(dist\/|openapi\/[^/]+\.json$|LICENSE$|README\.md$|package\.json$)/.test(name)),
    ).toEqual([])

    await mkdir(consumer)
    await writeFile(path.join(consumer, "package.json"), '{"private":true,"type":"module"}')
    const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball]
    await mustRun("npm", install, { cwd: consumer, env: env("Node 22.14") })
    const lock = JSON.parse(await readFile(path.join(REPOSITORY, "package-lock.json"), "utf8"))
    const development = Object.keys(packageFile.devDependencies).filter(
      (name) => lock.packages[`node_modules/${name}`].dev,
    )
    expect(development.length).toBeGreaterThan(10)
    expect(development.filter((name) => existsSync(path.join(consumer, "node_modules", name)))).toEqual([])
    const installed = await mustRun("du", ["-sk", path.join(consumer, "node_modules")], {})
    console.log(
      `Tarball ${Math.round(size / 1024)} KiB, unpacked ${Math.round(unpackedSize / 1024)} KiB, ` +
        `installed with all dependencies ${Math.round(Number.parseInt(installed, 10) / 1024)} MiB.`,
    )
  })

  it("publint and attw find nothing", { timeout: 120_000 }, async () => {
    const own = path.join(consumer, "node_modules/holdfast")
    await mustRun(tool("publint"), [own, "--strict", "--pack", "false"], { env: personEnv(process.env.PATH ?? "") })
    // The package is ES modules alone: node16 as a module, and bundlers.
    await mustRun(tool("attw"), [tarball, "--profile", "esm-only"], { env: personEnv(process.env.PATH ?? "") })
  })

  it("every adapter with an entry is among the imports below", () => {
    const built = globSync("dist/adapters/**/index.js", { cwd: path.join(consumer, "node_modules/holdfast") })
    expect(built.map((file) => `holdfast/${file.slice("dist/".length, -"/index.js".length)}`).toSorted()).toEqual(
      Object.keys(ENTRIES).filter((entry) => entry.startsWith("holdfast/adapters/")),
    )
    expect(Object.keys(packageFile.exports)).toEqual([
      ".",
      "./core",
      "./sdk",
      "./sdk/local",
      "./server",
      "./mcp",
      "./adapters/*",
    ])
  })

  it.each(Object.keys(RUNTIMES) as (keyof typeof RUNTIMES)[])(
    "D67: %s imports every entry and serves one call",
    {
      timeout: 60_000,
    },
    async (runtime) => {
      await writeFile(path.join(consumer, "imports.mjs"), IMPORTS)
      const own = env(runtime)
      const end = await runProgram("node", ["imports.mjs"], { cwd: consumer, env: own })
      expect(end).toEqual({ code: 0, stdout: "[]\n", stderr: "" })
      expect(await runProgram("npx", ["holdfast", "--version"], { cwd: consumer, env: own })).toEqual({
        code: 0,
        stdout: `${packageFile.version}\n`,
        stderr: "",
      })
      const args = ["holdfast", "serve"]
      const home = at("home", runtime)
      const answer = await serveAndCall({ program: "npx", args, cwd: consumer, home, env: own })
      expect(answer).toMatchObject({ success: true, output: { projects: [{ project: "consumer" }] } })
    },
  )

  it("D67: Deno imports every entry and serves one call", { timeout: 60_000 }, async () => {
    const own = personEnv(process.env.PATH ?? "", { DENO_DIR: at("deno") })
    const end = await runProgram(deno, ["run", "--allow-all", "imports.mjs"], { cwd: consumer, env: own })
    expect(end).toMatchObject({ code: 0, stdout: "[]\n" })
    const bin = "node_modules/holdfast/dist/server/bin.js"
    const answer = await serveAndCall({
      program: deno,
      args: ["run", "--allow-all", bin, "serve"],
      cwd: consumer,
      home: at("home", "Deno"),
      env: own,
    })
    expect(answer).toMatchObject({ success: true, output: { projects: [{ project: "consumer" }] } })
  })

  it("D67: an older Node is told in one sentence", async () => {
    const node = hostProgram("node")
    const version = (await mustRun(node, ["--version"], {})).trim()
    if (!version.startsWith("v20.")) {
      console.log(`Not run: this machine's own node is ${version}, and the sentence is for Node 20.`)
      return
    }
    const bin = path.join(consumer, "node_modules/holdfast/dist/server/bin.js")
    expect(await runProgram(node, [bin, "serve"], { cwd: consumer })).toEqual({
      code: 1,
      stdout: "",
      stderr: `Holdfast needs Node 22.14 or newer; this is Node ${version.slice(1)}.\n`,
    })
  })

  it("the SDK's types compile in a strict project that checks libraries", { timeout: 60_000 }, async () => {
    await writeFile(path.join(consumer, "consumer.ts"), CONSUMER)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: "nodenext",
      target: "es2022",
      lib: ["ES2022", "DOM", "DOM.AsyncIterable"],
      types: [],
      skipLibCheck: false,
    }
    await writeFile(path.join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }))
    await mustRun(process.execPath, [tool("tsc"), "-p", consumer], {})
  })
})
