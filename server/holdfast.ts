/** Holdfast inside a host program (package entry `holdfast`, spec doors.md §6). */

import type { Readable, Writable } from "node:stream"
import type { z } from "zod"
import { type StdioDoor, serveMcpStdio } from "../adapters/mcp/index.ts"
import { createPinoTelemetry } from "../adapters/telemetry/index.ts"
import { type EmbeddedOptions, embeddedCaller } from "../core/access/callers.ts"
import type { Caller } from "../core/access/principal.ts"
import type { Clock } from "../core/kernel/clock.ts"
import type { AnyToolDefinition, Surface } from "../core/kernel/definition.ts"
import type { Ids } from "../core/kernel/ids.ts"
import type { Kernel } from "../core/kernel/kernel.ts"
import type { Telemetry } from "../core/kernel/telemetry.ts"
import type { Documents } from "../openapi/documents.ts"
import { createClient, type HoldfastClient } from "../sdk/client.ts"
import { createHttpDoor, createMcpDoor } from "./compose/doors.ts"
import { createInProcessTransport } from "./compose/in-process-transport.ts"
import { mcpDoorDeps, mcpFaultListener } from "./compose/mcp-door-deps.ts"
import { requireServable } from "./compose/require-servable.ts"
import { createRuntime } from "./compose/runtime.ts"
import { configSchema, type projectEntrySchema } from "./config/keys.ts"
import type { HttpServer } from "./http/server.ts"

/** How to create an embedded Holdfast. */
export interface HoldfastOptions {
  /** Data directory; made with mode 0700. Two instances on one directory are legal. */
  readonly dataDir: string
  /** Projects to register at once, with the operator's authority. */
  readonly projects?: readonly z.input<typeof projectEntrySchema>[]
  /** Further tools; they pass the same lint as the product's own. */
  readonly tools?: readonly AnyToolDefinition[]
  /** Who calls; default the local principal with bundle `agent`. */
  readonly principal?: EmbeddedOptions
  /** What MCP lists; default `coding`. */
  readonly surface?: Surface
  readonly clock?: Clock
  readonly ids?: Ids
  /** Default: silent. */
  readonly logger?: Telemetry
  /** Environment that children may see the base variables of; default: `PATH` and `HOME` are left to the fallback. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** One embedded Holdfast. It listens on nothing, installs no signal handler and has no module state. */
export interface Holdfast extends AsyncDisposable {
  /** The SDK's client over an in-process transport: same types, errors, helpers. */
  readonly client: HoldfastClient
  /** A client for another caller. */
  as(principal: EmbeddedOptions): HoldfastClient
  readonly kernel: Kernel
  documents(serverUrl?: string): Documents
  readonly mcp: {
    /** Serves one MCP request of a web-standard host. */
    fetch(request: Request): Promise<Response>
    /** Serves MCP on a pair of streams. */
    stdio(streams: { readonly stdin: Readable; readonly stdout: Writable }): StdioDoor
  }
  /** Opens the HTTP door. */
  listen(options: ListenOptions): Promise<{ readonly url: string; close(): Promise<void> }>
  /** Refuses new calls, ends waits and running commands, closes the store; then every call rejects `shutting_down`. */
  close(): Promise<void>
}

/** Where the HTTP door of an embedded Holdfast listens. */
export interface ListenOptions {
  readonly host?: string
  readonly port: number
  readonly publicUrl?: string
  readonly allowHosts?: readonly string[]
  readonly allowOrigins?: readonly string[]
}

/**
 * Starts Holdfast in this process (spec doors.md §6).
 *
 * @example
 * ```ts
 * import { createHoldfast } from "holdfast"
 *
 * export async function countProjects(dataDir: string): Promise<number> {
 *   await using holdfast = await createHoldfast({ dataDir })
 *   const { total } = await holdfast.client.tools.list_projects()
 *   return total
 * }
 * ```
 */
export async function createHoldfast(options: HoldfastOptions): Promise<Holdfast> {
  const config = configSchema.parse({
    projects: options.projects ?? [],
    surface: options.surface ?? "coding",
    // A host program that goes leaves nothing behind (spec shells.md §6).
    processes_on_shutdown: "end",
  })
  await requireServable({ dataDir: options.dataDir, env: options.env ?? {}, config })
  const runtime = await createRuntime({
    dataDir: options.dataDir,
    config,
    authoritySource: "default",
    env: options.env ?? {},
    telemetry: (redactor) => options.logger ?? createPinoTelemetry({ level: "silent", format: "json", redactor }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.ids === undefined ? {} : { ids: options.ids }),
  })
  const own = embeddedCaller(options.principal)
  const clientOf = (caller: Caller): HoldfastClient =>
    createClient({ transport: createInProcessTransport(runtime, caller) })
  const mcpDoor = createMcpDoor(runtime)
  const listening = new Set<HttpServer>()
  const close = async (): Promise<void> => {
    await Promise.all([...listening].map((door) => door.drain()))
    await Promise.all([...listening].map((door) => door.close()))
    await mcpDoor.close()
    await runtime.close()
  }
  return {
    client: clientOf(own),
    as: (principal) => clientOf(embeddedCaller(principal)),
    kernel: runtime.kernel,
    documents: (serverUrl = "http://127.0.0.1") => runtime.documents(serverUrl),
    mcp: {
      fetch: (request) =>
        mcpDoor.fetch(request, {
          caller: own,
          surface: config.surface,
          requestId: runtime.ids.token(),
          receivedAt: runtime.clock.monotonic(),
        }),
      stdio: ({ stdin, stdout }) =>
        serveMcpStdio(mcpDoorDeps(runtime), {
          caller: own,
          surface: config.surface,
          stdin,
          stdout,
          onFault: mcpFaultListener(runtime.telemetry),
        }),
    },
    async listen({ host = "127.0.0.1", port, publicUrl, allowHosts = [], allowOrigins = [] }) {
      const door = await createHttpDoor({
        ...runtime,
        config: {
          ...config,
          host,
          allow_host: [...allowHosts],
          allow_origin: [...allowOrigins],
          ...(publicUrl === undefined ? {} : { public_url: publicUrl }),
        },
      })
      const bound = await door.listen({ host, port })
      listening.add(door)
      const stop = async (): Promise<void> => {
        listening.delete(door)
        await door.close()
      }
      return { url: `http://127.0.0.1:${bound.port}`, close: stop }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

export { defineTool } from "../core/kernel/definition.ts"
export { HoldfastError, isHoldfastError } from "../sdk/error.ts"
