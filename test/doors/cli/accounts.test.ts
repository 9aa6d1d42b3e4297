import { readFile } from "node:fs/promises"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openStore } from "../../../adapters/storage/index.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { makePlace, type Place } from "../../support/place.ts"
import { registered } from "../../support/registered.ts"
import { startProcess } from "../../support/server-process.ts"
import { oneSentence, runHoldfast, runInProcess } from "./run-holdfast.ts"

describe("holdfast user, token, grant", () => {
  let place: Place
  beforeEach(async () => {
    place = await makePlace()
  })
  afterEach(() => place.remove())

  const json = async (...args: readonly string[]) => {
    const { code, stdout } = await runInProcess(place, [...args, "--json"])
    expect(code).toBe(0)
    return JSON.parse(stdout)
  }
  const run = (...args: readonly string[]) => runInProcess(place, args)
  const register = async (...slugs: readonly string[]) => {
    const store = await openStore({ dataDir: place.dataDir })
    for (const slug of slugs) await registered(store, slug)
    await store.close()
  }

  it("a user's token works until it is revoked by another process, then not for one more call", async () => {
    await using server = await startProcess({ place })
    const call = async (token: string) => {
      const answer = await fetch(`${server.url}/tools/list_projects`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: "{}",
      })
      const { error } = JSON.parse(await answer.text())
      return { status: answer.status, reason: error?.details?.reason }
    }
    expect((await runHoldfast(place, ["user", "add", "alice"])).code).toBe(0)
    const made = await runHoldfast(place, ["token", "create", "--user", "alice", "--name", "laptop"])
    const token = made.stdout.trim()
    expect(token).toMatch(/^hfp_[A-Za-z0-9_-]{43}$/)
    const [, id = ""] = /(cred_[a-z2-7]{16})/.exec(made.stderr) ?? []
    expect(await call(token)).toEqual({ status: 200, reason: undefined })
    expect((await runHoldfast(place, ["token", "revoke", id])).stdout).toBe(`Revoked ${id}.\n`)
    expect(await call(token)).toEqual({ status: 401, reason: "revoked" })
    expect((await runHoldfast(place, ["token", "revoke", id])).stdout).toBe(`${id} was revoked already.\n`)

    const second = (await json("token", "create", "--user", "alice", "--name", "desk")).token
    expect(await call(second)).toEqual({ status: 200, reason: undefined })
    expect((await runHoldfast(place, ["user", "disable", "alice"])).stdout).toBe("Disabled user alice.\n")
    expect(await call(second)).toEqual({ status: 401, reason: "disabled" })
  })

  it("rotating replaces the file; the old local token is revoked for the running server", async () => {
    await using server = await startProcess({ place })
    const { code, stdout } = await runHoldfast(place, ["token", "rotate-local"])
    const file = path.join(place.dataDir, "local-token")
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `The local token was replaced; the new one is in ${file}.\n`,
    })
    const fresh = (await readFile(file, "utf8")).trim()
    expect(fresh).not.toBe(server.token)
    const status = async (token: string) =>
      (
        await fetch(`${server.url}/tools/list_projects`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: "{}",
        })
      ).status
    expect([await status(server.token), await status(fresh)]).toEqual([401, 200])
  })

  it("a list flag that is repeated adds to it, with and without commas", async () => {
    await register("a", "b", "c")
    const projects = ["--projects", "a,b", "--projects", "c"]
    const scopes = ["--scopes", "project:read", "--scopes", "project:write,job:run"]
    expect((await run("user", "add", "alice", ...projects, ...scopes)).code).toBe(0)
    const { users } = await json("user", "list")
    const granted = { projects: ["a", "b", "c"], scopes: ["project:read", "project:write", "job:run"] }
    expect(users).toMatchObject([{ name: "alice", ...granted }])
    const token = await json("token", "create", "--user", "alice", "--name", "x", ...scopes)
    expect(token.credential).toMatchObject({ scopes: granted.scopes })
  })

  it("lists users and tokens as a table and as JSON, without secret or hash", async () => {
    await register("demo")
    await run("user", "add", "alice", "--projects", "demo", "--scopes", "project:read,runtime:read")
    const made = await json("token", "create", "--user", "alice", "--name", "laptop", "--expires", "1h")
    const lists = [
      await run("user", "list"),
      await run("token", "list"),
      await run("token", "list", "--json"),
      await run("token", "list", "--user", "alice"),
    ]
    for (const { stdout } of lists) {
      expect(stdout).toContain("alice")
      expect(stdout).not.toContain(made.token)
      expect(stdout).not.toMatch(/[0-9a-f]{64}/)
    }
    expect(lists[0]?.stdout.split("\n")[1]).toBe("alice  active  demo      project:read,runtime:read")
    const { credentials } = await json("token", "list")
    expect(credentials).toHaveLength(1)
    expect(credentials[0]).toMatchObject({
      id: made.credential.id,
      kind: "user_token",
      principal_id: "user:alice",
      name: "laptop",
      hint: made.token.slice(-4),
    })
    expect(credentials[0].expires_at - credentials[0].created_at).toBe(3_600_000)
    expect((await json("token", "list", "--user", "bob")).credentials).toEqual([])
  })

  it("a token is shown as live only while it opens something", async () => {
    const state = async (name: string) => {
      const { stdout } = await run("token", "list")
      const row = stdout.split("\n").find((line) => line.includes(`  ${name}  `))
      return row?.match(/ {2}(live|expired|revoked|user disabled) {2}/)?.[1]
    }
    for (const user of ["alice", "bob"]) await run("user", "add", user)
    await json("token", "create", "--user", "alice", "--name", "alices")
    const bobs = await json("token", "create", "--user", "bob", "--name", "bobs")
    const store = await openStore({ dataDir: place.dataDir })
    const row = await store.read((tx) => tx.credentials.byId(bobs.credential.id))
    if (row === undefined) throw new Error("The token was not stored.")
    const ended = { ...row, id: createIds().credential(), secretHash: "0".repeat(64), name: "ended", expiresAt: 1 }
    await store.write((tx) => tx.credentials.insert(ended))
    await store.close()
    expect([await state("alices"), await state("bobs"), await state("ended")]).toEqual(["live", "live", "expired"])
    await run("user", "disable", "alice")
    await run("token", "revoke", bobs.credential.id)
    expect([await state("alices"), await state("bobs")]).toEqual(["user disabled", "revoked"])
    expect((await run("token", "list")).stdout.split("\n")[0]).toMatch(
      /^ID +PRINCIPAL +NAME +TOKEN +STATE +EXPIRES +LAST USED$/,
    )
  })

  it("a token without an end is asked for by name", async () => {
    await run("user", "add", "alice")
    const made = await json("token", "create", "--user", "alice", "--name", "ci", "--expires", "never")
    expect(made.credential.expires_at).toBe(undefined)
    const usual = await json("token", "create", "--user", "alice", "--name", "usual")
    expect(usual.credential.expires_at - usual.credential.created_at).toBe(90 * 86_400_000)
  })

  it("a grant opens its Projects, ends after 30 days unless said, and is revoked by id", async () => {
    await register("demo")
    const made = await json("grant", "create", "--projects", "demo", "--name", "review")
    expect(made.token).toMatch(/^hfg_[A-Za-z0-9_-]{43}$/)
    expect(made.credential).toMatchObject({ kind: "project_grant", name: "review" })
    expect(made.credential.expires_at - made.credential.created_at).toBe(30 * 86_400_000)
    expect((await run("grant", "list")).stdout).toContain("review")
    expect((await run("grant", "revoke", made.credential.id, "--reason", "done")).stdout).toBe(
      `Revoked ${made.credential.id}.\n`,
    )
    expect((await run("grant", "list")).stdout).toContain("revoked")
  })

  it("a control character in a stored name is printed escaped", async () => {
    await run("user", "add", "alice")
    const { credential } = await json("token", "create", "--user", "alice", "--name", "plain")
    const store = await openStore({ dataDir: place.dataDir })
    const row = await store.read((tx) => tx.credentials.byId(credential.id))
    const id = createIds().credential()
    if (row !== undefined) {
      await store.write((tx) =>
        tx.credentials.insert({ ...row, id, secretHash: "0".repeat(64), name: "a\u001b[31m\nb" }),
      )
    }
    await store.close()
    expect((await run("token", "list")).stdout).toContain("a\\u001b[31m\\u000ab")
  })

  it.each([
    { args: ["grant", "create", "--projects", "nope", "--name", "x"] },
    { args: ["user", "add", "alice", "--projects", "nope"] },
    { args: ["token", "create", "--user", "nobody", "--name", "x"] },
    { args: ["user", "disable", "nobody"] },
    { args: ["token", "revoke", "cred_aaaaaaaaaaaaaaaa"] },
  ])("an argument that names nothing is exit code 2 and one sentence: $args", async ({ args }) => {
    const end = await run(...args)
    expect(end).toMatchObject({ code: 2, stdout: "" })
    expect(end.stderr).toMatch(oneSentence)
  })

  it("a name is never given out twice, also after disabling", async () => {
    expect((await run("user", "add", "alice")).code).toBe(0)
    await run("user", "disable", "alice")
    const again = await run("user", "add", "alice")
    expect(again).toMatchObject({ code: 2, stdout: "" })
    expect(again.stderr).toMatch(oneSentence)
    expect((await run("user", "disable", "alice")).stdout).toBe("User alice was disabled already.\n")
  })
})
