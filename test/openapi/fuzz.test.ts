import { mkdir } from "node:fs/promises"
import path from "node:path"
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createRegistry } from "../../core/kernel/registry.ts"
import { allTools } from "../../core/tools.ts"
import { buildDocuments } from "../../openapi/documents.ts"
import { isObject, type JsonObject, type JsonValue, objectAt } from "../../openapi/json.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { type Given, mutantsOf, valuesOf } from "./inputs.ts"

const { full } = buildDocuments(createRegistry(allTools), { version: "0.1.0", serverUrl: "http://127.0.0.1:1" })
// What streams takes no body and has no end.
const paths = Object.entries(objectAt(full, "paths")).flatMap(([at, item]) =>
  isObject(item) && "post" in item ? at : [],
)
const SEED = Number(process.env.HOLDFAST_FUZZ_SEED ?? 20_261_129)
const RUNS = 10

const ajv = new Ajv2020.default({ strict: false, validateSchema: false, validateFormats: false })
ajv.addSchema(full, "document")
const validators = new Map<string, ValidateFunction>()

/** Whether a value is what a place of the document says; the reason if it is not. */
function breach(pointer: readonly string[], value: unknown): string | undefined {
  const ref = `document#/${pointer.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`
  const validate = validators.get(ref) ?? ajv.compile({ $ref: ref })
  validators.set(ref, validate)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

const BODY = ["content", "application/json", "schema"]
const inputAt = (at: string): readonly string[] => ["paths", at, "post", "requestBody", ...BODY]

function inputSchema(at: string): JsonObject {
  const schema = resolved(inputAt(at).reduce(objectAt, full))
  return isObject(schema) ? schema : {}
}

/** A schema with its references replaced; operator inputs have no cycle. */
function resolved(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(resolved)
  if (!isObject(value)) return value ?? null
  const { $ref } = value
  if (typeof $ref === "string") return resolved($ref.slice(2).split("/").reduce(objectAt, full))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolved(member)]))
}

/** Where the document describes the body of an answer; `undefined` when it does not declare the status. */
function answerAt(at: string, status: number): readonly string[] | undefined {
  const response = objectAt(objectAt(objectAt(objectAt(full, "paths"), at), "post"), "responses")[String(status)]
  if (!isObject(response)) return undefined
  const { $ref } = response
  return typeof $ref === "string"
    ? [...$ref.slice(2).split("/"), ...BODY]
    : ["paths", at, "post", "responses", String(status), ...BODY]
}

let server: TestServer
let session = ""
let jobId = ""
beforeAll(async () => {
  server = await startServer()
  session = String((await server.call("start_session", { project: "demo" })).output.session_id)
  jobId = String((await server.call("run_shell", { project: "demo", command: "echo hi" })).output.job_id)
})
afterAll(() => server.close())

let fresh = 0
/** Targets that exist, and effects that harm nothing, for one run of one tool. */
async function given(at: string): Promise<Given> {
  fresh += 1
  const directory = path.join(server.place.home, `p${fresh}`)
  const only = (value: JsonValue): fc.Arbitrary<JsonValue> => fc.constant(value)
  const common: Given = {
    project: only("demo"),
    session_id: only(session),
    job_id: only(jobId),
    tool: only("list_projects"),
    arguments_json: fc.constantFrom("{}", '{"limit":1}'),
    command: fc.constantFrom("true", "exit 3", "printf '\\377\\0x'", "echo out; echo err >&2"),
    wait_secs: only(1),
    sync_wait_secs: only(1),
    client_id: only("local"),
    title: fc.constantFrom("One line", "Ünïcødé 𝄞"),
    assertion_name: fc.constantFrom("Unit tests pass", "Ünïcødé 𝄞"),
    label: fc.constantFrom("", "Before the change", "Ünïcødé 𝄞"),
    description: fc.constantFrom("What it is for", "Ünïcødé 𝄞"),
    instruction: only("Do it."),
    base_ref: only("main"),
    // A Session of another Project records nothing; no named resource exists.
    recording_session_id: at.includes("register") ? undefined : only(session),
    resource: undefined,
  }
  if (at === "/tools/close_session" || at === "/api/workflow-sessions/close")
    return {
      ...common,
      session_id: only(String((await server.call("start_session", { project: "demo" })).output.session_id)),
    }
  if (/\/(register_project|projects\/register)$/.test(at))
    return { ...common, path: only(directory), project: only(`p${fresh}`) }
  if (/unregister/.test(at)) {
    await mkdir(directory)
    await server.call("register_project", { path: directory, project: `p${fresh}` })
    return { ...common, project: only(`p${fresh}`) }
  }
  return at === "/tools/work_on_project" ? { ...common, path: only(server.root) } : common
}

