import type { Readable, Writable } from "node:stream"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import type { Caller } from "../../core/access/principal.ts"
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
  /** Resolves when the host closed its end of the pipe. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Serves one host. End of input aborts calls in flight as `client_gone`: running commands go on as Jobs. */
export function serveMcpStdio(
  deps: McpDoorDeps,
  { caller, surface, stdin, stdout, onFault }: StdioDoorOptions,
): StdioDoor {
  const gone = new AbortController()
  const ended = new Promise<void>((resolve) => {
    // Before the transport's own listeners, which abort every request: the first reason wins.
    const end = (): void => {
      gone.abort("client_gone")
      resolve()
    }
    stdin.prependOnceListener("end", end)
    stdin.prependOnceListener("close", end)
  })
  const handle = serveStdio(
    ({ era }) =>
      createMcpServer(deps, { caller, surface, door: "stdio", ended: gone.signal }, era === "modern" ? "2026" : "2025"),
    {
      legacy: "serve",
      transport: new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_LINE_BYTES }),
      onerror: onFault,
    },
  )
  return { ended, close: () => handle.close() }
}
