import { ToolError } from "../kernel/error.ts"
import type { Runner, RunnerDirectory } from "../runners/runner.ts"
import type { RootFacts } from "./roots.ts"
import { requireAllowedRoot } from "./roots-policy.ts"

/** A path that somebody wants to be a Project's root. */
export interface RootRequest {
  readonly clientId: string
  /** Absolute. */
  readonly path: string
  /** As configured; resolved here. */
  readonly allowedRoots: readonly string[]
  readonly operator: boolean
}

/** The Runner of that id. @throws ToolError `unknown_client_id`, `runner_unavailable` */
export function requireRunner(runners: RunnerDirectory, clientId: string): Runner {
  const runner = runners.get(clientId)
  if (runner !== undefined) return runner
  const known = runners.ids()
  if (known.includes(clientId)) {
    throw new ToolError("runner_unavailable", `The Runner ${clientId} cannot be reached now. Try again later.`, {
      details: { client_id: clientId },
    })
  }
  throw new ToolError("unknown_client_id", "There is no Runner of this client_id. Use one of known_client_ids.", {
    details: { known_client_ids: [...known] },
  })
}

/** What is at the path, after the rules have allowed it. @throws ToolError `path_not_allowed`, `unknown_client_id`, `runner_unavailable` */
export async function locateRoot(runners: RunnerDirectory, request: RootRequest): Promise<RootFacts> {
  const { roots } = requireRunner(runners, request.clientId)
  const [facts, places, ...allowed] = await Promise.all([
    roots.inspect(request.path),
    roots.places(),
    ...request.allowedRoots.map((allowedRoot) => roots.inspect(allowedRoot)),
  ])
  requireAllowedRoot(facts.realPath, {
    ...places,
    allowedRoots: allowed.map((root) => root.realPath),
    operator: request.operator,
  })
  if (facts.kind === "other") {
    throw new ToolError("path_not_allowed", "The path is not a directory. Send the path of a directory.")
  }
  return facts
}
