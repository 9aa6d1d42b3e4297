import type { Scope } from "../../core/access/scopes.ts"
import type { Surface } from "../../core/kernel/definition.ts"
import type { WrapperName } from "../../core/kernel/wrapper.ts"

/** Which wire dialect a request speaks: 2026-07-28, or one of the 2025 revisions (spec doors.md §4.1). */
export type McpEra = "2025" | "2026"

/** A JSON Schema whose root is an object. */
export interface ObjectSchema {
  readonly type: "object"
  readonly [member: string]: unknown
}

/** One entry of `tools/list` (spec doors.md §4.2). */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** What the MCP door asks of the registry: prebuilt, frozen values (spec doors.md §1.1, §4.2). */
export interface McpCatalogue {
  readonly schemaHash: string
  /** Entries in catalogue order, then the gateways; tools that the scopes can never call are left out. */
  mcpTools(surface: Surface, era: McpEra, scopes: ReadonlySet<Scope>): readonly McpTool[]
  /** How long a call of the published name may take (spec kernel.md §10); `undefined` for an unknown name. */
  deadlineClass(surface: Surface, publishedName: string): "short" | "wait" | "handover" | undefined
  /** Wrapper fields that this era offers (spec doors.md §1.4). */
  wrapperFields(era: McpEra): readonly WrapperName[]
  /** Whether a published name is one of the two gateways. */
  isGateway(name: string): boolean
}
