import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createSystemClock } from "../../../adapters/clock/index.ts"
import { openStore } from "../../../adapters/storage/index.ts"
import { createAccounts } from "../../../core/access/accounts.ts"
import { createAuthenticator } from "../../../core/access/authenticate.ts"
import { issueCredential } from "../../../core/access/issue.ts"
import { localPrincipal } from "../../../core/access/principal.ts"
import { SCOPE_BUNDLES } from "../../../core/access/scopes.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import type { CallRequest, Kernel } from "../../../core/kernel/kernel.ts"
import type { HttpConfig } from "../../../server/http/deps.ts"
import { createHttpServer } from "../../../server/http/server.ts"
import { privacyPage } from "../../../server/legal/privacy-page.ts"

/** A listening server as a door test sees it. */
export interface DoorUnderTest extends AsyncDisposable {
  readonly port: number
  readonly token: string
  readonly schemaHash: string
  /** Headers of an authenticated JSON request. */
  headers(): Record<string, string>
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** `POST /tools/{name}`; an object is sent as JSON, text and bytes as they are. */
  call(
    name: string,
    body: object | string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<Response>
  /** How often a handler was entered. */
  entered(): number
  /** Everything that was logged. */
  log(): string
  drain(): Promise<void>
  close(): Promise<void>
}

export async function startDoor(over: Partial<HttpConfig> = {}): Promise<DoorUnderTest> {
  const schemaHash = "0123456789abcdef0123456789abcdef"
  const lines: string[] = []
  let entered = 0
  const kernel: Kernel = {
    async call(request: CallRequest) {
      const refused = (kind: "unknown_tool" | "invalid_arguments", details: object, httpStatus: number) => ({
        result: { success: false as const, error: { kind, message: "x", recovery: "fix_input" as const, details } },
        httpStatus,
        replayed: false,
      })
      if (request.tool !== "list_projects") return refused("unknown_tool", {}, 404)
      const unknown = Object.keys(Object(request.input))
      if (unknown.length > 0) return refused("invalid_arguments", { unknown_fields: unknown }, 400)
      entered++
      return {
        result: { success: true as const, output: { projects: [{ project: "demo" }], total: 1 } },
        httpStatus: 200,
        replayed: false,
      }
    },
    cancel: () => false,
    drain: async () => undefined,
  }
  const unused = async (): Promise<never> => {
    throw new Error("not under test")
  }
  const dataDir = await mkdtemp(path.join(tmpdir(), "holdfast-door-"))
  const store = await openStore({ dataDir, env: process.env })
  const clock = createSystemClock()
  const ids = createIds()
  const { secret: token } = await store.write((tx) =>
    issueCredential(tx, ids, {
      id: ids.credential(),
      kind: "local_token",
      principalId: localPrincipal.id,
      name: "local token",
      scopes: SCOPE_BUNDLES.local,
      createdAt: clock.now(),
    }),
  )
  const note = (error: unknown) => lines.push(error instanceof Error ? String(error.stack) : String(error))
  const server = createHttpServer({
    kernel,
    accounts: createAccounts({ store, clock, ids }),
    authenticate: createAuthenticator({ store, clock, onNoteFailed: note }).authenticate,
    operatorTools: {
      status: "runtime_status",
      listProjects: "list_projects",
      registerProject: "register_project",
      unregisterProject: "unregister_project",
      sessionSummary: "session_summary",
      closeSession: "close_session",
    },
    mcp: { handle: unused },
    surfaces: ["coding", "shell", "workflow", "full"],
    wrapperFields: ["recording_session_id"],
    documents: (serverUrl) => {
      const bytes = new TextEncoder().encode(JSON.stringify({ openapi: "3.1.0", servers: [{ url: serverUrl }] }))
      return { openapi: bytes, gptActions: bytes }
    },
    schemaHash,
    ready: () => true,
    probeStore: async () => {
      await store.facts()
    },
    clock,
    ids,
    telemetry: { fault: note },
    config: {
      allowHosts: [],
      allowOrigins: [],
      trustProxy: 0,
      rateLimitPerMinute: 100_000,
      deadlineMs: 40_000,
      surface: "coding",
      privateDocuments: false,
      privacyPage: privacyPage({}),
      ...over,
    },
  })
  const { port } = await server.listen({ host: "127.0.0.1", port: 0 })
  const close = async () => {
    await server.close()
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  const headers = () => ({ Authorization: `Bearer ${token}`, "Content-Type": "application/json" })
  const send = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return {
    port,
    token,
    schemaHash,
    headers,
    fetch: send,
    call: (name, body, extra = {}) =>
      send(`/tools/${name}`, {
        method: "POST",
        headers: { ...headers(), ...extra },
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    entered: () => entered,
    log: () => lines.join("\n"),
    drain: () => server.drain(),
    close,
    [Symbol.asyncDispose]: close,
  }
}
