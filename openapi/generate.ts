// Writes every generated file, or with `--check` says which one is out of date (spec doors.md §3.1). Runs on Node and Deno.
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import openapiTS, { astToString } from "openapi-typescript"
import { createRegistry } from "../core/kernel/registry.ts"
import { allTools } from "../core/tools.ts"
import { serialise } from "./json.ts"
import { sdkFacts } from "./sdk-facts.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const check = process.argv.includes("--check")
const stale: string[] = []

/** Writes a file, or in check mode notes that its committed text differs. */
function emit(file: string, text: string): void {
  const target = path.join(root, file)
  const committed = readOrEmpty(target)
  if (committed === text) return
  if (check) stale.push(file)
  else {
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

/** tsoa writes into a directory of its own, so that a check never touches a committed file. */
function emitOperatorPart(): void {
  const scratch = path.join(root, "node_modules/.cache", `holdfast-generate-${process.pid}`)
  mkdirSync(scratch, { recursive: true })
  try {
    const config = JSON.parse(readFileSync(path.join(root, "server/tsoa.json"), "utf8"))
    config.spec.outputDirectory = scratch
    config.routes.routesDir = scratch
    const configFile = path.join(scratch, "tsoa.json")
    writeFileSync(configFile, JSON.stringify(config))
    execFileSync(path.join(root, "node_modules/.bin/tsoa"), ["spec-and-routes", "-c", configFile], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    })
    emit("openapi/generated/operator.json", readFileSync(path.join(scratch, "operator.json"), "utf8"))
    const routes = readFileSync(path.join(scratch, "routes.ts"), "utf8")
    const fromScratch = `${path.relative(scratch, path.join(root, "server")).replaceAll(path.sep, "/")}/`
    emit("server/generated/routes.ts", routes.replaceAll(fromScratch, "../"))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

emitOperatorPart()
// Loaded only now: the documents import the operator part as it was just written.
const { buildDocuments } = await import("./documents.ts")
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))
const registry = createRegistry(allTools)
const documents = buildDocuments(registry, { version, serverUrl: "http://127.0.0.1:4747" })
const full = serialise(documents.full)
emit("openapi/openapi.json", full)
emit("openapi/gpt-actions.json", serialise(documents.actions))
emit("sdk/generated/tool-facts.ts", sdkFacts(registry))
const types = astToString(await openapiTS(full, { defaultNonNullable: false, alphabetize: false }))
emit(
  "sdk/generated/schema.ts",
  `// Generated from openapi/openapi.json by \`npm run generate\`; do not edit.\n\n${types}`,
)

if (stale.length > 0) {
  for (const file of stale) console.error(`${file} is out of date; run \`npm run generate\` and commit it.`)
  process.exitCode = 1
}
