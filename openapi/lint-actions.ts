import { isObject, type JsonObject, type JsonValue, objectAt, serialise } from "./json.ts"

/** One breach of a rule of doors.md §3.3 by the GPT Actions document. */
export interface ActionFinding {
  readonly rule: "G1" | "G2" | "G3" | "G4" | "G5" | "G6" | "G7"
  /** Path of the member, with dots. */
  readonly at: string
  readonly message: string
}

interface Operation {
  readonly at: string
  readonly operation: JsonObject
}

const MAX_OPERATIONS = 30
const MAX_DOCUMENT_BYTES = 800_000
const METHODS = ["get", "put", "delete", "options", "head", "patch", "trace"]

/** Every breach of G1–G7; `loopback` admits plain http to this machine, where no `public_url` is set. */
export function lintActions(
  document: JsonObject,
  { loopback = false }: { readonly loopback?: boolean } = {},
): readonly ActionFinding[] {
  const operations = operationsOf(document)
  return [
    ...shape(document, operations),
    ...server(document, loopback),
    ...ids(operations),
    ...texts(document, operations),
    ...operations
      .filter(({ operation }) => typeof operation["x-openai-isConsequential"] !== "boolean")
      .map(({ at }) => finding("G5", at, "x-openai-isConsequential is no boolean")),
    ...[...visit(document)].flatMap((found) => schemaFaults(document, found)),
    ...size(document),
  ]
}

function finding(rule: ActionFinding["rule"], at: string, message: string): ActionFinding {
  return { rule, at, message }
}

function operationsOf(document: JsonObject): readonly Operation[] {
  return Object.entries(objectAt(document, "paths")).map(([path, item]) => ({
    at: `paths.${path}.post`,
    operation: objectAt(isObject(item) ? item : {}, "post"),
  }))
}

function shape(document: JsonObject, operations: readonly Operation[]): readonly ActionFinding[] {
  const found: ActionFinding[] = []
  if (document["openapi"] !== "3.1.0") found.push(finding("G1", "openapi", "is not 3.1.0"))
  if (document["webhooks"] !== undefined) found.push(finding("G1", "webhooks", "exist"))
  if (operations.length > MAX_OPERATIONS) found.push(finding("G1", "paths", `${operations.length} operations of 30`))
  for (const [path, item] of Object.entries(objectAt(document, "paths"))) {
    const members = isObject(item) ? item : {}
    const others = [...METHODS, "parameters"].filter((name) => members[name] !== undefined)
    if (others.length > 0) found.push(finding("G1", `paths.${path}`, `has ${others.join(", ")}`))
  }
  for (const { at, operation } of operations) {
    const body = objectAt(operation, "requestBody")
    const types = Object.keys(objectAt(body, "content"))
    if (body["required"] !== true || types.join() !== "application/json")
      found.push(finding("G1", `${at}.requestBody`, "is no required JSON body"))
    for (const name of ["parameters", "callbacks"])
      if (operation[name] !== undefined) found.push(finding("G1", `${at}.${name}`, "exists"))
  }
  return found
}

function server(document: JsonObject, loopback: boolean): readonly ActionFinding[] {
  const { servers, security } = document
  const found: ActionFinding[] = []
  const urls = Array.isArray(servers) ? servers.map((one) => (isObject(one) ? one["url"] : undefined)) : []
  const [url] = urls
  const isPublic = typeof url === "string" && /^https:\/\/[A-Za-z0-9.-]+$/.test(url)
  const isLocal = typeof url === "string" && /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(url)
  if (urls.length !== 1 || !(isPublic || (loopback && isLocal)))
    found.push(finding("G2", "servers", "is not one https origin on port 443 without path"))
  const schemes = Object.values(objectAt(objectAt(document, "components"), "securitySchemes"))
  const [scheme] = schemes
  if (schemes.length !== 1 || !isObject(scheme) || scheme["type"] !== "http" || scheme["scheme"] !== "bearer")
    found.push(finding("G2", "components.securitySchemes", "is not one bearer scheme"))
  if (!Array.isArray(security) || security.length !== 1) found.push(finding("G2", "security", "is not one requirement"))
  return found
}

