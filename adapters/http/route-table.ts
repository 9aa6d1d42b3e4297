import { pathSegments } from "./request-path.ts"

/** Methods that any route answers. */
export type RouteMethod = "GET" | "POST" | "DELETE"

/** One route as data (spec doors.md §2.1). */
export interface Route {
  /** What serves it. */
  readonly id: string
  /** Literal segments and `{parameters}` of one whole segment, such as `/tools/{name}`. */
  readonly pattern: string
  readonly method: RouteMethod
  /** `bearer`: no call without a valid credential. */
  readonly auth: "none" | "bearer"
}

/** The routes of one path, with the decoded values of its parameters. */
export interface PathMatch {
  readonly routes: readonly [Route, ...Route[]]
  readonly params: Readonly<Record<string, string>>
}

/** Finds the routes of a request target; `undefined` is `route_not_found`. */
export type RouteTable = (rawTarget: string) => PathMatch | undefined

interface Entry {
  readonly segments: readonly string[]
  readonly routes: [Route, ...Route[]]
}

/**
 * Compiles routes into a table. Matching is case-sensitive, without trailing slash, segment by segment after decoding
 * once; a literal segment wins over a parameter; a parameter is never empty.
 */
export function createRouteTable(routes: readonly Route[]): RouteTable {
  const entries = new Map<string, Entry>()
  for (const route of routes) {
    const entry = entries.get(route.pattern)
    if (entry) entry.routes.push(route)
    else entries.set(route.pattern, { segments: route.pattern.slice(1).split("/"), routes: [route] })
  }
  const ordered = [...entries.values()].sort((a, b) => parameterCount(a) - parameterCount(b))
  return (rawTarget) => {
    const segments = pathSegments(rawTarget)
    if (segments === undefined) return undefined
    for (const entry of ordered) {
      const params = bind(entry.segments, segments)
      if (params) return { routes: entry.routes, params }
    }
    return undefined
  }
}

/** The route of a path that answers `method`; `HEAD` is none of them. */
export function routeFor(match: PathMatch, method: string): Route | undefined {
  return match.routes.find((route) => route.method === method)
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{") && segment.endsWith("}")
}

function parameterCount(entry: Entry): number {
  return entry.segments.filter(isParameter).length
}

function bind(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index]
    if (segment === undefined) return undefined
    if (!isParameter(expected)) {
      if (expected !== segment) return undefined
    } else if (segment === "") return undefined
    else params[expected.slice(1, -1)] = segment
  }
  return params
}
