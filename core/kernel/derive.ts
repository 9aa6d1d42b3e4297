import type { CatalogueEntry } from "./catalogue.ts"
import type { AnyToolDefinition, Surface } from "./definition.ts"

/** The four MCP hints, all always sent, because hosts assume the worst for a missing one (spec doors.md §1.2). */
export type Hints = CatalogueEntry["hints"]

/** What a guard of a Session refuses (spec sessions.md §3.2). */
export type GuardName = "write" | "shell"

/** The part of a definition that hints and flags derive from; a gateway has it too. */
export type EffectFacts = Pick<AnyToolDefinition, "effect" | "mutates" | "destructive" | "openWorld">

/** Computes the hints (spec doors.md §1.2): a tool keyed by a required field is as repeatable as a natural one. */
export function hintsOf(definition: AnyToolDefinition, required: readonly string[]): Hints {
  const { effect, idempotency, destructive, openWorld } = definition
  const keyed = typeof idempotency === "object" && required.includes(idempotency.key)
  return {
    readOnlyHint: effect === "observe",
    destructiveHint: destructive,
    idempotentHint: effect === "observe" || idempotency === "natural" || keyed,
    openWorldHint: openWorld,
  }
}

/** `x-openai-isConsequential`: whether the host should ask a person first (spec doors.md §1.2). */
export function isConsequential(facts: EffectFacts): boolean {
  if (facts.effect === "observe") return false
  if (facts.effect === "execute") return true
  return facts.destructive || facts.openWorld || facts.mutates === "workspace" || facts.mutates === "knowledge"
}

/** The Session guard that a definition falls under, before `elevate` adds to it (spec kernel.md §1). */
export function guardOf(facts: EffectFacts): GuardName | undefined {
  if (facts.effect === "execute") return "shell"
  return facts.effect === "mutate" && facts.mutates !== "session" ? "write" : undefined
}

/** Every surface that shows a tool; `full` shows every one (spec kernel.md §8). */
export function surfacesOf(definition: AnyToolDefinition): readonly Surface[] {
  return [...definition.surfaces, "full"]
}

/** The name under which a surface publishes a tool (spec doors.md §1.3). */
export function publishedName(definition: AnyToolDefinition, surface: Surface): string {
  return definition.alias?.[surface] ?? definition.name
}
