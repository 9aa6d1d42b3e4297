import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type DoorUnderTest, startDoor } from "./door-under-test.ts"
import { rawRequest } from "./raw-http.ts"
import { errorOf, kindOf, rpcFaultOf } from "./replies.ts"

let door: DoorUnderTest
beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door.close())

const LIST = "/tools/list_projects"
const head = (lines: string, host = "127.0.0.1") =>
  `${lines.replace("HOST", `Host: ${host}`)}\nAuthorization: Bearer ${door.token}\n`

describe("the HTTP gate, on a listening server", () => {
  it("D1: a call answers 200 with its ToolResult and every header", async () => {
    const response = await door.call("list_projects", {})
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ success: true, output: { projects: [{ project: "demo" }] } })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
      "holdfast-schema-hash": door.schemaHash,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    })
    for (const absent of ["x-powered-by", "etag", "set-cookie", "content-encoding"])
      expect(response.headers.has(absent), absent).toBe(false)
    const named = await door.call("list_projects", {}, { "X-Request-Id": "mine.1" })
    expect(named.headers.get("x-request-id")).toBe("mine.1")
  })

  it("D2: without a token, and with one in query, cookie or body, 401 with a challenge; the token in no log line", async () => {
    const bare = { "Content-Type": "application/json" }
    const tries = [
      door.fetch(LIST, { method: "POST", headers: bare, body: "{}" }),
      door.fetch(`${LIST}?access_token=${door.token}`, { method: "POST", headers: bare, body: "{}" }),
      door.fetch(LIST, { method: "POST", headers: { ...bare, Cookie: `access_token=${door.token}` }, body: "{}" }),
      door.fetch(LIST, { method: "POST", headers: bare, body: JSON.stringify({ access_token: door.token }) }),
    ]
    for (const response of await Promise.all(tries)) {
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="holdfast"')
      expect(await errorOf(response)).toMatchObject({ status: 401, kind: "unauthenticated", recovery: "reauthorize" })
    }
    expect(door.log()).not.toContain(door.token)
  })

  it("who is not let in leaves a line with the reason and the address, and no secret", async () => {
    const wrong = `hfp_${"B".repeat(43)}`
    const response = await door.fetch(LIST, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${wrong}`, "X-Request-Id": "outside.1" },
      body: "{}",
    })
    expect(response.status).toBe(401)
    await rawRequest(
      door.port,
      `${head(`POST ${LIST} HTTP/1.1\nHOST`, "evil.com")}X-Request-Id: outside.2\nConnection: close\n\n`,
    )
    const log = String(door.log())
    const denied = (id: string, rest: string) =>
      expect(log).toContain(`refused {"request_id":"${id}","door":"http",${rest},"address":"127.0.0.1"}`)
    denied("outside.1", '"error_kind":"unauthenticated","reason":"unknown"')
    denied("outside.2", '"error_kind":"host_denied"')
    expect(log).not.toContain(wrong)
  })

  it("D3: a foreign Host is refused on every route", async () => {
    for (const host of ["evil.com", "127.0.0.1.evil.com", "localhost:1@evil"])
      for (const path of [LIST, "/health", "/openapi.json", "/mcp"]) {
        const reply = await rawRequest(door.port, `${head(`POST ${path} HTTP/1.1\nHOST`, host)}Connection: close\n\n`)
        expect([reply.status, kindOf(reply.body)], `${host} ${path}`).toEqual([403, "host_denied"])
      }
  })

  it("D4: host names compare without case and port", async () => {
    const reply = await rawRequest(
      door.port,
      `${head(`POST ${LIST} HTTP/1.1\nHOST`, "LOCALHOST:1")}Connection: close\n\n`,
    )
    expect(reply.status).toBe(200)
  })

  it("D5: foreign origins, null and another loopback port are refused", async () => {
    for (const origin of ["https://evil.com", "null", `http://localhost:${door.port + 1}`])
      expect(await errorOf(await door.call("list_projects", {}, { Origin: origin }))).toMatchObject({
        status: 403,
        kind: "origin_denied",
      })
  })

  it("D6: its own origin is allowed and named", async () => {
    const origin = `http://127.0.0.1:${door.port}`
    const response = await door.call("list_projects", {}, { Origin: origin })
    expect(response.status).toBe(200)
    expect(response.headers.get("access-control-allow-origin")).toBe(origin)
    expect(response.headers.get("vary")).toBe("Origin")
  })

  it("answers a preflight of its own origin with 204 and no body", async () => {
    const origin = `http://localhost:${door.port}`
    const response = await door.fetch(LIST, {
      method: "OPTIONS",
      headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
    })
    expect([response.status, response.headers.get("access-control-max-age"), await response.text()]).toEqual([
      204,
      "600",
      "",
    ])
  })

  it("D7: HTTP/1.0 without Host and an absolute target are refused", async () => {
    const old = await rawRequest(door.port, `${head(`POST ${LIST} HTTP/1.0`)}\n`)
    const absolute = await rawRequest(
      door.port,
      `${head(`POST http://evil.com${LIST} HTTP/1.1\nHOST`)}Connection: close\n\n`,
    )
    for (const reply of [old, absolute]) expect([reply.status, kindOf(reply.body)]).toEqual([403, "host_denied"])
  })

  it("D8: any content type but JSON in UTF-8 is refused and runs nothing", async () => {
    const before = door.calls()
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/json;charset=utf-8;text/plain",
      "application/json; charset=utf-16",
    ]
    for (const type of types)
      expect(await errorOf(await door.call("list_projects", {}, { "Content-Type": type })), type).toMatchObject({
        status: 415,
        kind: "unsupported_media_type",
      })
    const untyped = await rawRequest(
      door.port,
      `${head(`POST ${LIST} HTTP/1.1\nHOST`)}Content-Length: 2\nConnection: close\n\n{}`,
    )
    expect(untyped.status).toBe(415)
    expect(door.calls()).toBe(before)
  })

  it("D9: type and charset count in any case; neither body nor type is an empty object", async () => {
    expect((await door.call("list_projects", {}, { "Content-Type": 'Application/JSON; Charset="UTF-8"' })).status).toBe(
      200,
    )
    const bare = await rawRequest(door.port, `${head(`POST ${LIST} HTTP/1.1\nHOST`)}Connection: close\n\n`)
    expect(bare.status).toBe(200)
  })

  it("D10: a body over 4 MiB is refused by its length at once, by its bytes while it comes, and the connection closed", async () => {
    const before = door.calls()
    const typed = `${head(`POST ${LIST} HTTP/1.1\nHOST`)}Content-Type: application/json\n`
    const stated = await rawRequest(door.port, `${typed}Content-Length: 5000000\n\n`)
    expect([stated.status, kindOf(stated.body)]).toEqual([413, "payload_too_large"])
    expect(stated.headers.connection).toBe("close")
    expect(stated.closed).toBe(true)
    expect(stated.ms).toBeLessThan(1_000)
    const data = "x".repeat(64 * 1024)
    const chunk = Buffer.from(`${data.length.toString(16)}\r\n${data}\r\n`)
    const endless = await rawRequest(door.port, `${typed}Transfer-Encoding: chunked\n\n`, { stream: () => chunk })
    expect([endless.status, endless.closed]).toEqual([413, true])
    expect(door.calls()).toBe(before)
  })

  it("a client that sends its whole body before it looks reads the refusal of it", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const answer = await door.call("list_projects", "x".repeat(5_000_000))
      expect([answer.status, kindOf(await answer.text())]).toEqual([413, "payload_too_large"])
      const early = await door.call("list_projects", "x".repeat(5_000_000), { Authorization: "Bearer nobody" })
      expect([early.status, kindOf(await early.text())]).toEqual([401, "unauthenticated"])
    }
  })

  it("takes a body by its length or in chunks, in no other coding", async () => {
    const typed = `${head(`POST ${LIST} HTTP/1.1\nHOST`)}Content-Type: application/json\nConnection: close\n`
    const chunked = Buffer.from("2\r\n{}\r\n0\r\n\r\n")
    const sent = async (coding: string) =>
      (await rawRequest(door.port, `${typed}Transfer-Encoding: ${coding}\n\n`, { body: chunked })).status
    expect(await sent("chunked")).toBe(200)
    expect(await sent("Chunked")).toBe(200)
    expect(await sent("gzip, chunked")).toBe(415)
  })

  it("an unknown expectation changes nothing: the gate judges, the headers are ours", async () => {
    const odd = "Expect: tea\nContent-Type: application/json\nContent-Length: 2\nConnection: close\n\n"
    const foreign = await rawRequest(door.port, `POST ${LIST} HTTP/1.1\nHost: evil.example\n${odd}`, {
      body: Buffer.from("{}"),
    })
    expect([foreign.status, kindOf(foreign.body)]).toEqual([403, "host_denied"])
    const served = await rawRequest(door.port, `${head(`POST ${LIST} HTTP/1.1\nHOST`)}${odd}`, {
      body: Buffer.from("{}"),
    })
    expect(served.status).toBe(200)
    expect(served.headers["x-request-id"]).toBeDefined()
  })

  it("a target with a fragment is not in origin form", async () => {
    const answer = await rawRequest(door.port, "GET /health#x HTTP/1.1\nHost: localhost\nConnection: close\n\n")
    expect([answer.status, kindOf(answer.body)]).toEqual([403, "host_denied"])
  })

  it("asks for a body only after the gate has admitted the request", async () => {
    const expecting = "Expect: 100-continue\nContent-Type: application/json\nContent-Length: 2\nConnection: close\n\n"
    const refused = await rawRequest(door.port, `POST ${LIST} HTTP/1.1\nHost: localhost\n${expecting}`)
    expect(refused.status).toBe(401)
    const asked = await rawRequest(door.port, `${head(`POST ${LIST} HTTP/1.1\nHOST`)}${expecting}`, {
      body: Buffer.from("{}"),
    })
    expect(asked.status).toBe(100)
  })

  it("D11: JSON faults are named", async () => {
    const bodies: [string | Uint8Array<ArrayBuffer>, string][] = [
      ['{"a":1,"a":1}', "duplicate_key"],
      ["[1]", "root"],
      ['{"a":', "syntax"],
      [new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), "encoding"],
    ]
    for (const [body, reason] of bodies)
      expect(await errorOf(await door.call("list_projects", body))).toMatchObject({
        status: 400,
        kind: "invalid_json",
        details: { reason },
      })
  })

  it("D11: at an MCP route they are JSON-RPC with the same status", async () => {
    const send = async (body: string) =>
      rpcFaultOf(await door.fetch("/mcp", { method: "POST", headers: door.headers(), body }))
    expect(await send('{"a":')).toEqual([400, -32700])
    expect(await send("[{}]")).toEqual([400, -32600])
  })

  it("D12: 33 levels are a JSON fault, 32 are the kernel's to judge", async () => {
    const nested = (arrays: number) => `{"x":${"[".repeat(arrays)}${"]".repeat(arrays)}}`
    expect(await errorOf(await door.call("list_projects", nested(32)))).toMatchObject({
      kind: "invalid_json",
      details: { reason: "depth" },
    })
    expect(await errorOf(await door.call("list_projects", nested(31)))).toMatchObject({
      status: 400,
      kind: "invalid_arguments",
      details: { unknown_fields: ["x"] },
    })
  })

  it("D13: credential before method, path before both", async () => {
    expect((await door.fetch(LIST)).status).toBe(401)
    const get = await door.fetch(LIST, { headers: door.headers() })
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"])
    for (const path of ["/Tools/list_projects", "/tools/list_projects/"])
      expect(await errorOf(await door.fetch(path, { method: "POST", headers: door.headers() })), path).toMatchObject({
        status: 404,
        kind: "route_not_found",
      })
    const mcp = await door.fetch("/mcp", { headers: door.headers() })
    expect([mcp.status, mcp.headers.get("allow")]).toEqual([405, "POST"])
  })

  it("D14: a path is decoded once", async () => {
    const at = async (path: string) => {
      const reply = await rawRequest(door.port, `${head(`POST ${path} HTTP/1.1\nHOST`)}Connection: close\n\n`)
      return [reply.status, kindOf(reply.body)]
    }
    expect(await at("/tools/list%5Fprojects")).toEqual([200, undefined])
    expect(await at("/%74ools/list_projects")).toEqual([200, undefined])
    expect(await at("/tools/list%255Fprojects")).toEqual([404, "unknown_tool"])
    expect(await at("/tools/x%2Flist_projects")).toEqual([404, "route_not_found"])
    expect(await at("/tools/list_projects%00")).toEqual([404, "route_not_found"])
  })

  it("D17: operator routes answer JSON whatever is accepted, with paths and codes alone", async () => {
    const send = (body: string) =>
      door.fetch("/api/tokens/list", { method: "POST", headers: { ...door.headers(), Accept: "text/html" }, body })
    const broken = await send("{")
    const text = await broken.clone().text()
    expect(await errorOf(broken)).toMatchObject({ status: 400, kind: "invalid_json" })
    expect(text).not.toMatch(/<|\.ts:|\n/)
    const unknown = await send('{"limit":"zq81"}')
    expect(await unknown.clone().text()).not.toContain("zq81")
    expect(await errorOf(unknown)).toMatchObject({
      status: 400,
      kind: "invalid_arguments",
      details: { field: "limit", fields: [{ path: "limit", code: "unknown" }], unknown_fields: ["limit"] },
    })
  })

  it("closes a header block over 16 KiB with the runtime's own 431", async () => {
    const reply = await rawRequest(
      door.port,
      `GET /health HTTP/1.1\nHost: localhost\nX-Long: ${"x".repeat(17_000)}\n\n`,
    )
    expect([reply.status, reply.body]).toEqual([431, ""])
  })

  it("answers an unforeseen fault as internal_error whose text is in the log alone", async () => {
    const response = await door.fetch("/mcp", {
      method: "POST",
      headers: { ...door.headers(), "X-Request-Id": "f1" },
      body: "{}",
    })
    expect(await response.clone().text()).not.toContain("these tests stop")
    expect(await errorOf(response)).toMatchObject({ status: 500, kind: "internal_error", recovery: "reobserve" })
    expect(door.log()).toContain("these tests stop before the MCP door")
  })

  it("serves health, the privacy page and nothing of OAuth without a token", async () => {
    expect(await (await door.fetch("/health")).json()).toEqual({ status: "ok" })
    const page = await door.fetch("/legal/privacy")
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(await page.text()).not.toContain("<script")
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/oauth/token",
      "/.well-known/openai-apps-challenge",
    ])
      expect(await errorOf(await door.fetch(path)), path).toMatchObject({ status: 404, kind: "route_not_found" })
  })
})
