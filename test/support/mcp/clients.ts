import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client"
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as FirstHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport as FirstTransport } from "@modelcontextprotocol/sdk/shared/transport.js"

const WHO = { name: "holdfast-tests", version: "0.0.0" }

/** Where a client connects. */
export interface Endpoint {
  readonly url: string
  readonly token: string
}

/** How a client connects to it. */
export interface ClientOptions {
  /** `/mcp` unless said. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
}

/** The official client of the second generation, negotiating by itself: 2026-07-28. */
export async function connectClient(endpoint: Endpoint, options: ClientOptions = {}): Promise<Client> {
  const { url, init } = httpOptions(endpoint, options)
  return await connectOver(new StreamableHTTPClientTransport(url, init))
}

/** The same client over any transport, such as stdio. */
export async function connectOver(transport: Transport): Promise<Client> {
  const client = new Client(WHO, { versionNegotiation: { mode: "auto" } })
  await client.connect(transport)
  return client
}

/** The official client of the first generation, in the given revision of 2025. */
export async function connectFirstClient(
  endpoint: Endpoint,
  options: ClientOptions & { readonly revision?: string } = {},
): Promise<FirstClient> {
  const { url, init } = httpOptions(endpoint, options)
  const client = new FirstClient(WHO)
  const transport: FirstTransport = new FirstHttpTransport(url, init)
  await client.connect(askFor(transport, options.revision ?? "2025-06-18"))
  return client
}

/** That client has no option for the revision that it asks for; it accepts each one that it knows. */
function askFor(transport: FirstTransport, revision: string): FirstTransport {
  const send = transport.send.bind(transport)
  transport.send = (message, sendOptions) =>
    "method" in message && message.method === "initialize"
      ? send({ ...message, params: { ...message.params, protocolVersion: revision } }, sendOptions)
      : send(message, sendOptions)
  return transport
}

function httpOptions({ url, token }: Endpoint, { path = "/mcp", headers = {}, fetch }: ClientOptions) {
  return {
    url: new URL(path, url),
    init: {
      requestInit: { headers: { Authorization: `Bearer ${token}`, ...headers } },
      ...(fetch === undefined ? {} : { fetch }),
    },
  }
}
