import { PassThrough } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createHoldfast, type Holdfast } from "../../../server/holdfast.ts"
import { connectClient, connectFirstClient, connectOver } from "../../support/mcp/clients.ts"
import { StreamTransport } from "../../support/mcp/stream-transport.ts"
import { makePlace, type Place } from "../../support/place.ts"

let place: Place
let holdfast: Holdfast
beforeAll(async () => {
  place = await makePlace()
  holdfast = await createHoldfast({
    dataDir: place.dataDir,
    env: place.env,
    projects: [{ path: place.root, project: "demo" }],
  })
})
afterAll(async () => {
  await holdfast.close()
  await place.remove()
})

const listed = { output: { total: 1, projects: [{ project: "demo" }] } }
const endpoint = { url: "http://embedded.test", token: "unused" }
const routed: typeof fetch = (input, init) => holdfast.mcp.fetch(new Request(input, init))

describe("MCP inside a host program", () => {
  it.each([
    ["2026", connectClient],
    ["2025", connectFirstClient],
  ])("serves web-standard requests without a socket (%s)", async (_era, open) => {
    const client = await open(endpoint, { fetch: routed })
    const reply = await client.callTool({ name: "list_projects", arguments: {} })
    expect(reply.structuredContent).toMatchObject(listed)
    await client.close()
  })

  it("serves a pair of streams", async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()]
    const door = holdfast.mcp.stdio({ stdin, stdout })
    const client = await connectOver(new StreamTransport({ input: stdout, output: stdin }))
    const reply = await client.callTool({ name: "list_projects", arguments: {} })
    expect(reply.structuredContent).toMatchObject(listed)
    await client.close()
    await door.ended
    await door.close()
  })
})
