import { rm } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace } from "../../support/place.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { startProcess } from "../../support/server-process.ts"
import { has, openEvents, textOf } from "./event-source.ts"

describe("the stream of what runs (shells.md §13)", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  const open = (options: { readonly after?: string; readonly token?: string } = {}) =>
    openEvents(server.url, { token: server.token, ...options })
  const runShell = async (command: string, more: object = {}) =>
    String((await server.call("run_shell", { project: "demo", command, ...more })).output.job_id)

  it("tells a command's start, output and end, in this order", async () => {
    await using stream = await open()
    const jobId = await runShell("echo out; echo err >&2; exit 3")
    const events = await stream.until((all) => has(all, "command_ended", jobId))
    const own = events.filter(({ data }) => data["job_id"] === jobId)
    expect(own.map(({ event }) => event)).toEqual(["command_started", "output", "output", "command_ended"])
    expect(own[0]?.data).toMatchObject({
      kind: "shell",
      tool: "run_shell",
      project: "demo",
      command: "echo out; echo err >&2; exit 3",
    })
    expect(textOf(events, jobId)).toBe("out\n")
    expect(textOf(events, jobId, "stderr")).toBe("err\n")
    expect(own[3]?.data).toMatchObject({ outcome: "exited", exit_code: 3, bytes_total: { stdout: 4, stderr: 4 } })
  })

  it("tells a live shell's opening, its commands and its closing", async () => {
    await using stream = await open()
    const { output } = await server.call("session_create", { transport: "local" })
    const shellId = output["session_id"]
    const exec = await server.call("session_exec", { session_id: shellId, command: "echo in shell" })
    await server.call("session_destroy", { session_id: shellId })
    const events = await stream.until((all) => has(all, "shell_closed"))
    const own = events.filter(({ data }) => data["shell_id"] === shellId)
    expect(own.map(({ event }) => event)).toEqual([
      "shell_opened",
      "command_started",
      "output",
      "command_ended",
      "shell_closed",
    ])
    expect(own[0]?.data).toMatchObject({ transport: "local", shell: "bash", family: "free" })
    expect(textOf(events, exec.output["job_id"])).toBe("in shell\n")
    expect(own[4]?.data).toMatchObject({ state: "closed", reason: "destroyed" })
  })

  it("tells what background children write after the end", async () => {
    await using stream = await open()
    const { output } = await server.call("session_create", { transport: "local" })
    const exec = { session_id: output["session_id"], command: "(sleep 0.5; echo LATE) & echo on time" }
    const { job_id: jobId } = (await server.call("session_exec", exec)).output
    await stream.until((all) => textOf(all, jobId).includes("LATE"))
    const kinds = stream.events.filter(({ data }) => data["job_id"] === jobId).map(({ event }) => event)
    expect(kinds).toEqual(["command_started", "output", "command_ended", "output"])
    expect(textOf(stream.events, jobId)).toBe("on time\nLATE\n")
    await server.call("session_destroy", { session_id: output["session_id"] })
  })

  it("shows output while the command runs, and whoever comes later sees what lives", async () => {
    const jobId = await runShell("echo first; while [ ! -e go ]; do sleep 0.05; done; echo second", {
      sync_wait_secs: 0,
    })
    await using late = await open()
    await late.until((all) => textOf(all, jobId) === "first\n")
    expect(has(late.events, "command_ended", jobId)).toBe(false)
    await runShell("touch go")
    await late.until((all) => has(all, "command_ended", jobId))
    expect(textOf(late.events, jobId)).toBe("first\nsecond\n")
    await runShell("rm go")
  })

  it("goes on behind any event, also in a server that was started later, and repeats and leaves out nothing", async () => {
    const place = await makePlace()
    const before = await startServer({ place })
    const start = async (command: string, more: object = {}) =>
      String((await before.call("run_shell", { project: "demo", command, ...more })).output["job_id"])
    const first = await openEvents(before.url, { token: before.token })
    const jobId = await start("for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.05; done; exit 5", { sync_wait_secs: 0 })
    await first.until((all) => has(all, "command_ended", jobId))
    const cut = first.events.findIndex(({ event }) => event === "output")
    const between = await start("echo between")
    await first.close()
    await before.close()
    const after = await startServer({ place })
    const second = await openEvents(after.url, { token: after.token, after: first.events[cut]?.id ?? "" })
    await second.until((all) => has(all, "command_ended", jobId) && has(all, "command_ended", between))
    const all = [...first.events.slice(0, cut + 1), ...second.events]
    expect(textOf(all, between)).toBe("between\n")
    expect(textOf(all, jobId)).toBe("1\n2\n3\n4\n5\n6\n7\n8\n")
    for (const [event, of] of [
      ["command_started", jobId],
      ["command_ended", jobId],
      ["command_started", between],
    ] as const) {
      expect(
        all.filter((one) => one.event === event && one.data["job_id"] === of),
        event,
      ).toHaveLength(1)
    }
    await second.close()
    await after.close()
    await place.remove()
  })

  it("shows what another server of the data directory runs", { timeout: 60_000 }, async () => {
    const place = await makePlace()
    const one = await startProcess({ place })
    const other = await startProcess({ place })
    const stream = await openEvents(other.url, { token: other.token })
    const call = async (tool: string, input: object) => {
      const headers = { Authorization: `Bearer ${one.token}`, "Content-Type": "application/json" }
      const answer = await fetch(`${one.url}/tools/${tool}`, { method: "POST", headers, body: JSON.stringify(input) })
      return JSON.parse(await answer.text()).output
    }
    const { session_id: shell } = await call("session_create", { transport: "local" })
    const { job_id: jobId } = await call("session_exec", { session_id: shell, command: "echo over there; exit 6" })
    const events = await stream.until((all) => has(all, "command_ended", jobId))
    expect(textOf(events, jobId)).toBe("over there\n")
    expect(events.find(({ event }) => event === "command_ended")?.data).toMatchObject({ shell_id: shell, exit_code: 6 })
    await call("session_destroy", { session_id: shell })
    await stream.until((all) => has(all, "shell_closed"))
    await stream.close()
    await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()])
    await place.remove()
  })

  it("serves a slow reader everything, later", async () => {
    await using stream = await open()
    const jobId = await runShell("head -c 8000000 /dev/zero | tr '\\0' x", { budget: { max_chars: 10 } })
    await stream.until((all) => has(all, "command_ended", jobId))
    expect(textOf(stream.events, jobId) === "x".repeat(8_000_000)).toBe(true)
  })

  it("names the bytes that retention took before a slow reader came to them", async () => {
    await using small = await startServer({ config: { spool_job_bytes: 1_048_576 } })
    await using stream = await openEvents(small.url, { token: small.token })
    const command = "head -c 12000000 /dev/zero | tr '\\0' x"
    const { output } = await small.call("run_shell", { project: "demo", command, budget: { max_chars: 10 } })
    const events = await stream.until((all) => has(all, "command_ended", output["job_id"]))
    const sum = (event: string) =>
      events.filter((one) => one.event === event).reduce((all, { data }) => all + Number(data["bytes"]), 0)
    expect(sum("gap")).toBeGreaterThan(0)
    expect(sum("gap") + sum("output")).toBe(12_000_000)
    // Offsets join, gaps included.
    const text = textOf(events, output["job_id"])
    expect([text.startsWith("xxx"), text.endsWith("xxx")]).toEqual([true, true])
    expect(text.replaceAll(/x+/g, "")).toMatch(/^(?:<gap \d+>)+$/)
  })

  it("names output that is not kept any more as a gap", async () => {
    const place = await makePlace()
    const before = await startServer({ place })
    const first = await openEvents(before.url, { token: before.token })
    const { output } = await before.call("run_shell", { project: "demo", command: "echo gone; exit 2" })
    await first.until((all) => has(all, "command_ended", output["job_id"]))
    const started = first.events.find(({ event }) => event === "command_started")
    await first.close()
    await before.close()
    await rm(path.join(place.dataDir, "runner"), { recursive: true })
    const after = await startServer({ place })
    const second = await openEvents(after.url, { token: after.token, after: started?.id ?? "" })
    const events = await second.until((all) => has(all, "command_ended"))
    expect(events.map(({ event, data }) => [event, data["bytes"], data["exit_code"]])).toEqual([
      ["gap", 5, undefined],
      ["command_ended", undefined, 2],
    ])
    await second.close()
    await after.close()
    await place.remove()
  })

  it("cuts no character between two events", async () => {
    await using stream = await open()
    const jobId = await runShell("printf 'a\\xe2'; sleep 0.3; printf '\\x82\\xac z'; printf '\\xff'", {})
    const events = await stream.until((all) => has(all, "command_ended", jobId))
    expect(textOf(events, jobId)).toBe("a€ z\ufffd")
  })

  it("shows nobody what is not theirs, and masks secrets", async () => {
    await server.post("/api/users/add", { name: "eve" })
    const created = JSON.parse(await (await server.post("/api/tokens/create", { user: "eve", name: "t" })).text())
    await using theirs = await open({ token: created.token })
    await using own = await open()
    const secret = "correct-horse-battery"
    await runShell(`DB_PASSWORD=${secret}; echo "$DB_PASSWORD"`)
    const { output } = await server.call("session_create", { transport: "local" })
    await server.call("session_destroy", { session_id: output["session_id"] })
    await own.until((all) => has(all, "shell_closed"))
    const evesOwn = await fetch(`${server.url}/tools/run_shell`, {
      method: "POST",
      headers: { Authorization: `Bearer ${created.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ project: "demo", command: "echo eve" }),
    })
    const { job_id: jobId } = JSON.parse(await evesOwn.text()).output
    await theirs.until((all) => has(all, "command_ended", jobId))
    expect(theirs.events.every(({ data }) => data["job_id"] === jobId)).toBe(true)
    expect(JSON.stringify(own.events)).not.toContain(secret)
    expect(JSON.stringify(own.events)).toContain("[redacted:DB_PASSWORD]")
  })

  it("stands behind the gate like every route", async () => {
    const get = (headers: Record<string, string>, path = "/api/runtime/stream") =>
      fetch(`${server.url}${path}`, { headers })
    const authorized = { Authorization: `Bearer ${server.token}` }
    expect((await get({})).status).toBe(401)
    expect((await get({ ...authorized, Origin: "http://evil.example" })).status).toBe(403)
    expect((await fetch(`${server.url}/api/runtime/stream?token=${server.token}`)).status).toBe(401)
    const posted = await server.post("/api/runtime/stream", {})
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"])
    for (const after of ["x", "!", Buffer.from("[1]").toString("base64url"), "a".repeat(9_000)]) {
      const refused = await get(authorized, `/api/runtime/stream?after=${after}`)
      expect(refused.status, after.slice(0, 9)).toBe(400)
      expect(await refused.json()).toMatchObject({ error: { kind: "invalid_arguments", details: { field: "after" } } })
    }
    await server.post("/api/users/add", { name: "blind" })
    const scopes = ["job:run"]
    const made = await server.post("/api/tokens/create", { user: "blind", name: "t", scopes })
    const { token } = JSON.parse(await made.text())
    const refused = await get({ Authorization: `Bearer ${token}` })
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ error: { kind: "insufficient_scope" } })
  })

  it("ends within 5 s when its credential is revoked, and at once when the server ends", async () => {
    await server.post("/api/users/add", { name: "leaver" })
    const made = await server.post("/api/tokens/create", { user: "leaver", name: "t" })
    const { token, credential } = JSON.parse(await made.text())
    await using stream = await open({ token })
    expect(stream.status).toBe(200)
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
    const revokedAt = Date.now()
    await server.post("/api/tokens/revoke", { id: credential.id })
    await stream.ended()
    expect(Date.now() - revokedAt).toBeLessThan(6_000)
    const ending = await startServer()
    await using open2 = await openEvents(ending.url, { token: ending.token })
    const closed = ending.close()
    await open2.ended()
    const endedAt = Date.now()
    await closed
    expect(Date.now() - endedAt).toBeLessThan(10_000)
  })
})
