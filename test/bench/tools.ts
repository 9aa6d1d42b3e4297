import { z } from "zod"
import type { AnyToolDefinition } from "../../core/kernel/definition.ts"
import { textSchema } from "../../core/kernel/text-schema.ts"
import { testTool } from "../support/test-tool.ts"

const input = z.strictObject({ text: textSchema(0, 1_048_576).describe("Text to give back.") })
const output = z.object({ text: textSchema(0, 1_048_576) })

/** Gives its text back and does nothing else: the call of which only the way there and back costs anything. */
export const echoTool: AnyToolDefinition = testTool({
  name: "bench_echo",
  idempotency: "natural",
  surfaces: ["coding"],
  input,
  output,
  reduce: [{ at: "text", kind: "text", min: 100 }],
  handler: async ({ text }) => ({ text }),
})

/** The same as a tool that changes something, for calls with a key. */
export const changeTool: AnyToolDefinition = testTool({
  name: "bench_change",
  effect: "mutate",
  mutates: "session",
  risk: "write",
  activity: "edit",
  scopes: ["project:write"],
  surfaces: ["coding"],
  input,
  output,
  reduce: [{ at: "text", kind: "text", min: 100 }],
  handler: async ({ text }) => ({ text }),
})

/** What a product under measurement has beside its own tools. */
export const benchTools: readonly AnyToolDefinition[] = [echoTool, changeTool]
