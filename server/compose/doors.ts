import { createMcpHttpDoor, type McpDoorDeps, type McpHttpDoor } from "../../adapters/mcp/index.ts"
import { createAccounts } from "../../core/access/accounts.ts"
import { createAuthenticator } from "../../core/access/authenticate.ts"
import type { Caller } from "../../core/access/principal.ts"
import { runtimeStatusTool } from "../../core/discovery/tools.ts"
import { SURFACES } from "../../core/kernel/definition.ts"
import { listProjectsTool, registerProject, unregisterProjectTool } from "../../core/projects/tools.ts"
import { closeSessionTool, sessionSummary } from "../../core/sessions/tools.ts"
import { watchRuntime } from "../../core/watching/watch-runtime.ts"
import { serialise } from "../../openapi/json.ts"
import { createHttpServer, type HttpServer } from "../http/server.ts"
import { readLegalFile } from "../legal/legal-file.ts"
import { privacyPage } from "../legal/privacy-page.ts"
import { mcpDoorDeps, mcpFaultListener } from "./mcp-door-deps.ts"
import type { Runtime } from "./runtime.ts"

/** MCP over HTTP for a runtime; `intercept` stands before the product's handlers. */
export function createMcpDoor(runtime: Runtime, intercept?: McpDoorDeps["intercept"]): McpHttpDoor {
  const deps = { ...mcpDoorDeps(runtime), ...(intercept === undefined ? {} : { intercept }) }
  return createMcpHttpDoor(deps, mcpFaultListener(runtime.telemetry))
}

/** The HTTP door over a runtime (spec doors.md §2); it does not listen yet. */
export async function createHttpDoor(runtime: Runtime, mcp: McpHttpDoor = createMcpDoor(runtime)): Promise<HttpServer> {
  const { kernel, registry, store, clock, ids, signals, telemetry, schemaHash, config, secrets } = runtime
  const authenticator = createAuthenticator({
    store,
    clock,
    onNoteFailed: (error) => telemetry.fault(error, { requestId: "authentication" }),
  })
  const authenticate = async (token: string): Promise<Caller> => {
    const caller = await authenticator.authenticate(token)
    // Presented credentials are masked everywhere from now on (spec kernel.md §12).
    secrets.register("holdfast_token", token)
    return caller
  }
  return createHttpServer({
    kernel,
    authenticate,
    accounts: createAccounts({ store, clock, ids, secrets, signals }),
    operatorTools: {
      status: runtimeStatusTool.name,
      listProjects: listProjectsTool.name,
      registerProject: registerProject.name,
      unregisterProject: unregisterProjectTool.name,
      sessionSummary: sessionSummary.name,
      closeSession: closeSessionTool.name,
    },
    watch: (watcher, options) => watchRuntime(runtime, watcher, options),
    mcp,
    surfaces: SURFACES,
    wrapperFields: registry.wrapper,
    documents: (serverUrl) => {
      const { full, actions } = runtime.documents(serverUrl)
      return { openapi: Buffer.from(serialise(full)), gptActions: Buffer.from(serialise(actions)) }
    },
    schemaHash: schemaHash(),
    ready: () => true,
    probeStore: async () => {
      await store.facts()
    },
    clock,
    ids,
    telemetry,
    config: {
      ...(config.public_url === undefined ? {} : { publicUrl: config.public_url }),
      allowHosts: config.allow_host,
      allowOrigins: config.allow_origin,
      trustProxy: config.trust_proxy,
      rateLimitPerMinute: config.rate_limit_per_minute,
      deadlineMs: config.http_deadline_ms,
      surface: config.surface,
      privateDocuments: config.private_documents,
      ...(config.openai_apps_challenge === undefined ? {} : { openaiAppsChallenge: config.openai_apps_challenge }),
      privacyPage:
        config.legal_file === undefined
          ? privacyPage(config.legal_contact === undefined ? {} : { contact: config.legal_contact })
          : await readLegalFile(config.legal_file),
    },
  })
}
