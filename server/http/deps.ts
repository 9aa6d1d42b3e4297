import type { ExposureOptions } from "../../adapters/http/exposure.ts"
import type { McpHttpDoor } from "../../adapters/mcp/index.ts"
import type { Accounts } from "../../core/access/accounts.ts"
import type { Caller } from "../../core/access/principal.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import type { Surface } from "../../core/kernel/definition.ts"
import type { Ids } from "../../core/kernel/ids.ts"
import type { Kernel } from "../../core/kernel/kernel.ts"
import type { Telemetry } from "../../core/kernel/telemetry.ts"
import type { WrapperName } from "../../core/kernel/wrapper.ts"
import type { WatchMessage } from "../../core/watching/events.ts"
import type { Watcher } from "../../core/watching/ports.ts"
import type { WatchOptions } from "../../core/watching/watch-runtime.ts"

/** The OpenAPI documents as they are served under one origin (spec doors.md §3.2, §3.3). */
export interface ServedDocuments {
  readonly openapi: Uint8Array
  readonly gptActions: Uint8Array
}

/** Names of the tools behind the operator routes that are one kernel call each (spec doors.md §2.1). */
export interface OperatorTools {
  readonly status: string
  readonly listProjects: string
  readonly registerProject: string
  readonly unregisterProject: string
  readonly sessionSummary: string
  readonly closeSession: string
}

/** Settings of the HTTP door, already checked (spec kernel.md §14, doors.md §2). */
export interface HttpConfig extends ExposureOptions {
  /** Proxies whose `X-Forwarded-For` is believed; 0 = none. */
  readonly trustProxy: number
  readonly rateLimitPerMinute: number
  /** Time for a whole call that states none, ms. */
  readonly deadlineMs: number
  /** The surface of `/mcp`; each other one is at `/mcp/{surface}`. */
  readonly surface: Surface
  readonly privateDocuments: boolean
  readonly openaiAppsChallenge?: string
  /** The page of `/legal/privacy`, ready to send. */
  readonly privacyPage: string
}

/** Everything the HTTP door is composed from. */
export interface HttpServerDeps {
  readonly kernel: Kernel
  /** Resolves a bearer credential to its caller; throws `unauthenticated` (spec kernel.md §2.2). */
  readonly authenticate: (token: string) => Promise<Caller>
  readonly accounts: Accounts
  readonly operatorTools: OperatorTools
  /** Tells what a caller's shells and Jobs do, from a place on (spec shells.md §13). */
  readonly watch: (watcher: Watcher, options: WatchOptions) => AsyncGenerator<WatchMessage, void, undefined>
  /** Serves MCP; answers the response itself (spec doors.md §4.1). */
  readonly mcp: Pick<McpHttpDoor, "handle">
  /** Every surface, each of which has an MCP path. */
  readonly surfaces: readonly Surface[]
  /** Wrapper fields of this door, of registered domains only (spec doors.md §1.4). */
  readonly wrapperFields: readonly WrapperName[]
  /** The documents with `serverUrl` as their one server. */
  readonly documents: (serverUrl: string) => ServedDocuments
  /** Value of `Holdfast-Schema-Hash`. */
  readonly schemaHash: string
  /** Whether the server has finished starting; `/health` says `starting` until then. */
  readonly ready: () => boolean
  /** Rejects when the store cannot be used. */
  readonly probeStore: () => Promise<void>
  readonly clock: Clock
  readonly ids: Pick<Ids, "token">
  readonly telemetry: Pick<Telemetry, "fault" | "note">
  readonly config: HttpConfig
}
