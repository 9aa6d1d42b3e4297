import type { Scope } from "../access/scopes.ts"
import type { Surface } from "./definition.ts"

/** One exposed tool as discovery shows it; computed from its definition when the registry is built. */
export interface CatalogueEntry {
  readonly name: string
  readonly aliases: Readonly<Partial<Record<Surface, string>>>
  readonly title: string
  readonly description: string
  readonly category: string
  readonly effect: "observe" | "mutate" | "execute"
  readonly mutates?: string
  readonly hints: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  readonly idempotency: string
  readonly risk: string
  readonly scopes: readonly Scope[]
  readonly target: { readonly project: string; readonly session: string; readonly chat: string }
  readonly inherits: readonly string[]
  readonly surfaces: readonly Surface[]
  /** Exact view (spec doors.md §1.1). */
  readonly inputSchema: object
  readonly outputSchema: object
}

/** The registry as tools see it (`list_tools`, `tool_manifest`); disabled tools are absent. */
export interface Catalogue {
  /** The surface of this process (spec kernel.md §8). */
  readonly surface: Surface
  readonly schemaHash: string
  entries(): readonly CatalogueEntry[]
  find(name: string): CatalogueEntry | undefined
}