function ids(operations: readonly Operation[]): readonly ActionFinding[] {
  const seen = new Set<unknown>()
  return operations.flatMap(({ at, operation }) => {
    const id = operation["operationId"]
    const isFresh = !seen.has(id)
    seen.add(id)
    const isName = typeof id === "string" && /^[a-z][a-z0-9_]{0,62}$/.test(id)
    return isFresh && isName ? [] : [finding("G3", `${at}.operationId`, `${String(id)} is no unique name`)]
  })
}

function texts(document: JsonObject, operations: readonly Operation[]): readonly ActionFinding[] {
  const found: ActionFinding[] = []
  for (const { at, operation } of operations) {
    for (const name of ["summary", "description"]) {
      const text = operation[name]
      if (typeof text !== "string" || text.length === 0 || text.length > 300)
        found.push(finding("G4", `${at}.${name}`, "is absent or longer than 300"))
    }
  }
  for (const { at, value } of visit(document)) {
    const text = value["description"]
    if (typeof text === "string" && text.length > 700) found.push(finding("G4", at, "description longer than 700"))
  }
  return found
}

const COMBINATORS = [
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "patternProperties",
  "propertyNames",
  "prefixItems",
  "$defs",
]

function schemaFaults(document: JsonObject, { at, value, isSchema }: Found): readonly ActionFinding[] {
  const found: ActionFinding[] = []
  const { $ref } = value
  if (typeof $ref === "string") {
    const target = resolve(document, $ref)
    if (target === undefined) found.push(finding("G6", at, `${$ref} does not resolve`))
    else if (reaches(document, target, $ref)) found.push(finding("G6", at, `${$ref} is cyclic`))
  }
  if (!isSchema) return found
  const { type } = value
  for (const keyword of COMBINATORS)
    if (value[keyword] !== undefined) found.push(finding("G6", at, `${keyword} is not read by the host`))
  if (value["nullable"] !== undefined || type === "null" || Array.isArray(type))
    found.push(finding("G6", at, "is nullable or of several types"))
  if (type === "object" && !isObject(value["properties"])) found.push(finding("G6", at, "an object without properties"))
  if (type === "array" && !isObject(value["items"])) found.push(finding("G6", at, "an array without items"))
  return found
}

function resolve(document: JsonObject, ref: string): JsonValue | undefined {
  if (!ref.startsWith("#/")) return undefined
  return ref
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<JsonValue | undefined>((value, part) => (isObject(value) ? value[part] : undefined), document)
}

function reaches(document: JsonObject, from: JsonValue, ref: string): boolean {
  const followed = new Set<string>()
  const walk = (value: JsonValue | undefined): boolean => {
    if (Array.isArray(value)) return value.some(walk)
    if (!isObject(value)) return false
    const { $ref } = value
    if ($ref === ref) return true
    if (typeof $ref === "string" && !followed.has($ref)) {
      followed.add($ref)
      if (walk(resolve(document, $ref))) return true
    }
    return Object.values(value).some(walk)
  }
  return walk(from)
}

interface Found {
  readonly at: string
  readonly value: JsonObject
  /** Whether the object stands where a schema stands; members of `properties` may be named like a keyword. */
  readonly isSchema: boolean
}

/** Every object of a document; data (`default`, `enum`, `const`) is left out. */
function* visit(value: JsonValue | undefined, at = "", isMap = false): Generator<Found> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* visit(item, `${at}.${index}`)
  if (!isObject(value)) return
  if (!isMap)
    yield {
      at,
      value,
      isSchema: typeof value["type"] === "string" || Array.isArray(value["type"]) || isSchemaPlace(at),
    }
  for (const [name, member] of Object.entries(value)) {
    if (!isMap && ["default", "enum", "const", "example", "examples"].includes(name)) continue
    yield* visit(member, at === "" ? name : `${at}.${name}`, !isMap && (name === "properties" || name === "schemas"))
  }
}

function isSchemaPlace(at: string): boolean {
  return /\.(schema|items)$|\.properties\.[^.]+$/.test(at)
}

function size(document: JsonObject): readonly ActionFinding[] {
  const bytes = [JSON.stringify(document), serialise(document)].map((text) => new TextEncoder().encode(text).length)
  const largest = Math.max(...bytes)
  return largest <= MAX_DOCUMENT_BYTES ? [] : [finding("G7", "", `${largest} bytes of ${MAX_DOCUMENT_BYTES}`)]
}
