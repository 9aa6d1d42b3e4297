import { z } from "zod"
import type { ToolDefinition } from "../../core/kernel/definition.ts"
import { textSchema } from "../../core/kernel/text-schema.ts"

/** The facts of a test tool that a test leaves out: an observing tool without target. */
export const TEST_TOOL_DEFAULTS = {
  title: "Test tool",
  description: "A tool of the test suite that states plain facts.",
  category: "discovery",
  effect: "observe",
  destructive: false,
  openWorld: false,
  idempotency: "none",
  risk: "none",
  scopes: ["runtime:read"],
  target: { project: "none", session: "none", chat: "none" },
  inherits: [],
  resource: "ignores",
  expectation: [],
  activity: "other",
  deadline: "wait",
  surfaces: [],
  record: {},
  reduce: [],
} as const satisfies Partial<ToolDefinition>

/** Input and output of the plainest test tool. */
export const TEXT_INPUT = z.strictObject({ text: textSchema(0, 200).optional().describe("Any text.") })
export const TEXT_OUTPUT = z.object({ text: textSchema(0, 200) })

/** A sound definition with the given facts changed; what comes out is what the registry has to judge. */
export function testTool(changes: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    ...TEST_TOOL_DEFAULTS,
    name: "test_tool",
    input: TEXT_INPUT,
    output: TEXT_OUTPUT,
    handler: async () => ({ text: "ok" }),
    ...changes,
  }
}