/** Sends a body and checks that status and answer are declared; gives the status. */
async function send(at: string, body: JsonValue): Promise<number> {
  const response = await server.post(at, body as object)
  const text = await response.text()
  const what = `${at} ${JSON.stringify(body).slice(0, 600)} → ${response.status} ${text.slice(0, 1_200)}`
  const place = answerAt(at, response.status)
  if (place === undefined) throw new Error(`An undeclared status: ${what}`)
  const answer: unknown = JSON.parse(text)
  const fault = breach(place, answer)
  if (fault !== undefined) throw new Error(`Not the declared body (${fault}): ${what}`)
  if (response.status >= 500 || text.includes('"internal_error"')) throw new Error(`A fault of the server: ${what}`)
  return response.status
}

type Values = (schema: JsonObject, given: Given) => fc.Arbitrary<JsonValue>

/** Sends what a generator makes and checks the status against what the exact schema says of it. */
async function sendMany(at: string, values: Values, fits: (isAccepted: boolean, status: number) => boolean) {
  for (let run = 0; run < RUNS; run += 1) {
    const targets = await given(at)
    const [body = {}] = fc.sample(values(inputSchema(at), targets), { numRuns: 1, seed: SEED + run })
    const status = await send(at, body)
    const fault = breach(inputAt(at), body)
    if (!fits(fault === undefined, status))
      throw new Error(`${status} for ${at} ${JSON.stringify(body).slice(0, 600)}; its schema says: ${fault ?? "fits"}`)
  }
}

describe(`fuzz of every operation, seed ${SEED} (doors.md §9)`, () => {
  it.each(paths)(
    "%s: what its exact schema generates is answered 200, what it refuses a declared 4xx",
    { timeout: 60_000 },
    async (at) => {
      // An operator route names things that need not exist; a tool's targets do.
      const isTool = at.startsWith("/tools/")
      await sendMany(at, valuesOf, (isAccepted, status) => isAccepted && (!isTool || status === 200))
      // A change that the schema does not notice (another Project's name) may be refused all the same.
      await sendMany(at, mutantsOf, (isAccepted, status) => isAccepted || !isTool || (status >= 400 && status < 500))
    },
  )

  it.each(paths)("%s: junk is a declared 4xx", async (at) => {
    const headers = { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" }
    const bodies: readonly (readonly [string | Uint8Array<ArrayBuffer>, number, string?])[] = [
      ["[]", 400],
      ['"x"', 400],
      ["{", 400],
      ['{"a":1,"a":2}', 400],
      [`{"x":${"[".repeat(40)}${"]".repeat(40)}}`, 400],
      [new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), 400],
      ["{}", 415, "text/plain"],
      ["x=1", 415, "application/x-www-form-urlencoded"],
    ]
    for (const [body, status, type = "application/json"] of bodies) {
      const response = await fetch(`${server.url}${at}`, {
        method: "POST",
        headers: { ...headers, "Content-Type": type },
        body,
      })
      const answer: unknown = await response.json()
      expect([response.status, breach(answerAt(at, response.status) ?? [], answer)]).toEqual([status, undefined])
    }
  })

  it("the server lives and its targets still work", async () => {
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect(await server.call("session_summary", { session_id: session })).toMatchObject({ success: true })
    expect(await server.call("run_shell", { project: "demo", command: "echo alive" })).toMatchObject({
      output: { stdout: "alive\n" },
    })
  })
})
