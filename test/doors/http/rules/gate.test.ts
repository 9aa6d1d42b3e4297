import { describe, expect, it } from "vitest"
import { exposureOf } from "../../../../adapters/http/exposure.ts"
import { admit, type GateOptions, type GateRequest } from "../../../../adapters/http/gate.ts"
import { createRateLimits } from "../../../../adapters/http/rate.ts"
import { createRouteTable } from "../../../../adapters/http/route-table.ts"
import { httpRoutes } from "../../../../adapters/http/routes.ts"
import { type Caller, localPrincipal } from "../../../../core/access/principal.ts"
import { ToolError } from "../../../../core/kernel/error.ts"

const TOKEN = "hfl_good"
const caller: Caller = {
  principal: localPrincipal,
  authority: { kind: "local", id: "local" },
  credential: { kind: "local_token" },
  scopes: new Set(),
  projects: "*",
}
const routes = createRouteTable(
  httpRoutes({
    privateDocuments: false,
    surfaces: ["coding", "full"],
    operatorRoutes: [{ pattern: "/api/status", method: "POST" }],
  }),
)
const exposureOptions = { allowHosts: [], allowOrigins: [] }

function options(over: Partial<GateOptions> & { now?: () => number; perMinute?: number } = {}): GateOptions {
  return {
    exposure: exposureOf(exposureOptions, 4747),
    routes,
    trustProxy: 0,
    rates: createRateLimits({ monotonic: over.now ?? (() => 0) }, over.perMinute ?? 600),
    draining: () => false,
    authenticate: async (token) => {
      if (token === TOKEN) return caller
      throw new ToolError("unauthenticated", "Unknown token.", { details: { reason: "unknown" } })
    },
    ...over,
  }
}

function request(method: string, rawTarget: string, headers: Record<string, string | string[]> = {}): GateRequest {
  const all: Record<string, string | string[]> = {
    Host: "127.0.0.1:4747",
    Authorization: `Bearer ${TOKEN}`,
    ...(method === "POST" ? { "Content-Type": "application/json", "Content-Length": "2" } : {}),
    ...headers,
  }
  const rawHeaders = Object.entries(all).flatMap(([name, value]) => [value].flat().flatMap((line) => [name, line]))
  return { method, rawTarget, rawHeaders, remoteAddress: "127.0.0.1" }
}

const call = (headers: Record<string, string | string[]> = {}, over?: Parameters<typeof options>[0]) =>
  admit(request("POST", "/tools/list_projects", headers), options(over))
const refusal = (kind: string) => ({ outcome: "refused", error: { kind } })

