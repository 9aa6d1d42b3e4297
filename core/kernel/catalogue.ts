import type { Scope } from "../access/scopes.ts"
import type { AnyToolDefinition, Category, Need, Surface } from "./definition.ts"
import type { JsonSchema } from "./views/json-schema.ts"

/** One exposed tool as discovery shows it; computed from its definition when the registry is built. */
export interface CatalogueEntry {
  readonly name: string
  readonly aliases: Readonly<Partial<Record<Surface, string>>>
  readonly title: string
  readonly description: string
  readonly category: Category
  readonly effect: "observe" | "mutate" | "execute"
  readonly mutates?: "workspace" | "session" | "knowledge"
  readonly hints: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  readonly idempotency: string
  readonly risk: string
  readonly scopes: readonly Scope[]
  readonly target: { readonly project: Need; readonly session: Need; readonly chat: Need }
  readonly inherits: AnyToolDefinition["inherits"]
  readonly surfaces: readonly Surface[]
  /** Exact view (spec doors.md §1.1). */
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
}

/** The registry as tools see it (`list_tools`, `tool_manifest`); disabled tools are absent. */
export interface Catalogue {
  /** The surface of this process (spec kernel.md §8). */
  readonly surface: Surface
  readonly schemaHash: string
  entries(): readonly CatalogueEntry[]
  find(name: string): CatalogueEntry | undefined
}
