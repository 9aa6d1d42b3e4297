import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import path from "node:path"
import type { Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { connectOver } from "../../support/mcp/clients.ts"
import { eventually } from "../../support/mcp/ledger.ts"
import { makePlace } from "../../support/place.ts"
import { commandLine, RUNTIME, startStdio } from "../../support/server-process.ts"

const ended = z.object({ events: z.array(z.object({ kind: z.string(), status: z.string().optional() })) })

/** A child that a test speaks to line by line; `preload` is a module that it loads before everything. */
async function startRaw({ preload, args = [] }: { readonly preload?: string; readonly args?: readonly string[] } = {}) {
  const place = await makePlace()
  const flags = process.versions.deno === undefined ? ["--import"] : ["--preload"]
  const command: typeof RUNTIME = preload === undefined ? RUNTIME : [...RUNTIME, ...flags, preload]
  const { program, args: all } = await commandLine("mcp", place, { args, command })
  const child = spawn(program, all, { env: place.env, stdio: ["pipe", "pipe", "pipe"] })
  const exited = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)))
  const stdout = textOf(child.stdout)
  const stderr = textOf(child.stderr)
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const answer = (id: number) =>
    eventually(
      10_000,
      async () => stdout(),
      (text) => text.includes(`"id":${id}`),
    )
  return { place, child, exited, stdout, stderr, say, answer }
}

function textOf(stream: Readable): () => string {
  let text = ""
  stream.on("data", (chunk) => {
    text += chunk
  })
  return () => text
}

const initialize = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "0" } },
}

