import { ToolError } from "../kernel/error.ts"
import type { Runner, RunnerDirectory } from "../runners/runner.ts"
import type { ProjectRoots, RootFacts } from "./roots.ts"
import { type RootRules, requireAllowedRoot } from "./roots-policy.ts"

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

/** The rules of a Runner's machine, every path of them resolved there. */
export async function rootRules(
  roots: ProjectRoots,
  { allowedRoots, operator }: Pick<RootRequest, "allowedRoots" | "operator">,
): Promise<RootRules> {
  const [places, ...allowed] = await Promise.all([
    roots.places(),
    ...allowedRoots.map((allowedRoot) => roots.inspect(allowedRoot)),
  ])
  return { ...places, allowedRoots: allowed.map((root) => root.realPath), operator }
}

/** What is at the path, after the rules have allowed it. @throws ToolError `path_not_allowed`, `unknown_client_id`, `runner_unavailable` */
export async function locateRoot(runners: RunnerDirectory, request: RootRequest): Promise<RootFacts> {
  const { roots } = requireRunner(runners, request.clientId)
  const [facts, rules] = await Promise.all([roots.inspect(request.path), rootRules(roots, request)])
  requireAllowedRoot(facts.realPath, rules)
  if (facts.kind === "other") {
    throw new ToolError("path_not_allowed", "The path is not a directory. Send the path of a directory.")
  }
  return facts
}
