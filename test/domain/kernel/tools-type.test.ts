import { expectTypeOf, it } from "vitest"
import type { discoveryTools } from "../../../core/discovery/tools.ts"
import type { ToolInputIn, ToolNameIn, ToolOutputIn } from "../../../core/kernel/tools-type.ts"

type Tools = typeof discoveryTools

it("derives names, inputs and outputs of all tools from their tuple", () => {
  expectTypeOf<ToolNameIn<Tools>>().toEqualTypeOf<"list_tools" | "tool_manifest" | "runtime_status">()
  expectTypeOf<ToolInputIn<Tools, "tool_manifest">>().toEqualTypeOf<{ tool_name: string }>()
  expectTypeOf<ToolInputIn<Tools, "list_tools">["limit"]>().toEqualTypeOf<number | undefined>()
  expectTypeOf<ToolOutputIn<Tools, "list_tools">["total"]>().toEqualTypeOf<number>()
  expectTypeOf<ToolOutputIn<Tools, "runtime_status">["service"]>().toEqualTypeOf<"holdfast">()
})
