import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answerOf, postBody, postFirst, postModern } from "../../support/mcp/raw.ts"
import { startServer, type TestServer } from "../../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const call = (name: string, rest: object = {}) => ({ method: "tools/call", params: { name, ...rest } })

describe("revisions", () => {
  it.each(["2025-11-25", "2025-06-18", "2025-03-26"])("initialize negotiates %s", async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "0" } }
    const reply = await postFirst(server, { method: "initialize", params })
    expect(reply.status).toBe(200)
    expect(reply.headers.get("mcp-session-id")).toBeNull()
    const { result } = await answerOf(reply)
    expect(result).toMatchObject({ protocolVersion, serverInfo: { name: "holdfast" }, capabilities: { tools: {} } })
    expect(Object.keys(Object(result?.capabilities))).toEqual(["tools"])
  })

  it("offers its newest 2025 revision to a client of an unknown one", async () => {
    const params = { protocolVersion: "2024-01-01", capabilities: {}, clientInfo: { name: "t", version: "0" } }
    const { result } = await answerOf(await postFirst(server, { method: "initialize", params }))
    expect(result?.protocolVersion).toBe("2025-11-25")
  })

  it("server/discover names the revision, is cacheable by everybody and carries the instructions", async () => {
    const { result } = await answerOf(await postModern(server, { method: "server/discover" }))
    expect(result).toMatchObject({ ttlMs: 3_600_000, cacheScope: "public", capabilities: { tools: {} } })
    expect(result?.supportedVersions).toContain("2026-07-28")
    const instructions = String(result?.instructions)
    expect(instructions.length).toBeLessThanOrEqual(1_200)
    expect(instructions.slice(0, 512)).toContain("job_id")
  })
})

describe("what is refused before or by the protocol", () => {
  it("D50: GET and DELETE with a token are 405 at once, without one 401", async () => {
    for (const method of ["GET", "DELETE"]) {
      const headers = { Authorization: `Bearer ${server.token}`, Accept: "text/event-stream" }
      const known = await fetch(`${server.url}/mcp`, { method, headers })
      expect([known.status, known.headers.get("allow")]).toEqual([405, "POST"])
      expect((await fetch(`${server.url}/mcp`, { method })).status).toBe(401)
    }
  })

  it("D50: a batch is 400 with -32600", async () => {
    const reply = await postBody(server, [{ jsonrpc: "2.0", id: 1, method: "ping" }])
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } })
  })

  it.each([
    ["cut text", '{"jsonrpc":"2.0",', "syntax"],
    ["a duplicate key", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', "duplicate_key"],
  ])("%s is 400 with -32700", async (_what, body) => {
    const reply = await postBody(server, body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ id: null, error: { code: -32700, data: { kind: "invalid_json" } } })
  })

  it.each([
    ["half a surrogate pair", String.raw`{"jsonrpc":"2.0","id":1,"method":"\ud800"}`],
    ["33 levels", `{"jsonrpc":"2.0","id":1,"x":${"[".repeat(32)}${"]".repeat(32)}}`],
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
  ])("%s is 400 with -32700, as on stdio", async (_what, body) => {
    const headers = { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" }
    const reply = await fetch(`${server.url}/mcp`, { method: "POST", headers, body })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ id: null, error: { code: -32700, data: { kind: "invalid_json" } } })
  })

  it("an argument __proto__ is refused as unknown, not left out", async () => {
    const message = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_projects","arguments":'
    const reply = await postBody(server, `${message}{"__proto__":{}}}}`)
    expect(reply.status).toBe(200)
    const { id, error } = await answerOf(reply)
    expect({ id, error }).toMatchObject({ id: 1, error: { code: -32602, data: { unknown_fields: ["__proto__"] } } })
  })

  it("a message that is none leaves nothing of itself in the log", async () => {
    const before = server.log().length
    const key = `zq81${"y".repeat(5_000)}`
    const reply = await postBody(server, { jsonrpc: "2.0", id: 1, [key]: key, method: 7 })
    expect(reply.status).toBe(400)
    await reply.text()
    const lines = server.log().slice(before).split("\n").filter(Boolean)
    expect(lines.every((line) => line.length < 300 && !line.includes("zq81"))).toBe(true)
  })

  it("a body over 4 MiB is 413, as JSON-RPC", async () => {
    const reply = await postBody(server, { jsonrpc: "2.0", id: 1, method: "x".repeat(4_300_000) })
    expect(reply.status).toBe(413)
    expect(await reply.json()).toMatchObject({ jsonrpc: "2.0", error: { data: { kind: "payload_too_large" } } })
  })

  it("an unknown surface is no route, and every surface is one", async () => {
    expect((await postModern(server, { method: "tools/list" }, { path: "/mcp/nope" })).status).toBe(404)
    for (const surface of ["coding", "shell", "workflow", "full"]) {
      const reply = await postModern(server, { method: "tools/list" }, { path: `/mcp/${surface}` })
      expect((await answerOf(reply)).result?.tools).toBeInstanceOf(Array)
    }
  })

  it.each([
    ["2026", postModern],
    ["2025", postFirst],
  ] as const)("D41: arguments in %s that are no object are -32602, unknown names too", async (_era, post) => {
    const codeOf = async (rest: object, name = "list_projects") => {
      const reply = await post(server, call(name, rest))
      const { error, result } = await answerOf(reply)
      return { status: reply.status, code: error?.code, kind: error?.data?.kind, isError: result?.isError }
    }
    const invalid = { status: 200, code: -32602 }
    expect(await codeOf({ arguments: [] })).toMatchObject(invalid)
    expect(await codeOf({ arguments: null })).toMatchObject(invalid)
    expect(await codeOf({})).toEqual({ status: 200, code: undefined, kind: undefined, isError: false })
    expect(await codeOf({ arguments: {} }, "nope")).toMatchObject({ ...invalid, kind: "unknown_tool" })
  })
})

describe("how a reply is framed", () => {
  const typeOf = async (name: string, accept: string) => {
    const args = name === "run_shell" ? { project: "demo", command: "true" } : {}
    const reply = await postModern(server, call(name, { arguments: args }), { headers: { Accept: accept } })
    const { result } = await answerOf(reply)
    expect(result?.isError).toBe(false)
    return reply.headers.get("content-type")?.split(";")[0]
  }

  it("streams from the start where a tool may take long and the client reads streams", async () => {
    expect(await typeOf("run_shell", "application/json, text/event-stream")).toBe("text/event-stream")
    expect(await typeOf("list_projects", "application/json, text/event-stream")).toBe("application/json")
  })

  it("answers plain JSON to a client that reads only that", async () => {
    expect(await typeOf("run_shell", "application/json")).toBe("application/json")
  })
})
