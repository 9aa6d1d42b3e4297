import { z } from "zod"
import type { EffectFacts, Hints } from "./derive.ts"
import { textSchema } from "./text-schema.ts"
import { exactInput } from "./views/exact.ts"
import type { JsonSchema } from "./views/json-schema.ts"

/** Most bytes of `arguments_json` (spec kernel.md §8). */
export const MAX_ARGUMENTS_JSON_BYTES = 1_048_576

/** The two reserved names that stand for "any other tool" (spec doors.md §3.3). */
export type GatewayName = "call_read_tool" | "call_tool"

/** A reserved name as documents and lists show it; it is unwrapped before anything happens and is no definition. */
export interface Gateway extends EffectFacts {
  readonly name: GatewayName
  readonly title: string
  readonly description: string
  readonly hints: Hints
  readonly input: JsonSchema
}

/** Own fields of both gateways; wrapper fields stand beside them. */
export const gatewayInputSchema = z.strictObject({
  tool: textSchema(1, 64).describe("Name of the tool to run, as list_tools gives it."),
  arguments_json: textSchema(0, MAX_ARGUMENTS_JSON_BYTES)
    .default("{}")
    .describe("JSON text of an object: the arguments of that tool, as tool_manifest describes them."),
})

const input = exactInput(gatewayInputSchema)

/**
 * In list order (spec doors.md §3.3). Two, because hosts approve by tool name: reading through the overflow must not need
 * the approval that running anything needs.
 */
export const GATEWAYS: readonly Gateway[] = [
  {
    name: "call_read_tool",
    title: "Run any reading tool",
    description: "Runs one tool that only observes, by name; names come from list_tools, arguments from tool_manifest.",
    effect: "observe",
    destructive: false,
    openWorld: true,
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    input,
  },
  {
    name: "call_tool",
    title: "Run any tool",
    description: "Runs one tool by name, also one that changes or executes; names come from list_tools.",
    effect: "execute",
    destructive: true,
    openWorld: true,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    input,
  },
]

/** Whether a name is one of the two reserved ones. */
export function isGatewayName(name: string): name is GatewayName {
  return name === "call_tool" || name === "call_read_tool"
}