describe("the gate", () => {
  it("admits a call and says who calls what", async () => {
    expect(await call()).toMatchObject({
      outcome: "admitted",
      route: { id: "tool" },
      params: { name: "list_projects" },
      caller: { principal: { id: "local" } },
      address: "127.0.0.1",
    })
  })

  it("D3: refuses every host name that is not exactly an allowed one", async () => {
    for (const host of [
      "evil.com",
      "127.0.0.1.evil.com",
      "localhost:1@evil",
      "x@localhost",
      "localhost#x",
      "127.1",
      "",
    ])
      for (const path of ["/tools/list_projects", "/health", "/openapi.json", "/mcp"])
        expect(await admit(request("POST", path, { Host: host }), options()), host).toMatchObject(
          refusal("host_denied"),
        )
  })

  it("D4: compares host names without case and port, and takes IPv6 loopback", async () => {
    for (const host of ["LOCALHOST:1", "127.0.0.1", "[::1]:4747"])
      expect((await call({ Host: host })).outcome, host).toBe("admitted")
  })

  it("D7: refuses no Host line, two of them, and a target that is not in origin form", async () => {
    expect(await call({ Host: [] })).toMatchObject(refusal("host_denied"))
    expect(await call({ Host: ["localhost", "localhost"] })).toMatchObject(refusal("host_denied"))
    expect(await admit(request("POST", "http://evil.com/tools/x"), options())).toMatchObject(refusal("host_denied"))
    expect(await admit(request("OPTIONS", "*"), options())).toMatchObject(refusal("host_denied"))
  })

  it("D5: refuses foreign origins, null, another port and two lines", async () => {
    for (const origin of ["https://evil.com", "null", "http://localhost:4748", "http://LOCALHOST:4747", ""])
      expect(await call({ Origin: origin }), origin).toMatchObject(refusal("origin_denied"))
    const own = "http://127.0.0.1:4747"
    expect(await call({ Origin: [own, own] })).toMatchObject(refusal("origin_denied"))
  })

  it("D6: allows its own loopback origins and names the origin on the reply, refusals included", async () => {
    for (const origin of ["http://127.0.0.1:4747", "http://localhost:4747", "http://[::1]:4747"]) {
      const cors = { "Access-Control-Allow-Origin": origin, Vary: "Origin" }
      expect(await call({ Origin: origin })).toMatchObject({ outcome: "admitted", headers: cors })
      expect(await call({ Origin: origin, Authorization: [] })).toMatchObject({
        ...refusal("unauthenticated"),
        headers: cors,
      })
    }
  })

  it("answers a preflight of an allowed origin before path and credential, without credentials or a wildcard", async () => {
    const origin = "http://localhost:4747"
    const headers = { Origin: origin, "Access-Control-Request-Method": "POST", Authorization: [] }
    expect(await admit(request("OPTIONS", "/tools/x", headers), options())).toEqual({
      outcome: "preflight",
      headers: {
        "Access-Control-Allow-Origin": origin,
        Vary: "Origin",
        "Access-Control-Allow-Methods": "GET, POST, DELETE",
        "Access-Control-Allow-Headers":
          "Authorization, Content-Type, Idempotency-Key, Prefer, X-Request-Id, X-Session-ID",
        "Access-Control-Expose-Headers": "Retry-After, X-Request-Id, Idempotency-Replayed, Holdfast-Schema-Hash",
        "Access-Control-Max-Age": "600",
      },
    })
    expect(
      await admit(request("OPTIONS", "/tools/x", { ...headers, Origin: "https://evil.com" }), options()),
    ).toMatchObject(refusal("origin_denied"))
  })

  it("D2: challenges a missing and an invalid credential differently, and never looks at the query", async () => {
    expect(
      await admit(request("POST", `/tools/x?access_token=${TOKEN}`, { Authorization: [] }), options()),
    ).toMatchObject({
      error: { kind: "unauthenticated", details: { reason: "missing" } },
      headers: { "WWW-Authenticate": 'Bearer realm="holdfast"' },
    })
    const challenge = { "WWW-Authenticate": 'Bearer realm="holdfast", error="invalid_token"' }
    expect(await call({ Authorization: "Bearer hfl_bad" })).toMatchObject({
      error: { details: { reason: "unknown" } },
      headers: challenge,
    })
    for (const lines of [[`Bearer ${TOKEN}`, `Bearer ${TOKEN}`], "Basic eDp5", "Bearer", `Bearer ${TOKEN} x`])
      expect(await call({ Authorization: lines })).toMatchObject({
        error: { details: { reason: "malformed" } },
        headers: challenge,
      })
  })

  it("D13: path before credential before method; case and trailing slash count", async () => {
    const at = (path: string, headers?: Record<string, string[]>) => admit(request("GET", path, headers), options())
    expect(await at("/tools/list_projects", { Authorization: [] })).toMatchObject(refusal("unauthenticated"))
    expect(await at("/tools/list_projects")).toMatchObject({
      ...refusal("method_not_allowed"),
      headers: { Allow: "POST" },
    })
    for (const path of [
      "/Tools/list_projects",
      "/tools/list_projects/",
      "/tools/",
      "/mcp/nope",
      "//tools/x",
      "/oauth/token",
    ])
      expect(await at(path, { Authorization: [] }), path).toMatchObject(refusal("route_not_found"))
  })

  it("D14: decodes a path once; an encoded slash, NUL or bad escape is no path", async () => {
    const name = async (path: string) => {
      const admission = await admit(request("POST", path), options())
      return admission.outcome === "admitted" ? admission.params.name : admission.outcome
    }
    expect(await name("/tools/list%5Fprojects?x=1")).toBe("list_projects")
    expect(await name("/tools/list%255Fprojects")).toBe("list%5Fprojects")
    for (const path of ["/tools/x%2Flist_projects", "/tools/list_projects%00", "/tools/%zz", "/tools/%ff"])
      expect(await admit(request("POST", path), options()), path).toMatchObject(refusal("route_not_found"))
  })

  it("refuses bearer routes while draining, before the credential, and still serves open ones", async () => {
    const draining = { draining: () => true }
    expect(await call({ Authorization: [] }, draining)).toMatchObject({
      ...refusal("shutting_down"),
      headers: { "Retry-After": "1" },
    })
    expect((await admit(request("GET", "/health"), options(draining))).outcome).toBe("admitted")
  })

  it("D8: refuses every content type but exactly one JSON in UTF-8", async () => {
    const bad = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      [],
      "application/json;charset=utf-8;text/plain",
      "application/json; charset=utf-16",
      ["application/json", "application/json"],
      "application/json; charset='utf-8'",
      "application/jsonx",
    ]
    for (const type of bad)
      expect(await call({ "Content-Type": type }), String(type)).toMatchObject(refusal("unsupported_media_type"))
    expect(await call({ "Content-Encoding": "gzip" })).toMatchObject(refusal("unsupported_media_type"))
  })

  it("D9: takes type and charset in any case, quoted or not, and no body without type", async () => {
    for (const type of ['Application/JSON; Charset="UTF-8"', "application/json;charset=utf-8", "application/json"])
      expect((await call({ "Content-Type": type, "Content-Encoding": "identity" })).outcome).toBe("admitted")
    expect((await call({ "Content-Type": [], "Content-Length": "0" })).outcome).toBe("admitted")
    expect((await call({ "Content-Type": [], "Content-Length": [] })).outcome).toBe("admitted")
    expect(await call({ "Content-Type": [], "Content-Length": [], "Transfer-Encoding": "chunked" })).toMatchObject(
      refusal("unsupported_media_type"),
    )
  })

  it("D10: refuses a stated length over 4 MiB before any byte", async () => {
    expect(await call({ "Content-Length": "4194305" })).toMatchObject({
      error: { kind: "payload_too_large", details: { limit_bytes: 4_194_304 } },
    })
    expect((await call({ "Content-Length": "4194304" })).outcome).toBe("admitted")
  })

  it("limits requests of one principal in a minute and says when to come back", async () => {
    let now = 59_000
    const limits = options({ now: () => now, perMinute: 2 })
    const send = () => admit(request("POST", "/tools/x"), limits)
    expect([(await send()).outcome, (await send()).outcome]).toEqual(["admitted", "admitted"])
    expect(await send()).toMatchObject({
      error: { kind: "rate_limited", retryAfterMs: 1000 },
      headers: { "Retry-After": "1" },
    })
    now = 60_000
    expect((await send()).outcome).toBe("admitted")
  })

  it("answers the 21st failed authentication of an address with 429, never a valid token", async () => {
    const limits = options()
    const send = (authorization: string) => admit(request("POST", "/tools/x", { Authorization: authorization }), limits)
    for (let at = 0; at < 20; at++) expect(await send("Bearer bad")).toMatchObject(refusal("unauthenticated"))
    expect(await send("Bearer bad")).toMatchObject({ ...refusal("rate_limited"), headers: { "Retry-After": "60" } })
    expect((await send(`Bearer ${TOKEN}`)).outcome).toBe("admitted")
  })
})
