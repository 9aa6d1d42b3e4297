import type { Accounts } from "../../../core/access/accounts.ts"
import { type Caller, localPrincipal } from "../../../core/access/principal.ts"
import { ToolError } from "../../../core/kernel/error.ts"
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

const caller: Caller = {
  principal: localPrincipal,
  authority: { kind: "local", id: "local" },
  credential: { kind: "local_token" },
  scopes: new Set(["admin"]),
  projects: "*",
}

export async function startDoor(over: Partial<HttpConfig> = {}): Promise<DoorUnderTest> {
  const token = `hfl_${"t".repeat(43)}`
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
  const accounts: Accounts = {
    addUser: unused,
    listUsers: unused,
    disableUser: unused,
    createToken: unused,
    listTokens: unused,
    revokeToken: unused,
    createGrant: unused,
    listGrants: unused,
    revokeGrant: unused,
  }
  const server = createHttpServer({
    kernel,
    accounts,
    authenticate: async (presented) => {
      if (presented === token) return caller
      throw new ToolError("unauthenticated", "Unknown token.", { details: { reason: "unknown" } })
    },
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
    probeStore: async () => undefined,
    clock: { now: Date.now, monotonic: () => performance.now(), sleep: unused },
    ids: createIds(),
    telemetry: { fault: (error) => lines.push(error instanceof Error ? String(error.stack) : String(error)) },
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
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  }
}
