import { readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { createRegistry } from "../../core/kernel/registry.ts"
import { allTools } from "../../core/tools.ts"
import { buildDocuments } from "../../openapi/documents.ts"
import { isObject, type JsonObject, type JsonValue, objectAt } from "../../openapi/json.ts"
import { lintActions } from "../../openapi/lint-actions.ts"
import { REPOSITORY } from "../support/build.ts"

const PUBLIC_URL = "https://h.example"
const registry = createRegistry(allTools)
const { full, actions } = buildDocuments(registry, { version: "0.1.0", serverUrl: PUBLIC_URL })

/** Names of the operations of a document, in its order. */
const namesIn = (document: JsonObject): string[] => Object.keys(objectAt(document, "paths"))

function operation(document: JsonObject, name: string): JsonObject {
  return objectAt(objectAt(objectAt(document, "paths"), `/tools/${name}`), "post")
}

type Change = readonly [at: string, value: JsonValue | undefined]

type Fault = readonly [rule: string, what: string, first: Change, second?: Change]

/** A copy with members put at `/`-separated places; `undefined` takes one away. */
function changed(...changes: readonly Change[]): JsonObject {
  const copy = changes.reduce<JsonValue>((value, [at, member]) => put(value, at.split("|"), member), actions)
  return isObject(copy) ? copy : {}
}

function put(value: JsonValue | undefined, [name = "", ...rest]: readonly string[], member: Change[1]): JsonValue {
  const inner = (old: JsonValue | undefined) => (rest.length === 0 ? member : put(old, rest, member))
  if (Array.isArray(value)) return value.with(Number(name), inner(value[Number(name)]))
  const object = isObject(value) ? value : {}
  return { ...object, [name]: inner(object[name]) }
}

describe("the GPT Actions document (doors.md §3.3)", () => {
  it("D34: G1–G7 hold, and its server is exactly public_url", () => {
    expect(lintActions(actions)).toEqual([])
    expect(actions["servers"]).toEqual([{ url: PUBLIC_URL }])
  })

  it("the committed one holds them on loopback", async () => {
    const committed = JSON.parse(await readFile(path.join(REPOSITORY, "openapi/gpt-actions.json"), "utf8"))
    expect(lintActions(committed, { loopback: true })).toEqual([])
    expect(lintActions(committed).map(({ rule }) => rule)).toEqual(["G2"])
  })

  it("has the coding tools in catalogue order, then the gateways; no operator route", () => {
    const coding = registry.exposed.filter(({ surfaces }) => surfaces.includes("coding")).map(({ name }) => name)
    expect(namesIn(actions)).toEqual([...coding, "call_read_tool", "call_tool"].map((name) => `/tools/${name}`))
    expect(JSON.stringify(actions)).not.toMatch(/x-holdfast|\/api\/|\/health|"tags":\[|"example/)
  })

  it("D36: flags", () => {
    const flag = (name: string) => operation(actions, name)["x-openai-isConsequential"]
    expect(["read_files", "work_on_project", "call_read_tool"].map(flag)).toEqual([false, false, false])
    expect(["apply_text_edits", "run_shell", "call_tool"].map(flag)).toEqual([true, true, true])
  })

  const post = "paths|/tools/list_tools|post"
  const schema = `${post}|requestBody|content|application/json|schema`
  const field = `${schema}|properties|o`
  const many = Object.fromEntries(
    Array.from(Array(31).keys(), (n) => [
      `/tools/t${n}`,
      { post: { ...operation(actions, "list_tools"), operationId: `t${n}` } },
    ]),
  )
  const cycle = { type: "object", properties: { a: { $ref: "#/components/schemas/A" } } }
  const faults: readonly Fault[] = [
    ["G1", "another version", ["openapi", "3.0.3"]],
    ["G1", "31 operations", ["paths", many]],
    ["G1", "a GET", ["paths|/tools/list_tools|get", {}]],
    ["G1", "parameters", [`${post}|parameters`, []]],
    ["G1", "an optional body", [`${post}|requestBody|required`, false]],
    ["G1", "webhooks", ["webhooks", {}]],
    ["G2", "a path", ["servers|0|url", "https://h.example/x"]],
    ["G2", "a port", ["servers|0|url", "https://h.example:8443"]],
    ["G2", "two servers", ["servers", [{ url: PUBLIC_URL }, { url: "https://i.example" }]]],
    ["G2", "another scheme", ["components|securitySchemes|key", { type: "apiKey" }]],
    ["G2", "another requirement", ["security", [{ bearer: [] }, {}]]],
    ["G3", "a name twice", [`${post}|operationId`, "call_tool"]],
    ["G3", "no name", [`${post}|operationId`, "Call-Tool"]],
    ["G4", "no summary", [`${post}|summary`, undefined]],
    ["G4", "a long description", [`${post}|description`, "x".repeat(301)]],
    ["G4", "a long field description", [`${schema}|description`, "x".repeat(701)]],
    ["G5", "no flag", [`${post}|x-openai-isConsequential`, undefined]],
    ["G6", "an object without properties", [field, { type: "object" }]],
    ["G6", "a union", [field, { oneOf: [] }]],
    ["G6", "a type array", [field, { type: ["string", "null"] }]],
    ["G6", "nullable", [field, { type: "string", nullable: true }]],
    ["G6", "an array without items", [field, { type: "array" }]],
    ["G6", "a reference to nothing", [field, { $ref: "#/components/schemas/None" }]],
    ["G6", "a cycle", [field, { $ref: "#/components/schemas/A" }], ["components|schemas|A", cycle]],
    ["G7", "800,001 bytes", ["info|x-filler", "x".repeat(800_001)]],
  ]
  it.each(faults.map((fault) => ({ rule: fault[0], what: fault[1], fault })))(
    "$rule finds $what",
    ({ rule, fault }) => {
      const [, , first, second] = fault
      expect([
        ...new Set(
          lintActions(second === undefined ? changed(first) : changed(first, second)).map((found) => found.rule),
        ),
      ]).toEqual([rule])
    },
  )
})

describe("the full document (doors.md §3.2)", () => {
  it("has all tools, the gateways, then the operator routes by name; every operation names its refusals", () => {
    const paths = namesIn(full)
    const operator = paths.filter((name) => name.startsWith("/api/"))
    expect(paths).toEqual([
      ...registry.tools.map(({ name }) => `/tools/${name}`),
      "/tools/call_read_tool",
      "/tools/call_tool",
      ...[...operator].sort(),
    ])
    expect(operator).toEqual([
      "/api/grants/create",
      "/api/grants/list",
      "/api/grants/revoke",
      "/api/projects/list",
      "/api/projects/register",
      "/api/projects/unregister",
      "/api/runtime/stream",
      "/api/status",
      "/api/tokens/create",
      "/api/tokens/list",
      "/api/tokens/revoke",
      "/api/users/add",
      "/api/users/disable",
      "/api/users/list",
      "/api/workflow-sessions/close",
      "/api/workflow-sessions/summary",
    ])
    for (const item of Object.values(objectAt(full, "paths"))) {
      const [operation] = Object.values(isObject(item) ? item : {})
      const statuses = Object.keys(objectAt(isObject(operation) ? operation : {}, "responses"))
      expect(statuses).toEqual(["200", "400", "401", "403", "404", "405", "409", "413", "415", "429", "500", "503"])
    }
  })

  it("its hash leaves out servers and version, and nothing else", () => {
    const other = buildDocuments(registry, { version: "9.9.9", serverUrl: "http://127.0.0.1:1" })
    expect(other.schemaHash).toBe(objectAt(full, "info")["x-holdfast-schema-hash"])
    expect(other.schemaHash).toMatch(/^[0-9a-f]{32}$/)
    const [first, ...rest] = allTools
    const renamed = createRegistry([{ ...first, title: `${first.title} changed` }, ...rest])
    expect(buildDocuments(renamed, { version: "0.1.0", serverUrl: PUBLIC_URL }).schemaHash).not.toBe(other.schemaHash)
  })
})
