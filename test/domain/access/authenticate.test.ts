import { describe, expect, it } from "vitest"
import { openStore } from "../../../adapters/storage/index.ts"
import {
  addUserSchema,
  createGrantSchema,
  createTokenSchema,
  revokeSchema,
} from "../../../core/access/account-inputs.ts"
import { createAccounts } from "../../../core/access/accounts.ts"
import { createAuthenticator } from "../../../core/access/authenticate.ts"
import { embeddedCaller, stdioCaller } from "../../../core/access/callers.ts"
import { authorityFingerprint } from "../../../core/access/principal.ts"
import { SCOPE_BUNDLES } from "../../../core/access/scopes.ts"
import { hashSecret } from "../../../core/access/secret.ts"
import { createIds, credentialIdSchema } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { registered } from "../../support/registered.ts"
import type { Stored } from "../ledger/stored.ts"
import { openTestStore } from "../ledger/stored.ts"

const HOUR = 3_600_000
const ids = createIds()

function parts({ store }: Stored) {
  const time = { at: 1_000_000 }
  const clock = { now: () => time.at }
  const accounts = createAccounts({ store, clock, ids, secrets: createSecretRegistry() })
  const onNoteFailed = (error: unknown): never => {
    throw error
  }
  return { time, accounts, ...createAuthenticator({ store, clock, onNoteFailed }) }
}

const reason = (value: string) => ({ kind: "unauthenticated", details: { reason: value } })
const user = (name: string, over: object = {}) => addUserSchema.parse({ name, ...over })
const token = (name: string, over: object = {}) => createTokenSchema.parse({ user: name, name: "laptop", ...over })

describe("authentication", () => {
  it("K25: a token that ends exactly now, one that was revoked, one that is unknown", async () => {
    await using stored = await openTestStore()
    const { time, accounts, authenticate } = parts(stored)
    await accounts.addUser(user("ada"))
    const short = await accounts.createToken(token("ada", { expires_in_secs: 3600 }))
    time.at += HOUR - 1
    expect((await authenticate(short.token)).principal).toEqual({ kind: "user", id: "user:ada", name: "ada" })
    time.at += 1
    await expect(authenticate(short.token)).rejects.toMatchObject(reason("expired"))
    const other = await accounts.createToken(token("ada"))
    await accounts.revokeToken({ id: credentialIdSchema.parse(other.credential.id) })
    await expect(authenticate(other.token)).rejects.toMatchObject(reason("revoked"))
    for (const secret of [`hfp_${"A".repeat(43)}`, "hfp_", "", "xyz", `hfs_${"A".repeat(43)}`]) {
      await expect(authenticate(secret)).rejects.toMatchObject(reason("unknown"))
    }
  })

  it("K25: a revocation in another process holds for the next call here", async () => {
    await using stored = await openTestStore()
    const here = parts(stored)
    await here.accounts.addUser(user("ada"))
    const made = await here.accounts.createToken(token("ada"))
    await here.authenticate(made.token)
    const other = await openStore({ dataDir: stored.dataDir })
    await createAccounts({ store: other, clock: { now: () => 2 }, ids, secrets: createSecretRegistry() }).revokeToken({
      id: credentialIdSchema.parse(made.credential.id),
    })
    await other.close()
    await expect(here.authenticate(made.token)).rejects.toMatchObject(reason("revoked"))
  })

  it("revoked beats expired, expired beats a disabled user", async () => {
    await using stored = await openTestStore()
    const { time, accounts, authenticate } = parts(stored)
    await accounts.addUser(user("ada"))
    const one = await accounts.createToken(token("ada", { expires_in_secs: 3600 }))
    const two = await accounts.createToken(token("ada", { expires_in_secs: 3600 }))
    const three = await accounts.createToken(token("ada", { never: true }))
    await accounts.revokeToken({ id: credentialIdSchema.parse(one.credential.id) })
    await accounts.disableUser({ name: "ada" })
    time.at += HOUR
    await expect(authenticate(one.token)).rejects.toMatchObject(reason("revoked"))
    await expect(authenticate(two.token)).rejects.toMatchObject(reason("expired"))
    await expect(authenticate(three.token)).rejects.toMatchObject(reason("disabled"))
  })

  it("K26: only the SHA-256 of a secret is stored", async () => {
    await using stored = await openTestStore()
    const { accounts } = parts(stored)
    expect(hashSecret(`hfp_${"A".repeat(43)}`)).toBe("754880885434a08db7fa464a7f1e2c6dd76fcf39d6192c72fa974a448b80521e")
    await accounts.addUser(user("ada"))
    const made = await accounts.createToken(token("ada"))
    const row = await stored.store.read((tx) => tx.credentials.byHash(hashSecret(made.token)))
    expect(made.token).toMatch(/^hfp_[A-Za-z0-9_-]{43}$/)
    expect(row?.hint).toBe(made.token.slice(-4))
    expect(JSON.stringify(row)).not.toContain(made.token)
    expect(JSON.stringify(await accounts.listTokens({}))).not.toMatch(/[0-9a-f]{64}|hfp_/)
  })

  it("effective scopes and Projects are those of user and credential", async () => {
    await using stored = await openTestStore()
    const { accounts, authenticate } = parts(stored)
    for (const slug of ["a", "b", "c"]) await registered(stored.store, slug)
    await accounts.addUser(user("ada", { scopes: ["project:read", "job:run"], projects: ["a", "b"] }))
    const narrow = await accounts.createToken(
      token("ada", { scopes: ["project:read", "run:read"], projects: ["b", "c"] }),
    )
    const caller = await authenticate(narrow.token)
    expect([...caller.scopes]).toEqual(["project:read"])
    expect(caller.projects).toEqual(["b"])
    const wide = await authenticate((await accounts.createToken(token("ada"))).token)
    expect([[...wide.scopes].sort(), wide.projects]).toEqual([
      ["job:run", "project:read"],
      ["a", "b"],
    ])
  })

  it("K44: a grant is its own authority group, limited to its Projects and without Memory", async () => {
    await using stored = await openTestStore()
    const { accounts, authenticate } = parts(stored)
    await registered(stored.store, "a")
    const made = await accounts.createGrant(createGrantSchema.parse({ name: "ci", projects: ["a"] }))
    const caller = await authenticate(made.token)
    expect(made.token).toMatch(/^hfg_/)
    expect(caller.principal.id).toBe(made.credential.principal_id)
    expect(caller.authority?.kind).toBe("grant")
    expect(caller.projects).toEqual(["a"])
    expect([...caller.scopes]).toEqual([...SCOPE_BUNDLES.grant])
    expect(made.credential.expires_at).toBe(1_000_000 + 30 * 24 * HOUR)
  })

  it("last use is noted at most once a minute", async () => {
    await using stored = await openTestStore()
    const { time, accounts, authenticate } = parts(stored)
    await accounts.addUser(user("ada"))
    const made = await accounts.createToken(token("ada"))
    const lastUse = async () => (await accounts.listTokens({ user: "ada" })).credentials[0]?.last_used_at
    await authenticate(made.token)
    time.at += 59_999
    await authenticate(made.token)
    expect(await lastUse()).toBe(1_000_000)
    time.at += 1
    await authenticate(made.token)
    expect(await lastUse()).toBe(1_060_000)
  })
})