describe("holdfast mcp as a child of its host", () => {
  it("serves the official client, which gets 2026-07-28 and the served directory", async () => {
    const { transport, place } = await startStdio()
    const client = await connectOver(transport)
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28")
    const reply = await client.callTool({ name: "list_projects", arguments: {} })
    expect(reply.structuredContent).toMatchObject({ output: { projects: [{ project: "demo", root: place.root }] } })
    await client.close()
    await place.remove()
  })

  it("D48: a cancelled call ends, the process goes on", async () => {
    const { transport, place } = await startStdio({ args: ["--surface", "full"] })
    const client = await connectOver(transport)
    const call = async (name: string, args: object) =>
      z
        .looseObject({ output: z.unknown() })
        .parse((await client.callTool({ name, arguments: { ...args } })).structuredContent).output
    const { session_id } = z
      .looseObject({ session_id: z.string() })
      .parse(await call("start_session", { project: "demo" }))
    const leaving = new AbortController()
    const running = client.callTool(
      { name: "run_shell", arguments: { project: "demo", session_id, command: "sleep 30" } },
      { signal: leaving.signal },
    )
    setTimeout(() => leaving.abort(new Error("enough")), 1_000)
    await expect(running).rejects.toThrow("enough")
    const summary = await eventually(
      5_000,
      async () => ended.parse(await call("session_summary", { session_id })),
      ({ events }) => events.some(({ kind }) => kind === "tool_call_finished"),
    )
    expect(summary.events[0]).toMatchObject({ status: "failed" })
    expect(JSON.stringify(summary)).not.toContain("interrupted")
    await client.close()
    await place.remove()
  })

  it("D51: standard output holds JSON-RPC alone, also where a dependency prints", async () => {
    const preload = `data:text/javascript,${encodeURIComponent(
      "setInterval(() => { console.log('noise'); console.info('noise'); console.debug('noise') }, 50).unref()",
    )}`
    const { place, child, exited, stdout, stderr, say, answer } = await startRaw({ preload })
    say(initialize)
    say({ method: "notifications/initialized" })
    await answer(1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    say({ id: 2, method: "tools/call", params: { name: "list_projects", arguments: {} } })
    await answer(2)
    child.stdin.end()
    expect(await exited).toBe(0)
    const lines = stdout().split("\n").filter(Boolean)
    expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(["2.0", "2.0"])
    expect(stderr()).toContain("noise")
    await place.remove()
  })

  it("ends with 0 within 5 s of the end of its input, also with a call in flight", async () => {
    const { place, child, exited, say, answer } = await startRaw()
    say(initialize)
    say({ method: "notifications/initialized" })
    await answer(1)
    say({
      id: 2,
      method: "tools/call",
      params: { name: "run_shell", arguments: { project: "demo", command: "sleep 15" } },
    })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const endedAt = performance.now()
    child.stdin.end()
    expect(await exited).toBe(0)
    expect(performance.now() - endedAt).toBeLessThan(5_000)
    await place.remove()
  })

  it("hands a running command over on SIGTERM, tells so, and ends with 0", async () => {
    const { place, child, exited, stdout, say, answer } = await startRaw()
    say(initialize)
    say({ method: "notifications/initialized" })
    await answer(1)
    const args = { project: "demo", command: "sleep 12" }
    say({ id: 2, method: "tools/call", params: { name: "run_shell", arguments: args } })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    // Not child.kill: on Deno that makes the exit code unknown.
    process.kill(child.pid ?? 0, "SIGTERM")
    expect(await exited).toBe(0)
    const reply = stdout()
      .split("\n")
      .filter((line) => line.includes('"id":2'))
      .map((line) => JSON.parse(line).result.structuredContent)
    expect(reply).toMatchObject([{ success: true, output: { execution_state: "running", promoted_to_job: true } }])
    await place.remove()
  })

  it("takes lines up to 4 MiB and lives on after a longer one", async () => {
    const { place, child, exited, say, answer } = await startRaw()
    say(initialize)
    say({ method: "notifications/initialized" })
    await answer(1)
    const called = (id: number, title: string) =>
      say({ id, method: "tools/call", params: { name: "call_tool", arguments: { tool: "start_session", title } } })
    called(2, "x".repeat(3_000_000))
    expect(await answer(2)).toContain("invalid_arguments")
    called(3, "x".repeat(5_000_000))
    called(4, "x")
    const answers = await answer(4)
    expect(answers).toContain('"id":null')
    expect(answers).toContain("payload_too_large")
    expect(answers).not.toContain('"id":3')
    child.stdin.end()
    expect(await exited).toBe(0)
    await place.remove()
  })

  it("answers everything that was piped in before it ends, a running command by its Job", async () => {
    const { place, child, exited, stdout, say, answer } = await startRaw()
    const call = (id: number, name: string, args: object) =>
      say({ id, method: "tools/call", params: { name, arguments: { project: "demo", ...args } } })
    say(initialize)
    say({ method: "notifications/initialized" })
    const edits = [{ kind: "replace_exact", old_text: "beta", new_text: "BETA" }]
    call(2, "apply_text_edits", { changes: [{ kind: "edit", path: "notes.txt", edits }] })
    call(3, "run_shell", { command: "echo did run" })
    call(4, "run_shell", { command: "sleep 12" })
    child.stdin.end()
    await answer(1)
    const firstAt = performance.now()
    expect(await exited).toBe(0)
    expect(performance.now() - firstAt).toBeLessThan(5_000)
    const replies = new Map(
      stdout()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .map(({ id, result }) => [id, result.structuredContent]),
    )
    expect([...replies.keys()].sort()).toEqual([1, 2, 3, 4])
    expect(replies.get(2)).toMatchObject({ success: true })
    expect(await readFile(path.join(place.root, "notes.txt"), "utf8")).toBe("alpha\nBETA\ngamma\n")
    expect(JSON.stringify(replies.get(3))).toContain("did run")
    expect(replies.get(4)).toMatchObject({
      success: true,
      output: { execution_state: "running", promoted_to_job: true },
    })
    await place.remove()
  })

  it("ends when its input is at an end before it speaks", async () => {
    const { place, child, exited } = await startRaw()
    child.stdin.end()
    expect(await exited).toBe(0)
    await place.remove()
  })

  it("never gives a model behind stdio what only an operator may do", async () => {
    const { place, child, exited, stdout, say, answer } = await startRaw({ args: ["--scopes", "runtime:read"] })
    say(initialize)
    say({ method: "notifications/initialized" })
    await answer(1)
    say({ id: 2, method: "tools/call", params: { name: "run_shell", arguments: {} } })
    expect(await answer(2)).toContain("insufficient_scope")
    child.stdin.end()
    await exited
    expect(stdout()).not.toContain("hfl_")
    await place.remove()
  })
})
