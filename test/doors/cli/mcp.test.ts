import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { connectOver } from "../../support/mcp/clients.ts"
import { makePlace, type Place } from "../../support/place.ts"
import { startStdio } from "../../support/server-process.ts"
import { oneSentence, runHoldfast } from "./run-holdfast.ts"

describe("holdfast mcp", () => {
  let place: Place
  beforeEach(async () => {
    place = await makePlace()
  })
  afterEach(() => place.remove())

  const connected = async (...args: readonly string[]) => {
    const { transport } = await startStdio({ place, args })
    const client = await connectOver(transport)
    return {
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name: string, input: Record<string, unknown> = {}) =>
        (await client.callTool({ name, arguments: input })).structuredContent,
      [Symbol.asyncDispose]: () => client.close(),
    }
  }

  it("serves the directory on stdin and stdout as the local principal, without a token file", async () => {
    await using client = await connected()
    expect(await client.call("list_projects")).toMatchObject({
      success: true,
      output: { projects: [{ project: "demo" }] },
    })
    expect(await client.names()).toContain("run_shell")
  })

  it("--surface and --scopes narrow what is listed and what may be called", async () => {
    await using full = await connected("--surface", "full")
    expect(await full.names()).toContain("register_project")
    await using reader = await connected("--scopes", "runtime:read,project:read")
    expect(await reader.names()).not.toContain("apply_text_edits")
    expect(await reader.call("call_tool", { tool: "run_shell", arguments_json: "{}" })).toMatchObject({
      success: false,
      error: { kind: "insufficient_scope" },
    })
  })

  it.each(["admin", "audit:read", "account:manage"])("never gives %s to the other end of a pipe", async (scope) => {
    const end = await runHoldfast(place, ["mcp", "--scopes", `project:read,${scope}`])
    expect(end).toMatchObject({ code: 2, stdout: "" })
    expect(end.stderr).toMatch(oneSentence)
    expect(end.stderr).toContain(scope)
  })

  it("the end of input ends it with exit code 0 within 5 s, with nothing but the protocol on standard output", async () => {
    const started = Date.now()
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } },
    }
    const end = await runHoldfast(place, ["mcp"], { stdin: `${JSON.stringify(message)}\n` })
    expect(end.code).toBe(0)
    expect(Date.now() - started).toBeLessThan(10_000)
    const lines = end.stdout.trimEnd().split("\n")
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" })
  })

  it.each([
    ["--surface", "everything"],
    ["--authority-mode", "yolo"],
  ])("a bad %s ends with exit code 2 and says nothing on standard output", async (...args) => {
    const end = await runHoldfast(place, ["mcp", ...args])
    expect(end).toMatchObject({ code: 2, stdout: "" })
    expect(end.stderr).toMatch(oneSentence)
    expect(end.stderr).toContain(args[0])
  })
})