describe("accounts", () => {
  it("a name is never given out twice, also after disabling", async () => {
    await using stored = await openTestStore()
    const { accounts } = parts(stored)
    await accounts.addUser(user("ada"))
    await accounts.disableUser({ name: "ada" })
    await expect(accounts.addUser(user("ada"))).rejects.toMatchObject({ kind: "invalid_arguments" })
    await expect(accounts.createToken(token("ada"))).rejects.toMatchObject({ kind: "invalid_arguments" })
    await expect(accounts.createToken(token("bob"))).rejects.toMatchObject({ kind: "invalid_arguments" })
    expect((await accounts.listUsers()).users).toMatchObject([{ name: "ada", disabled_at: 1_000_000, projects: ["*"] }])
  })

  it("refuses unknown scopes, lives out of range, endless grants, grants without Project", () => {
    const refused = [
      addUserSchema.safeParse({ name: "ada", scopes: ["project:all"] }),
      addUserSchema.safeParse({ name: "Ada" }),
      createTokenSchema.safeParse({ user: "ada", name: "x", scopes: ["nope"] }),
      createTokenSchema.safeParse({ user: "ada", name: "x", expires_in_secs: 3599 }),
      createTokenSchema.safeParse({ user: "ada", name: "x", expires_in_secs: 3650 * 86_400 + 1 }),
      createTokenSchema.safeParse({ user: "ada", name: "x", expires_in_secs: 3600, never: true }),
      createGrantSchema.safeParse({ name: "x", projects: ["a"], never: true }),
      createGrantSchema.safeParse({ name: "x", projects: [] }),
    ]
    expect(refused.map(({ success }) => success)).toEqual(refused.map(() => false))
  })

  it("names and reasons are stored with their secrets masked; one of our own tokens is no name", async () => {
    await using stored = await openTestStore()
    const { accounts } = parts(stored)
    await accounts.addUser(user("ada"))
    const made = await accounts.createToken(token("ada", { name: "password=hunter2hunter2" }))
    expect(made.credential.name).toBe("password=[redacted:password]")
    const id = credentialIdSchema.parse(made.credential.id)
    const revoked = await accounts.revokeToken({ id, reason: `leaked ${made.token}` })
    expect(revoked.credential.revoked_reason).toBe("leaked [redacted:holdfast_token]")
    await registered(stored.store, "a")
    for (const name of [made.token, `ci ${made.token}`]) {
      const refused = { kind: "invalid_arguments", details: { field: "name" } }
      await expect(accounts.createToken(token("ada", { name }))).rejects.toMatchObject(refused)
      const grant = createGrantSchema.parse({ name, projects: ["a"] })
      await expect(accounts.createGrant(grant)).rejects.toMatchObject(refused)
    }
    const rows = JSON.stringify(await stored.store.read((tx) => tx.credentials.list({ kind: "user_token" })))
    expect(rows).not.toMatch(/hunter2|hfp_/)
  })

  it("users, tokens and grants are for Projects that exist; what is listed twice counts once", async () => {
    await using stored = await openTestStore()
    const { accounts } = parts(stored)
    await registered(stored.store, "a")
    await expect(
      accounts.createGrant(createGrantSchema.parse({ name: "ci", projects: ["a", "nope"] })),
    ).rejects.toMatchObject({ kind: "invalid_arguments", details: { field: "projects" } })
    const unknown = { kind: "invalid_arguments", details: { field: "projects" } }
    await expect(accounts.addUser(user("bob", { projects: ["a", "nope"] }))).rejects.toMatchObject(unknown)
    expect((await accounts.listUsers()).users).toEqual([])
    const twice = { scopes: ["project:read", "project:read"], projects: ["a", "a"] }
    const once = { scopes: ["project:read"], projects: ["a"] }
    expect((await accounts.addUser(user("ada", twice))).user).toMatchObject(once)
    expect((await accounts.createToken(token("ada", twice))).credential).toMatchObject(once)
    await expect(accounts.createToken(token("ada", { projects: ["nope"] }))).rejects.toMatchObject(unknown)
    expect((await accounts.createGrant(createGrantSchema.parse({ name: "ci", ...twice }))).credential).toMatchObject(
      once,
    )
  })

  it("labels take no control characters", () => {
    for (const label of ["a\u0000", "\u001b[31mred", "two\nlines", "\u009b1m"]) {
      expect(createTokenSchema.safeParse({ user: "ada", name: label }).success).toBe(false)
      expect(createGrantSchema.safeParse({ name: label, projects: ["a"] }).success).toBe(false)
      expect(revokeSchema.safeParse({ id: `cred_${"a".repeat(16)}`, reason: label }).success).toBe(false)
    }
  })

  it("a repeat of a revocation says so; a grant is not revoked as a token", async () => {
    await using stored = await openTestStore()
    const { accounts } = parts(stored)
    await registered(stored.store, "a")
    const made = await accounts.createGrant(createGrantSchema.parse({ name: "ci", projects: ["a"] }))
    const id = credentialIdSchema.parse(made.credential.id)
    await expect(accounts.revokeToken({ id })).rejects.toMatchObject({ kind: "invalid_arguments" })
    expect(await accounts.revokeGrant({ id, reason: "done" })).toMatchObject({
      already_revoked: false,
      credential: { revoked_reason: "done" },
    })
    expect(await accounts.revokeGrant({ id })).toMatchObject({ already_revoked: true })
  })
})

describe("callers without credential", () => {
  it("K39: vectors of the authority group's fingerprint", () => {
    expect(authorityFingerprint({ kind: "local", id: "local" })).toBe(
      "59cc42b121eb555c83f4257c357a7402f0b193b63c51a3d855b3cfd1e96c369b",
    )
    expect(authorityFingerprint({ kind: "user", id: "alice" })).toBe(
      "6ec4f3e4f224bc25d1ae59fd520b8566e9a15949a0fa52e8bba8e55216bbc62c",
    )
  })

  it("stdio has the agent bundle, narrowed, and nothing of the operator", () => {
    expect([...stdioCaller().scopes]).toEqual([...SCOPE_BUNDLES.agent])
    expect([...stdioCaller(["project:read", "admin", "audit:read"]).scopes]).toEqual(["project:read"])
  })

  it("an embedder's own principal has no authority group unless it is given one", () => {
    expect(embeddedCaller().authority).toEqual({ kind: "local", id: "local" })
    expect(embeddedCaller({ principal: { kind: "embedded", id: "bot" } }).authority).toBeUndefined()
  })
})
