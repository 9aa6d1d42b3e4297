import { describe, expect, it } from "vitest"
import { discoveryTools } from "../../../core/discovery/tools.ts"
import { createRegistry } from "../../../core/kernel/registry.ts"

describe("every definition", () => {
  it("keeps the rules of the registry", () => {
    expect(createRegistry([...discoveryTools]).tools.map((tool) => tool.name)).toEqual([
      "list_tools",
      "tool_manifest",
      "runtime_status",
    ])
  })
})
