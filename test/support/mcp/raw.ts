import type { Endpoint } from "./clients.ts"

/** A JSON-RPC message as a test writes it. */
export interface RawMessage {
  readonly method: string
  readonly params?: Record<string, unknown>
  readonly id?: number | string
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "0.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
}

/** How a raw request leaves. */
export interface RawOptions {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** One request of 2026-07-28 with the headers that the revision asks for. */
export function postModern(
  endpoint: Endpoint,
  { method, params = {}, id = 1 }: RawMessage,
  options: RawOptions = {},
): Promise<Response> {
  const meta = typeof params._meta === "object" ? params._meta : {}
  const body = { jsonrpc: "2.0", id, method, params: { ...params, _meta: { ...ENVELOPE, ...meta } } }
  const named = typeof params.name === "string" ? { "Mcp-Name": params.name } : {}
  return postBody(endpoint, body, {
    ...options,
    headers: { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...named, ...options.headers },
  })
}

/** One request of a 2025 revision. */
export function postFirst(
  endpoint: Endpoint,
  { method, params, id = 1 }: RawMessage,
  options: RawOptions = {},
): Promise<Response> {
  const body = { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }
  return postBody(endpoint, body, { ...options, headers: { "MCP-Protocol-Version": "2025-06-18", ...options.headers } })
}

/** Any body, with token and `Accept` of both kinds unless said. */
export function postBody(
  { url, token }: Endpoint,
  body: unknown,
  { path = "/mcp", headers = {}, signal }: RawOptions = {},
): Promise<Response> {
  return fetch(new URL(path, url), {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** A JSON-RPC answer as a test reads it. */
export interface RawAnswer {
  readonly id: number | string | null
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> }
}

/** The last message of a reply, whether it came as JSON or as a stream. */
export async function answerOf(response: Response): Promise<RawAnswer> {
  const text = await response.text()
  if (response.headers.get("content-type")?.includes("text/event-stream") !== true) return JSON.parse(text)
  const last = text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .at(-1)
  return JSON.parse(last?.slice("data: ".length) ?? "")
}
