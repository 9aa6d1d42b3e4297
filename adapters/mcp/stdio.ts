import type { Readable, Writable } from "node:stream"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import type { Caller } from "../../core/access/principal.ts"
import type { AbortReason } from "../../core/kernel/call.ts"
import type { Surface } from "../../core/kernel/definition.ts"
import { createMcpServer, type McpDoorDeps } from "./server-factory.ts"

const MAX_LINE_BYTES = 4 * 1024 * 1024

/** MCP over a pair of streams: the protocol alone on `stdout` (spec doors.md §4.1). */
export interface StdioDoorOptions {
  readonly caller: Caller
  readonly surface: Surface
  readonly stdin: Readable
  readonly stdout: Writable
  readonly onFault: (error: Error) => void
}

/** A served stdio connection. */
export interface StdioDoor {
  /** Resolves when the connection has ended: the host closed its end, or sent what cannot be read as lines. */
  readonly ended: Promise<void>
  /** Ends the connection; calls in flight learn of a shutdown. */
  close(): Promise<void>
}

/** Serves one host. The end of the connection aborts calls in flight as `client_gone`: running commands go on as Jobs. */
export function serveMcpStdio(
  deps: McpDoorDeps,
  { caller, surface, stdin, stdout, onFault }: StdioDoorOptions,
): StdioDoor {
  const over = new AbortController()
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_LINE_BYTES })
  const handle = serveStdio(
    ({ era }) =>
      createMcpServer(deps, { caller, surface, door: "stdio", ended: over.signal }, era === "modern" ? "2026" : "2025"),
    { legacy: "serve", transport, onerror: onFault },
  )
  const closeServed = transport.onclose
  const ended = new Promise<void>((resolve) => {
    transport.onclose = () => {
      // Before the SDK aborts every request: the first reason wins.
      over.abort("client_gone" satisfies AbortReason)
      closeServed?.()
      resolve()
    }
  })
  return {
    ended,
    async close() {
      over.abort("shutdown" satisfies AbortReason)
      // An answer whose call has just ended is still on its way through the SDK's promises.
      await new Promise<void>((resolve) => setImmediate(resolve))
      await handle.close()
    },
  }
}
