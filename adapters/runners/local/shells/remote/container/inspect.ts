import { ToolError } from "../../../../../../core/kernel/error.ts"

/** One life of one container: another start is another life. */
export interface ContainerLife {
  readonly id: string
  readonly startedAt: string
}

/** What the engine says about a container's name. */
export type ContainerFacts =
  | { readonly kind: "running"; readonly life: ContainerLife }
  | { readonly kind: "idle"; readonly state: "exited" | "paused" | "created" }
  | { readonly kind: "missing" }
  | { readonly kind: "unreachable" }

/** What `inspect` is asked to print. */
export const INSPECT_FORMAT = "{{.Id}}|{{.State.Status}}|{{.State.StartedAt}}"

const NO_SUCH = /no such (?:container|object)|no container with name or id/i

/** Reads the answer of `inspect`; docker and podman use the same words. */
export function readInspect(answer: {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}): ContainerFacts {
  if (answer.code !== 0) return { kind: NO_SUCH.test(answer.stderr) ? "missing" : "unreachable" }
  const [id = "", status = "", startedAt = ""] = answer.stdout.trim().split("|")
  if (id === "") return { kind: "unreachable" }
  if (status === "running") return { kind: "running", life: { id, startedAt } }
  if (status === "paused") return { kind: "idle", state: "paused" }
  return { kind: "idle", state: status === "created" || status === "configured" ? "created" : "exited" }
}

/** Why no shell can be had in a container that does not run. */
export function containerRefusal(facts: Exclude<ContainerFacts, { readonly kind: "running" }>): ToolError {
  const options = { executionState: "not_started" } as const
  if (facts.kind === "missing") {
    return new ToolError(
      "container_not_found",
      "There is no container of that name. Check it with the engine's list.",
      options,
    )
  }
  if (facts.kind === "idle") {
    return new ToolError("container_not_running", `The container does not run (${facts.state}). Start it first.`, {
      details: { state: facts.state },
      ...options,
    })
  }
  return new ToolError(
    "capability_unavailable",
    "The container engine does not answer here. Start it, or name the other one.",
    {
      details: { reason: "container_engine" },
      ...options,
    },
  )
}
