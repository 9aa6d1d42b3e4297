import type { Route } from "./route-table.ts"

/** What decides which of the fixed routes exist and how they are guarded. */
export interface RouteOptions {
  /** The documents need a credential (`private_documents`). */
  readonly privateDocuments: boolean
  /** Surfaces that have an MCP path of their own beside `/mcp`. */
  readonly surfaces: readonly string[]
  /** Routes of the operator controllers. */
  readonly operatorRoutes: readonly OperatorRoute[]
}

/** One route of an operator controller; each needs a credential. */
export type OperatorRoute = Pick<Route, "pattern" | "method">

/**
 * Every route of the HTTP door (spec doors.md §2.1). The paths under `/oauth` and the OAuth metadata are absent while
 * OAuth is off, so they are `route_not_found` like any unknown path.
 */
export function httpRoutes(options: RouteOptions): readonly Route[] {
  const documents = options.privateDocuments ? "bearer" : "none"
  return [
    { id: "tool", pattern: "/tools/{name}", method: "POST", auth: "bearer" },
    { id: "cancel", pattern: "/calls/{key}", method: "DELETE", auth: "bearer" },
    { id: "mcp", pattern: "/mcp", method: "POST", auth: "bearer" },
    ...options.surfaces.map(
      (surface) => ({ id: "mcp", pattern: `/mcp/${surface}`, method: "POST", auth: "bearer" }) satisfies Route,
    ),
    { id: "openapi", pattern: "/openapi.json", method: "GET", auth: documents },
    { id: "gpt_actions", pattern: "/openapi/gpt-actions.json", method: "GET", auth: documents },
    { id: "health", pattern: "/health", method: "GET", auth: "none" },
    { id: "privacy", pattern: "/legal/privacy", method: "GET", auth: "none" },
    { id: "apps_challenge", pattern: "/.well-known/openai-apps-challenge", method: "GET", auth: "none" },
    ...options.operatorRoutes.map((route) => ({ id: "operator", ...route, auth: "bearer" }) satisfies Route),
  ]
}
