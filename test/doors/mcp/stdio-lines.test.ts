import { PassThrough } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type StdioDoor, serveMcpStdio } from "../../../adapters/mcp/index.ts"
import { stdioCaller } from "../../../core/access/callers.ts"
import { mcpDoorDeps, mcpFaultListener } from "../../../server/compose/mcp-door-deps.ts"
import { eventually } from "../../support/mcp/ledger.ts"
import type { RawAnswer } from "../../support/mcp/raw.ts"
import { startServer, type TestServer } from "../../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "0" } },
}
const LIMIT_BYTES = 4_194_304

interface Connection {
  readonly stdin: PassThrough
  readonly stdout: PassThrough
  readonly door: StdioDoor
  say(message: object): void
  /** All answers so far. */
  answers(): readonly RawAnswer[]
  /** All answers as soon as there are so many. */
  come(count: number): Promise<readonly RawAnswer[]>
}

/** A host that has said hello, after what it says before that. */
async function connect(before = ""): Promise<Connection> {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  let text = ""
  stdout.on("data", (chunk) => {
    text += chunk
  })
  const { runtime } = server
  const door = serveMcpStdio(mcpDoorDeps(runtime), {
    caller: stdioCaller(),
    surface: "coding",
    stdin,
    stdout,
    onFault: mcpFaultListener(runtime.telemetry),
  })
  const say = (message: object): void => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }
  const answers = (): readonly RawAnswer[] =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const come = (count: number) =>
    eventually(
      10_000,
      async () => answers(),
      (all) => all.length >= count,
    )
  stdin.write(before)
  say(INITIALIZE)
  say({ method: "notifications/initialized" })
  await come(1)
  return { stdin, stdout, door, say, answers, come }
}

const call = (id: number, name: string, args: object = {}) => ({
  id,
  method: "tools/call",
  params: { name, arguments: args },
})

describe("a line that breaks the rules of every door", () => {
  it.each([
    ["text that is no JSON", "{nope", -32700, "invalid_json"],
    [
      "bytes that are no UTF-8",
      Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
      -32700,
      "invalid_json",
    ],
    ["half a surrogate pair", String.raw`{"jsonrpc":"2.0","id":2,"method":"\ud800"}`, -32700, "invalid_json"],
    ["a member twice", '{"jsonrpc":"2.0","id":2,"id":3,"method":"ping"}', -32700, "invalid_json"],
    ["33 levels", `{"jsonrpc":"2.0","id":2,"x":${"[".repeat(32)}${"]".repeat(32)}}`, -32700, "invalid_json"],
    ["a batch", '[{"jsonrpc":"2.0","id":2,"method":"ping"}]', -32600, "invalid_json"],
    ["an object that is no message", '{"jsonrpc":"2.0","id":2,"zq81":1}', -32600, "invalid_message"],
    ["4 MiB and a byte", "x".repeat(LIMIT_BYTES + 1), -32600, "payload_too_large"],
  ])("%s is answered without id, and the connection lives on", async (_what, line, code, kind) => {
    const { stdin, say, come, door } = await connect()
    stdin.write(Buffer.concat([Buffer.from(line), Buffer.from("\n")]))
    say({ id: 2, method: "ping" })
    const [, refusal, pong] = await come(3)
    expect(refusal).toMatchObject({ jsonrpc: "2.0", id: null, error: { code, data: { kind } } })
    expect(pong).toMatchObject({ id: 2, result: {} })
    await door.close()
  })

  it("names the limit that a line passed, keeps the calls in flight, and takes a line of just 4 MiB", async () => {
    const { stdin, say, come, answers, door } = await connect()
    say(call(2, "run_shell", { project: "demo", command: "sleep 1; echo still here" }))
    stdin.write(`${"x".repeat(5_000_000)}\n`)
    const [, refusal] = await come(2)
    expect(refusal).toMatchObject({ id: null, error: { message: expect.stringContaining(String(LIMIT_BYTES)) } })
    const around = JSON.stringify({ jsonrpc: "2.0", id: 3, method: "ping", params: { x: "" } }).length
    say({ id: 3, method: "ping", params: { x: "x".repeat(LIMIT_BYTES - around) } })
    await come(4)
    expect(JSON.stringify(answers().find(({ id }) => id === 2))).toContain("still here")
    expect(answers().find(({ id }) => id === 3)).toMatchObject({ result: {} })
    await door.close()
  })

  it("an argument __proto__ is refused as unknown, not left out", async () => {
    const { stdin, come, door } = await connect()
    stdin.write(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_projects","arguments":{"__proto__":{}}}}\n',
    )
    const [, refusal] = await come(2)
    expect(refusal).toMatchObject({ id: 2, error: { code: -32602, data: { unknown_fields: ["__proto__"] } } })
    await door.close()
  })

  it("reads no further from a host that reads none of the answers", async () => {
    const { stdin, stdout, come, door } = await connect()
    stdout.pause()
    const bad = `${"x".repeat(100)}\n`.repeat(100)
    for (let times = 0; times < 100; times++) stdin.write(bad)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(stdin.readableLength + stdin.writableLength).toBeGreaterThan(50 * bad.length)
    stdout.resume()
    expect((await come(10_001)).length).toBe(10_001)
    await door.close()
  })

  it("leaves in the log its kind alone", async () => {
    const before = server.log().length
    const noMessage = { jsonrpc: "2.0", [`zq81${"y".repeat(5_000)}`]: 1 }
    const noRequest = { jsonrpc: "2.0", id: 77, result: { [`zq82${"z".repeat(5_000)}`]: 1 } }
    const { come, door } = await connect(`${JSON.stringify(noMessage)}\n${JSON.stringify(noRequest)}\n`)
    await come(2)
    await door.close()
    const lines = server.log().slice(before).split("\n").filter(Boolean)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "info", msg: "mcp message not served", kind: "Error" }),
    ])
    expect(lines.every((line) => line.length < 300 && !/zq8/.test(line))).toBe(true)
  })
})

describe("the end of input", () => {
  it("comes after the answers of what was asked, also of a last line without an end", async () => {
    const { stdin, say, come, door } = await connect()
    say(call(2, "run_shell", { project: "demo", command: "sleep 0.5; echo done" }))
    stdin.end(JSON.stringify({ jsonrpc: "2.0", ...call(3, "list_projects") }))
    await door.ended
    const answers = await come(3)
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3])
    expect(JSON.stringify(answers.find(({ id }) => id === 2))).toContain("done")
    await door.close()
  })

  it("a cancelled call is not waited for", async () => {
    const { stdin, say, door } = await connect()
    say(call(2, "run_shell", { project: "demo", command: "sleep 20" }))
    say({ method: "notifications/cancelled", params: { requestId: 2 } })
    const endedAt = performance.now()
    stdin.end()
    await door.ended
    expect(performance.now() - endedAt).toBeLessThan(1_000)
    await door.close()
  })

  it("closing answers what still runs: a command is handed over", async () => {
    const { stdin, say, come, door } = await connect()
    say(call(2, "run_shell", { project: "demo", command: "sleep 20" }))
    stdin.end()
    await door.ended
    await door.close()
    const [, reply] = await come(2)
    expect(reply).toMatchObject({
      id: 2,
      result: { structuredContent: { success: true, output: { execution_state: "running", promoted_to_job: true } } },
    })
  })

  it("an output that is gone ends the connection at once", async () => {
    const { stdout, say, door } = await connect()
    say(call(2, "run_shell", { project: "demo", command: "sleep 20" }))
    stdout.destroy()
    await door.ended
    await door.close()
  })
})
