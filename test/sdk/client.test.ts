import path from "node:path"
import { inspect } from "node:util"
import { build } from "esbuild"
import { HttpResponse } from "msw/http"
import { describe, expect, it } from "vitest"
import { createClient, HoldfastError, isHoldfastError, type Transport } from "../../sdk/index.ts"
import { REPOSITORY } from "../support/build.ts"
import { broken, clientOf, failed, ok, rejection, TOKEN, text, useReplies } from "./server-replies.ts"

const replies = useReplies()
const baseUrl = "https://holdfast.example"

/** The option that `createClient` complains of. */
function complaint(options: Parameters<typeof createClient>[0]): unknown {
  try {
    createClient(options)
  } catch (error) {
    return isHoldfastError(error) && error.kind === "configuration_invalid" ? error.details : error
  }
  return "none"
}

describe("creation (doors.md §5.1)", () => {
  it.each([
    ["baseUrl", { token: TOKEN }],
    ["baseUrl", { token: TOKEN, baseUrl: "holdfast.example" }],
    ["baseUrl", { token: TOKEN, baseUrl: "ftp://holdfast.example" }],
    ["baseUrl", { token: TOKEN, baseUrl: "http://holdfast.example" }],
    ["baseUrl", { token: TOKEN, baseUrl: "https://me:pw@holdfast.example" }],
    ["baseUrl", { token: TOKEN, baseUrl: "https://holdfast.example/?a=1" }],
    ["token", { baseUrl }],
    ["token", { baseUrl, token: "" }],
    ["token", { baseUrl, token: "two\nlines" }],
    ["timeoutMs", { baseUrl, token: TOKEN, timeoutMs: 999 }],
    ["timeoutMs", { baseUrl, token: TOKEN, timeoutMs: 600_001 }],
    ["retry.max", { baseUrl, token: TOKEN, retry: { max: 11 } }],
    ["retry.minDelayMs", { baseUrl, token: TOKEN, retry: { minDelayMs: 9_000 } }],
  ])("a fault of %s is named", (option, options) => {
    expect(complaint(options)).toEqual({ option })
  })

  it("an empty token is said to be missing, not to be of the wrong characters", () => {
    expect(() => createClient({ baseUrl, token: "" })).toThrow("token is missing or empty")
    expect(() => createClient({ baseUrl, token: "two words" })).toThrow("token must be a function or visible ASCII")
  })

  it.each([
    { baseUrl: "http://127.0.0.1:4747", token: TOKEN },
    { baseUrl: "http://localhost", token: TOKEN },
    { baseUrl: "http://[::1]:1", token: TOKEN },
    { baseUrl: "http://holdfast.example", token: TOKEN, allowInsecure: true },
    { baseUrl: "https://holdfast.example/s/x", token: () => TOKEN },
  ])("accepts $baseUrl", (options) => {
    expect(complaint(options)).toBe("none")
  })

  it("options are copied: changing the object later changes nothing", async () => {
    const options = { baseUrl, token: TOKEN, retry: { max: 0 }, fetch: undefined as typeof fetch | undefined }
    const client = createClient(options)
    options.retry.max = 5
    options.fetch = () => Promise.reject(new Error("replaced"))
    replies.answer(broken)
    expect(await rejection(client.tools.list_projects())).toMatchObject({ attempts: 1 })
    expect(replies.posts()).toHaveLength(1)
  })

  it("faults of a call's options reject before anything is sent", async () => {
    const { tools } = clientOf()
    const faults = [
      { timeoutMs: 1 },
      { retry: { max: -1 } },
      { idempotencyKey: "short" },
      { idempotencyKey: `0123456789abcde\n` },
    ]
    for (const options of faults)
      expect(await rejection(tools.list_projects({}, options))).toMatchObject({ kind: "configuration_invalid" })
    expect(replies.seen).toEqual([])
  })
})

describe("the client as a value (doors.md §5.2)", () => {
  const client = clientOf()

  it("D62: can be awaited, logged and inspected, and shows no token", async () => {
    expect(await client).toBe(client)
    expect(await client.tools).toBe(client.tools)
    const texts = [
      JSON.stringify(client),
      JSON.stringify(client.tools),
      inspect(client, { depth: 9, showHidden: true, showProxy: true }),
    ]
    for (const shown of [...texts, inspect(client.operator), inspect(client.session({ session_id: "s" }))])
      expect(shown).not.toContain(TOKEN)
    expect(replies.seen).toEqual([])
    expect([
      Reflect.get(client.tools, "then"),
      Reflect.get(client.tools, "toJSON"),
      Reflect.get(client.tools, Symbol.iterator),
    ]).toEqual([undefined, undefined, undefined])
    expect({ ...client.tools }).toEqual({})
  })

  it("D62: no error of any kind has the token, as JSON or inspected", async () => {
    const leaky = (): Promise<Response> => Promise.reject(new Error("x", { cause: new Error(`Bearer ${TOKEN}`) }))
    const errors = [
      await rejection(clientOf({ fetch: leaky }).tools.list_projects()),
      await rejection(clientOf({ fetch: () => Promise.reject(`Bearer ${TOKEN}`) }).tools.list_projects()),
    ]
    for (const step of [text(200, "<html>"), failed(403, { kind: "host_denied", recovery: "none" })]) {
      replies.answer(step)
      errors.push(await rejection(client.tools.list_projects()))
    }
    for (const error of errors) {
      expect(isHoldfastError(error)).toBe(true)
      expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain(TOKEN)
    }
  })

  it("methods are the same function each time, and the client is frozen", () => {
    expect(client.tools.list_projects).toBe(client.tools.list_projects)
    expect(Object.isFrozen(client)).toBe(true)
  })
})

