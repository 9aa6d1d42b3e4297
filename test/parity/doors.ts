import { PassThrough } from "node:stream"
import type { Client } from "@modelcontextprotocol/client"
import type { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { serveMcpStdio } from "../../adapters/mcp/index.ts"
import { stdioCaller } from "../../core/access/callers.ts"
import { createClient, type HoldfastClient } from "../../sdk/client.ts"
import { mcpDoorDeps } from "../../server/compose/mcp-door-deps.ts"
import { createHoldfast } from "../../server/holdfast.ts"
import { connectClient, connectFirstClient, connectOver, type Endpoint } from "../support/mcp/clients.ts"
import { StreamTransport } from "../support/mcp/stream-transport.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { createTestTools } from "../support/test-tools.ts"
import { type Base, READER_SCOPES } from "./base.ts"
import { countingIds, standingClock } from "./fixed.ts"
import type { Step } from "./script.ts"

/** Every call states this deadline: a hand-over comes at 95 % or 2 s before it. */
const DEADLINE_MS = 4_500
/** What HTTP states for it: the door takes half a second for the way. */
const WAIT_SECS = 5
/** What the SDK is given for it: it asks for the whole seconds that remain, less two. */
const SDK_TIMEOUT_MS = 7_700

/** One door over a fresh copy of the base; `call` gives the whole ToolResult. */
export interface OpenDoor {
  call(step: Step): Promise<unknown>
  close(): Promise<void>
}

/** A way to call Holdfast. */
export interface Door {
  readonly name: string
  /** What the ledger calls it. */
  readonly recordedAs: "http" | "mcp" | "stdio" | "embedded"
  open(base: Base): Promise<OpenDoor>
}

const composition = () => ({
  clock: standingClock,
  ids: countingIds(2),
  tools: createTestTools().definitions,
})
const serverOf = ({ place }: Base): Promise<TestServer> => startServer({ place, ...composition() })

/** The input with the recorder beside the tool's own fields, as the doors without call options take it. */
const withRecorder = ({ input, recorder }: Step): Record<string, unknown> => ({
  ...input,
  ...(recorder === undefined ? {} : { recording_session_id: recorder }),
})

const overHttp: Door = {
  name: "HTTP",
  recordedAs: "http",
  async open(base) {
    const server = await serverOf(base)
    return {
      async call(step) {
        const own = step.as === "reader" ? { Authorization: `Bearer ${base.readerToken}` } : {}
        return await server.call(step.tool, withRecorder(step), { Prefer: `wait=${WAIT_SECS}`, ...own })
      },
      close: () => server.close(),
    }
  },
}

type McpClient = Pick<Client, "callTool" | "close"> | Pick<FirstClient, "callTool" | "close">

async function callOver(client: McpClient, step: Step): Promise<unknown> {
  const { structuredContent } = await client.callTool({
    name: step.tool,
    arguments: withRecorder(step),
    _meta: { "holdfast/deadline-ms": DEADLINE_MS },
  })
  return structuredContent
}

function overMcp(name: string, connect: (endpoint: Endpoint, options: { path: string }) => Promise<McpClient>): Door {
  return {
    name,
    recordedAs: "mcp",
    async open(base) {
      const server = await serverOf(base)
      const clientOf = (token: string) => connect({ url: server.url, token }, { path: "/mcp/full" })
      const own = await clientOf(server.token)
      const reader = await clientOf(base.readerToken)
      return {
        call: (step) => callOver(step.as === "reader" ? reader : own, step),
        async close() {
          await own.close()
          await reader.close()
          await server.close()
        },
      }
    },
  }
}

/**
 * The stdio door in this process, over a pair of streams: a fixed clock and fixed ids reach a child of `holdfast mcp` only
 * through a composition that the product does not offer. Framing, era and rendering are those of the child; test/doors/mcp
 * drives a real one.
 */
const overStdio: Door = {
  name: "MCP stdio",
  recordedAs: "stdio",
  async open(base) {
    const server = await serverOf(base)
    const open = async (caller: ReturnType<typeof stdioCaller>) => {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()]
      const surface = "full"
      const door = serveMcpStdio(mcpDoorDeps(server.runtime), {
        caller,
        surface,
        stdin,
        stdout,
        onFault: () => undefined,
      })
      return { door, client: await connectOver(new StreamTransport({ input: stdout, output: stdin })) }
    }
    const own = await open(stdioCaller())
    const reader = await open(stdioCaller(READER_SCOPES))
    return {
      call: (step) => callOver(step.as === "reader" ? reader.client : own.client, step),
      async close() {
        for (const { client, door } of [own, reader]) {
          await client.close()
          await door.close()
        }
        await server.close()
      },
    }
  },
}

/** Tool and input are data here, so that the script can hold what the types refuse. */
async function callSdk(client: HoldfastClient, { tool, input, recorder }: Step): Promise<unknown> {
  return await client.call(tool as never, input as never, { timeoutMs: SDK_TIMEOUT_MS, recordingSessionId: recorder })
}

const overSdk: Door = {
  name: "SDK",
  recordedAs: "http",
  async open(base) {
    const server = await serverOf(base)
    const own = createClient({ baseUrl: server.url, token: server.token })
    const reader = createClient({ baseUrl: server.url, token: base.readerToken })
    return {
      call: (step) => callSdk(step.as === "reader" ? reader : own, step),
      close: () => server.close(),
    }
  },
}

const inProcess: Door = {
  name: "in process",
  recordedAs: "embedded",
  async open({ place }) {
    const holdfast = await createHoldfast({ dataDir: place.dataDir, env: place.env, ...composition() })
    const reader = holdfast.as({ scopes: READER_SCOPES })
    return {
      call: (step) => callSdk(step.as === "reader" ? reader : holdfast.client, step),
      close: () => holdfast.close(),
    }
  },
}

/** All doors; the first is what the others are compared with. */
export const DOORS: readonly Door[] = [
  overHttp,
  overMcp("MCP HTTP 2026-07-28", connectClient),
  overMcp("MCP HTTP 2025-06-18", connectFirstClient),
  overStdio,
  overSdk,
  inProcess,
]
