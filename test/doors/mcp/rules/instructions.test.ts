import { describe, expect, it } from "vitest"
import { instructionsOf } from "../../../../adapters/mcp/instructions.ts"
import { SCOPES } from "../../../../core/access/scopes.ts"
import { SURFACES, type Surface } from "../../../../core/kernel/definition.ts"
import { createRegistry } from "../../../../core/kernel/registry.ts"
import type { McpEra } from "../../../../core/kernel/wrapper.ts"
import { allTools } from "../../../../core/tools.ts"

const registry = createRegistry(allTools)
const everyName = new Set([...allTools.map(({ name }) => name), "call_read_tool", "call_tool"])

function told(surface: Surface, era: McpEra): { readonly text: string; readonly tools: ReadonlySet<string> } {
  const tools = new Set(registry.mcpTools(surface, era, new Set(SCOPES)).tools.map(({ name }) => name))
  return { text: instructionsOf({ surface, tools, wrapper: registry.eraWrapper[era] }), tools }
}

describe("instructions (doors.md §4.4)", () => {
  it.each(SURFACES)("of %s name only tools that it lists, in 1,200 characters", (surface) => {
    const { text, tools } = told(surface, "2026")
    const named = [...text.matchAll(/[a-z]+(?:_[a-z]+)+/g)].map(([name]) => name).filter((name) => everyName.has(name))
    expect(named.filter((name) => !tools.has(name))).toEqual([])
    expect(text.length).toBeLessThanOrEqual(1_200)
  })

  it("speak of acknowledging only where the field is taken", () => {
    expect(told("coding", "2025").text).not.toContain("ack_session_message_ids")
    expect(told("coding", "2026").text).toContain("ack_session_message_ids")
  })

  it("say that a surface without tools has none", () => {
    expect(told("workflow", "2025").text).toMatch(/has no tools.*coding, shell or full/)
  })
})