describe("errors (doors.md §5.3)", () => {
  it("D63: two copies of the SDK recognise each other's errors, by a brand and no prototype", async () => {
    const { outputFiles } = await build({
      entryPoints: [path.join(REPOSITORY, "sdk/error.ts")],
      bundle: true,
      format: "esm",
      write: false,
    })
    const copy = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`)
    const facts = { kind: "x", message: "m", recovery: "none" } as const
    const [mine, theirs] = [new HoldfastError(facts), new copy.HoldfastError(facts)]
    expect(theirs).not.toBeInstanceOf(HoldfastError)
    expect([isHoldfastError(theirs), copy.isHoldfastError(mine)]).toEqual([true, true])
    for (const other of [undefined, null, "x", new Error("x"), { ...mine }]) expect(isHoldfastError(other)).toBe(false)
  })

  it("JSON has every fact; retryable follows the recovery; the cause stays out", () => {
    const error = new HoldfastError({
      kind: "k",
      message: "m",
      recovery: "retry_same",
      status: 503,
      cause: new Error("c"),
    })
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: "HoldfastError",
      kind: "k",
      message: "m",
      recovery: "retry_same",
      status: 503,
      attempts: 0,
      retryable: true,
    })
    expect(error.cause).toEqual(new Error("c"))
    expect(new HoldfastError({ kind: "k", message: "m", recovery: "reobserve" }).retryable).toBe(false)
  })

  it("a kind unknown to this build arrives as it is, with its details and the partial output", async () => {
    replies.answer(() =>
      HttpResponse.json({
        success: false,
        error: { kind: "from_the_future", message: "New.", recovery: "none", details: { a: 1 } },
        output: { exit_code: 3 },
      }),
    )
    const error = await rejection(clientOf().tools.run_shell({ project: "demo", command: "x" }))
    expect(error).toMatchObject({
      kind: "from_the_future",
      details: { a: 1 },
      output: { exit_code: 3 },
      tool: "run_shell",
    })
  })

  it("client.call returns what the kernel answered, and throws what the gate refused", async () => {
    const client = clientOf()
    const attached = { redactions: { count: 1, names: ["x"] } }
    replies.answer(() => HttpResponse.json({ success: true, output: { total: 0 }, attached }))
    expect(await client.call("list_projects", {})).toEqual({ success: true, output: { total: 0 }, attached })
    replies.answer(failed(403, { kind: "insufficient_scope", recovery: "reauthorize" }))
    expect(await client.call("list_projects", {})).toMatchObject({
      success: false,
      error: { kind: "insufficient_scope" },
    })
    replies.answer(failed(401, { kind: "unauthenticated", recovery: "reauthorize" }))
    expect(await rejection(client.call("list_projects", {}))).toMatchObject({ kind: "unauthenticated", status: 401 })
  })
})

describe("another transport (doors.md §6)", () => {
  it("carries calls with the same key and deadline, and has no operator routes", async () => {
    const waits: number[] = []
    const transport: Transport = {
      async attempt({ waitSecs, idempotencyKey }) {
        waits.push(waitSecs)
        return {
          kind: "answered",
          status: 200,
          result: { success: true, output: { key: idempotencyKey } },
          requestId: undefined,
          retryAfterMs: undefined,
          tokenRefreshed: false,
        }
      },
      cancel() {},
    }
    const client = createClient({ transport })
    expect(await client.tools.list_projects({}, { idempotencyKey: "0123456789abcdef" })).toEqual({
      key: "0123456789abcdef",
    })
    expect(waits[0]).toBeGreaterThanOrEqual(56)
    expect(await rejection(client.operator.POST("/api/users/list", { body: {} }))).toMatchObject({
      kind: "configuration_invalid",
    })
  })
})

describe("operator routes (doors.md §5.2)", () => {
  it("give the data, repeat POST on 429 and 503 alone, and throw refusals as HoldfastErrors", async () => {
    const { operator } = clientOf()
    replies.answer(failed(503, { kind: "shutting_down", recovery: "retry_later", retry_after_ms: 1 }), () =>
      HttpResponse.json({ users: [] }),
    )
    const { data } = await operator.POST("/api/users/list", { body: {} })
    expect(data).toEqual({ users: [] })
    expect(replies.posts().map(({ path, body, headers }) => [path, body, headers.get("authorization")])).toEqual(
      Array(2).fill(["/api/users/list", "{}", `Bearer ${TOKEN}`]),
    )
    replies.answer(failed(400, { kind: "invalid_arguments", recovery: "fix_input" }))
    expect(await rejection(operator.POST("/api/users/add", { body: { name: "a" } }))).toMatchObject({
      kind: "invalid_arguments",
      status: 400,
      attempts: 1,
      executionState: "not_started",
    })
    replies.seen.length = 0
    replies.answer(broken)
    expect(await rejection(operator.POST("/api/users/list", { body: {} }))).toMatchObject({
      kind: "connection_failed",
      attempts: 1,
      executionState: "outcome_unknown",
    })
    expect(replies.posts()).toHaveLength(1)
    replies.answer(text(200, "<html>"))
    expect(await rejection(operator.POST("/api/users/list", { body: {} }))).toMatchObject({ kind: "invalid_response" })
    replies.answer(ok({ version: "1" }))
    expect((await operator.POST("/api/status", { body: {} })).data).toEqual({ success: true, output: { version: "1" } })
  })
})
