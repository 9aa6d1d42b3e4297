import type { Client } from "@modelcontextprotocol/client"
import type { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { connectClient, connectFirstClient } from "../../support/mcp/clients.ts"
import { answerOf, postFirst, postModern } from "../../support/mcp/raw.ts"
import { makePlace } from "../../support/place.ts"
import { startServer } from "../../support/server.ts"
import { createTestTools } from "../../support/test-tools.ts"

const CLIENTS = 20
const CALLS_EACH = 100
const echoed = z.object({
  result: z.object({ structuredContent: z.object({ output: z.object({ text: z.string() }) }) }),
})

describe("no reply reaches another caller", () => {
  it("D49: 20 clients, all with id 1, mixed eras, 2,000 calls", async () => {
    await using server = await startServer({ tools: createTestTools().definitions })
    const mismatches: string[] = []
    const work = async (client: number): Promise<void> => {
      const post = client % 2 === 0 ? postModern : postFirst
      for (let round = 0; round < CALLS_EACH; round += 1) {
        const nonce = `${client}-${round}`
        const params = { name: "t_echo", arguments: { text: nonce } }
        const answer = await answerOf(
          await post(server, { method: "tools/call", params, id: 1 }, { path: "/mcp/full" }),
        )
        const { text } = echoed.parse(answer).result.structuredContent.output
        if (answer.id !== 1 || text !== nonce) mismatches.push(`${nonce} got ${text}`)
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))
    expect(mismatches).toEqual([])
  }, 120_000)
})

describe("D50: nothing hangs on a connection or a session of the protocol", () => {
  it("an Mcp-Session-Id is neither read nor sent", async () => {
    await using server = await startServer()
    for (const post of [postModern, postFirst]) {
      const params = { name: "list_projects", arguments: {} }
      const reply = await post(server, { method: "tools/call", params }, { headers: { "Mcp-Session-Id": "zzz" } })
      expect(reply.headers.get("mcp-session-id")).toBeNull()
      expect((await answerOf(reply)).result).toMatchObject({ isError: false })
    }
  })

  it.each([
    ["2026", connectClient],
    ["2025", connectFirstClient],
  ] as const)("a restart between two calls is invisible (%s)", async (_era, open) => {
    const place = await makePlace()
    const first = await startServer({ place })
    const client: Client | FirstClient = await open(first)
    const call = async () =>
      z
        .object({ output: z.object({ total: z.number() }) })
        .parse((await client.callTool({ name: "list_projects", arguments: {} })).structuredContent).output.total
    expect(await call()).toBe(1)
    await first.close()
    const second = await startServer({ place, config: { port: first.port } })
    expect(await call()).toBe(1)
    await client.close()
    await second.close()
    await place.remove()
  })
})
