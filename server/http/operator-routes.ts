import { Router } from "express"
import type { OperatorRoute } from "../../adapters/http/routes.ts"
import { RegisterRoutes } from "../generated/routes.ts"

/** The controllers' router, and the paths it answers, read back from it so that no second list of them exists. */
export interface ControllerRoutes {
  readonly router: Router
  /** Routes of the operator controllers: `POST`, but for what streams. */
  readonly operatorRoutes: readonly OperatorRoute[]
}

/** Builds the router that tsoa generated from `server/controllers` (spec doors.md §3.1). */
export function controllerRoutes(): ControllerRoutes {
  const router = Router({ caseSensitive: true, strict: true })
  RegisterRoutes(router)
  const operatorRoutes = router.stack.flatMap(({ route }) => {
    if (route === undefined || !route.path.startsWith("/api/")) return []
    const isRead = route.stack.every(({ method }) => method === "get")
    return [{ pattern: route.path, method: isRead ? ("GET" as const) : ("POST" as const) }]
  })
  return { router, operatorRoutes }
}
