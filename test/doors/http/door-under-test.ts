import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createSystemClock } from "../../../adapters/clock/index.ts"
import { createSignals } from "../../../adapters/signals/index.ts"
import { type OpenedStore, openStore } from "../../../adapters/storage/index.ts"
import { createAccounts } from "../../../core/access/accounts.ts"
import { createAuthenticator } from "../../../core/access/authenticate.ts"
import { issueCredential } from "../../../core/access/issue.ts"
import { localPrincipal } from "../../../core/access/principal.ts"
import { SCOPE_BUNDLES } from "../../../core/access/scopes.ts"
import { createKernel } from "../../../core/kernel/create-kernel.ts"
import { ToolError } from "../../../core/kernel/error.ts"
import { createIds, type Ids } from "../../../core/kernel/ids.ts"
import { createRegistry } from "../../../core/kernel/registry.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import { projectTools } from "../../../core/projects/tools.ts"
import { sessionTools } from "../../../core/sessions/tools.ts"
import { createShellDesk } from "../../../core/shells/settings.ts"
import { watchRuntime } from "../../../core/watching/watch-runtime.ts"
import type { HttpConfig } from "../../../server/http/deps.ts"
import { createHttpServer } from "../../../server/http/server.ts"
import { privacyPage } from "../../../server/legal/privacy-page.ts"
import { registered } from "../../support/registered.ts"
import { doorTools, type ToolTrace } from "./door-tools.ts"

/** A listening server over a real kernel and store, as a door test sees it. */
export interface DoorUnderTest extends AsyncDisposable {
  readonly port: number
  /** The local token: Project `demo` is registered, on a Runner that is away. */
  readonly token: string
  readonly schemaHash: string
  readonly store: OpenedStore
  /** What the test tools did. */
  readonly trace: ToolTrace
  /** Headers of an authenticated JSON request. */
  headers(): Record<string, string>
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** `POST /tools/{name}`; an object is sent as JSON, text and bytes as they are. */
  call(
    name: string,
    body: object | string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<Response>
  /** How many calls the kernel has told of, refused ones included. */
  calls(): number
  /** Everything that was logged. */
  log(): string
  drain(): Promise<void>
  close(): Promise<void>
}

const SCHEMA_HASH = "0123456789abcdef0123456789abcdef"

/** Starts one on a free port and a new data directory. */
export async function startDoor(over: Partial<HttpConfig> = {}): Promise<DoorUnderTest> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "holdfast-door-"))
  const store = await openStore({ dataDir, env: process.env })
  const clock = createSystemClock()
  const ids = createIds()
  const token = await seed(store, ids)
  const lines: string[] = []
  let calls = 0
  const trace: ToolTrace = { entered: [], aborted: [], finished: [] }
  const fault = (error: unknown) => lines.push(error instanceof Error ? String(error.stack) : String(error))
  const telemetry = {
    call: (facts: object) => {
      calls++
      lines.push(JSON.stringify(facts))
    },
    fault,
    note: (message: string, facts: object = {}) => lines.push(`${message} ${JSON.stringify(facts)}`),
  }
  const registry = createRegistry([...projectTools, ...sessionTools, ...doorTools(trace)])
  const secrets = createSecretRegistry()
  const signals = createSignals({ foreignCommits: () => store.foreignCommits() })
  const runners = { get: () => undefined, ids: () => [] }
  const kernel = createKernel({
    registry,
    schemaHash: () => SCHEMA_HASH,
    store,
    clock,
    ids,
    signals,
    secrets,
    telemetry,
    runners,
    ledger: createLedger({ ids, redact: (text) => secrets.redactor().redactText(text).text }),
    chatSessions: {
      resolve: async () => {
        throw new ToolError("chat_session_unknown", "No Chat Session is known here.")
      },
    },
    runtime: {
      version: "0.0.0",
      instance: ids.instance(),
      startedAt: clock.monotonic(),
      authority: { mode: "trusted_agent", source: "default" },
      features: [],
      allowedRoots: [],
      projects: new Map(),
      limits: { deadline_ms: 40_000, reply_limit_chars: 90_000, body_limit_bytes: 4_194_304 },
    },
    shells: createShellDesk(ids),
  })
  const server = createHttpServer({
    kernel,
    accounts: createAccounts({ store, clock, ids, secrets }),
    authenticate: createAuthenticator({ store, clock, onNoteFailed: fault }).authenticate,
    operatorTools: {
      status: "runtime_status",
      listProjects: "list_projects",
      registerProject: "register_project",
      unregisterProject: "unregister_project",
      sessionSummary: "session_summary",
      closeSession: "close_session",
    },
    watch: (watcher, options) => watchRuntime({ store, clock, runners }, watcher, options),
    mcp: {
      handle: async () => {
        throw new Error("these tests stop before the MCP door")
      },
    },
    surfaces: ["coding", "shell", "workflow", "full"],
    wrapperFields: registry.wrapper,
    documents: (serverUrl) => {
      const bytes = new TextEncoder().encode(JSON.stringify({ openapi: "3.1.0", servers: [{ url: serverUrl }] }))
      return { openapi: bytes, gptActions: bytes }
    },
    schemaHash: SCHEMA_HASH,
    ready: () => true,
    probeStore: async () => {
      await store.facts()
    },
    clock,
    ids,
    telemetry,
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
    signals.close()
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  const headers = () => ({ Authorization: `Bearer ${token}`, "Content-Type": "application/json" })
  const send = (target: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${target}`, init)
  return {
    port,
    token,
    schemaHash: SCHEMA_HASH,
    store,
    trace,
    headers,
    fetch: send,
    call: (name, body, extra = {}) =>
      send(`/tools/${name}`, {
        method: "POST",
        headers: { ...headers(), ...extra },
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    calls: () => calls,
    log: () => lines.join("\n"),
    drain: () => server.drain(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function seed(store: OpenedStore, ids: Ids): Promise<string> {
  const at = Date.now()
  await registered(store, "demo", { at })
  return await store.write(async (tx) => {
    const { secret } = await issueCredential(tx, ids, {
      id: ids.credential(),
      kind: "local_token",
      principalId: localPrincipal.id,
      name: "local token",
      scopes: SCOPE_BUNDLES.local,
      createdAt: at,
    })
    return secret
  })
}
