import { Router } from "express"
import { RegisterRoutes } from "../generated/routes.ts"

/** The controllers' router, and the paths it answers, read back from it so that no second list of them exists. */
export interface ControllerRoutes {
  readonly router: Router
  /** Paths of the operator controllers; each answers `POST` alone. */
  readonly operatorPaths: readonly string[]
}

/** Builds the router that tsoa generated from `server/controllers` (spec doors.md §3.1). */
export function controllerRoutes(): ControllerRoutes {
  const router = Router({ caseSensitive: true, strict: true })
  RegisterRoutes(router)
  const paths = router.stack.flatMap((layer) => layer.route?.path ?? [])
  return { router, operatorPaths: paths.filter((path) => path.startsWith("/api/")) }
}
