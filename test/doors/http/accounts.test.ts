import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type DoorUnderTest, startDoor } from "./door-under-test.ts"
import { errorOf } from "./replies.ts"

let door: DoorUnderTest
beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door.close())

const post = (path: string, body: object, token = door.token) =>
  door.fetch(path, {
    method: "POST",
    headers: { ...door.headers(), Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
const faults = async (path: string, body: object) => (await errorOf(await post(path, body))).details

describe("the operator routes of users, tokens and grants", () => {
  it("K25: adds a user, shows a token once, lists it without hash, and a revoked token stops with the next call", async () => {
    const added = await post("/api/users/add", { name: "alice", projects: ["demo"] })
    expect([added.status, await added.json()]).toEqual([
      200,
      {
        user: {
          name: "alice",
          projects: ["demo"],
          scopes: expect.arrayContaining(["project:read"]),
          created_at: expect.any(Number),
        },
      },
    ])
    const created = JSON.parse(await (await post("/api/tokens/create", { user: "alice", name: "ci" })).text())
    expect(created).toMatchObject({
      token: expect.stringMatching(/^hfp_[A-Za-z0-9_-]{43}$/),
      credential: { id: expect.stringMatching(/^cred_/), kind: "user_token", principal_id: "user:alice", name: "ci" },
    })
    const listed = await (await post("/api/tokens/list", { user: "alice" })).text()
    expect(JSON.parse(listed)).toEqual({ credentials: [created.credential] })
    expect(listed).not.toMatch(/secret|hash/)
    const use = () => post("/tools/list_projects", {}, created.token)
    expect((await use()).status).toBe(200)
    const revoked = await post("/api/tokens/revoke", { id: created.credential.id, reason: "over" })
    expect(await revoked.json()).toMatchObject({
      already_revoked: false,
      credential: { revoked_reason: "over", revoked_at: expect.any(Number) },
    })
    expect(await errorOf(await use())).toMatchObject({ status: 401, details: { reason: "revoked" } })
  })

  it("gives nobody a scope or a Project that its own credential lacks", async () => {
    const scopes = ["project:read", "admin"]
    for (const [path, body] of [
      ["/api/users/add", { name: "mallory", scopes }],
      ["/api/tokens/create", { user: "alice", name: "up", scopes }],
      ["/api/grants/create", { name: "up", projects: ["demo"], scopes }],
    ] as const) {
      const refused = await errorOf(await post(path, body))
      expect(refused).toMatchObject({ status: 403, kind: "insufficient_scope", details: { missing: ["admin"] } })
    }
    await post("/api/users/add", { name: "lister", projects: ["demo"], scopes: ["account:manage", "project:read"] })
    const limited = JSON.parse(
      await (
        await post("/api/tokens/create", { user: "lister", name: "l", scopes: ["account:manage", "project:read"] })
      ).text(),
    ).token
    const everywhere = { name: "wide", scopes: ["project:read"] }
    expect(await errorOf(await post("/api/users/add", everywhere, limited))).toMatchObject({
      status: 403,
      kind: "project_access_denied",
    })
    expect((await post("/api/users/add", { ...everywhere, projects: ["demo"] }, limited)).status).toBe(200)
  })

  it("makes, lists and revokes a grant, and disables a user", async () => {
    const created = JSON.parse(await (await post("/api/grants/create", { name: "guest", projects: ["demo"] })).text())
    expect(created.token).toMatch(/^hfg_/)
    expect(await (await post("/api/grants/list", {})).json()).toEqual({ credentials: [created.credential] })
    expect(await (await post("/api/grants/revoke", { id: created.credential.id })).json()).toMatchObject({
      already_revoked: false,
    })
    await post("/api/users/add", { name: "bob" })
    expect(await (await post("/api/users/disable", { name: "bob" })).json()).toMatchObject({ already_disabled: false })
    expect(await (await post("/api/users/list", {})).json()).toMatchObject({ users: expect.any(Array) })
    expect(await errorOf(await post("/api/users/add", { name: "bob" }))).toMatchObject({ kind: "invalid_arguments" })
  })

  it("refuses a credential without account:manage before it looks at the body", async () => {
    await post("/api/users/add", { name: "carol" })
    const { token } = JSON.parse(await (await post("/api/tokens/create", { user: "carol", name: "t" })).text())
    expect(await errorOf(await post("/api/users/add", { bogus: 1 }, token))).toMatchObject({
      status: 403,
      kind: "insufficient_scope",
      details: { required: ["account:manage"], missing: ["account:manage"] },
    })
  })

  it("names every fault of a body by path and code, never by value", async () => {
    const cases: [string, object, object[]][] = [
      ["/api/users/list", { zq81: 1 }, [{ path: "zq81", code: "unknown" }]],
      ["/api/grants/list", { zq81: null }, [{ path: "zq81", code: "unknown" }]],
      ["/api/users/add", {}, [{ path: "name", code: "required" }]],
      ["/api/users/add", { name: null }, [{ path: "name", code: "null" }]],
      ["/api/users/add", { name: 7 }, [{ path: "name", code: "type" }]],
      ["/api/users/add", { name: "ZQ81" }, [{ path: "name", code: "pattern" }]],
      ["/api/users/add", { name: "x", scopes: "zq81" }, [{ path: "scopes", code: "type" }]],
      ["/api/users/add", { name: "x", scopes: [] }, [{ path: "scopes", code: "too_small" }]],
      ["/api/users/add", { name: "x", scopes: [7] }, [{ path: "scopes[0]", code: "type" }]],
      ["/api/users/add", { name: "x", scopes: ["zq"] }, [{ path: "scopes[0]", code: "enum" }]],
      ["/api/tokens/create", { user: "x", name: "" }, [{ path: "name", code: "too_small" }]],
      ["/api/tokens/create", { user: "x", name: "y".repeat(81) }, [{ path: "name", code: "too_big" }]],
      ["/api/tokens/create", { user: "x", name: "y", mode: "zq81" }, [{ path: "mode", code: "enum" }]],
      ["/api/tokens/create", { user: "x", name: "y", never: "zq81" }, [{ path: "never", code: "type" }]],
      [
        "/api/tokens/create",
        { user: "x", name: "y", expires_in_secs: 1.5 },
        [{ path: "expires_in_secs", code: "type" }],
      ],
      [
        "/api/tokens/create",
        { user: "x", name: "y", expires_in_secs: 60 },
        [{ path: "expires_in_secs", code: "too_small" }],
      ],
      [
        "/api/tokens/create",
        { user: "x", name: "y", expires_in_secs: 1e9 },
        [{ path: "expires_in_secs", code: "too_big" }],
      ],
      [
        "/api/tokens/create",
        { user: "x", name: "y", expires_in_secs: 3600, never: true },
        [{ path: "never", code: "conflict" }],
      ],
      ["/api/grants/create", { name: "y", projects: [] }, [{ path: "projects", code: "too_small" }]],
      ["/api/tokens/revoke", { id: "zq81" }, [{ path: "id", code: "pattern" }]],
    ]
    for (const [path, body, fields] of cases) {
      const details = await faults(path, body)
      expect(details, `${path} ${JSON.stringify(body)}`).toMatchObject({ fields, schema_hash: door.schemaHash })
      expect(JSON.stringify(details)).not.toContain('"zq81","code":"type')
    }
  })
})
