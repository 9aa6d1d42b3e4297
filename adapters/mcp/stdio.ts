import type { Readable, Writable } from "node:stream"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import type { Caller } from "../../core/access/principal.ts"
import type { AbortReason } from "../../core/kernel/call.ts"
import type { Surface } from "../../core/kernel/definition.ts"
import { LineTransport } from "./line-transport.ts"
import { createMcpServer, type McpDoorDeps } from "./server-factory.ts"

/** How long calls may still run after the host has said its last, ms; what runs longer learns of the shutdown. */
const LAST_CALLS_MS = 1_500
/** How long answers of calls that have ended may take to be written, ms. */
const LAST_ANSWERS_MS = 1_000

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
  /**
   * Resolves when the host will say no more and what it asked is answered, as far as 1.5 s allow, or when nobody hears the
   * answers. Who serves then drains the kernel, while answers are still written, and closes.
   */
  readonly ended: Promise<void>
  /** Ends the connection; calls in flight learn of a shutdown and are answered first. */
  close(): Promise<void>
}

/** Serves one host. A connection that is lost aborts calls in flight as `client_gone`: running commands go on as Jobs. */
export function serveMcpStdio(
  deps: McpDoorDeps,
  { caller, surface, stdin, stdout, onFault }: StdioDoorOptions,
): StdioDoor {
  const over = new AbortController()
  const transport = new LineTransport(stdin, stdout)
  const handle = serveStdio(
    ({ era }) =>
      createMcpServer(deps, { caller, surface, door: "stdio", ended: over.signal }, era === "modern" ? "2026" : "2025"),
    { legacy: "serve", transport, onerror: onFault },
  )
  const closeServed = transport.onclose
  transport.onclose = () => {
    // Before the SDK aborts every request: the first reason wins.
    over.abort("client_gone" satisfies AbortReason)
    closeServed?.()
  }
  return {
    ended: transport.inputEnded.then(() => transport.answered(LAST_CALLS_MS)),
    async close() {
      over.abort("shutdown" satisfies AbortReason)
      await transport.answered(LAST_ANSWERS_MS)
      await handle.close()
    },
  }
}
