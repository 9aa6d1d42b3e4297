import { globSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { errorKinds, gateKinds } from "../../core/kernel/error-kinds.ts"
import { allTools } from "../../core/tools.ts"
import { GATE_KINDS, OBSERVING_TOOLS } from "../../sdk/generated/tool-facts.ts"
import { holdsName } from "../../sdk/name-set.ts"
import { REPOSITORY } from "../support/build.ts"

describe("facts of the SDK, as sets of names (doors.md §5)", () => {
  it("the kinds for which client.call throws are those that the HTTP gate can give", () => {
    const sources = globSync("adapters/http/**/*.ts", { cwd: REPOSITORY }).map((file) =>
      readFileSync(path.join(REPOSITORY, file), "utf8"),
    )
    const thrown = sources.flatMap((text) => [...text.matchAll(/new ToolError\(\s*"(\w+)"/g)].map(([, kind]) => kind))
    // Its faults are the server's, wherever they happen; the kernel has the same kind.
    const own = errorKinds.filter((kind) => thrown.includes(kind) && kind !== "internal_error")
    expect([...gateKinds].sort()).toEqual([...own].sort())
    expect(errorKinds.filter((kind) => holdsName(GATE_KINDS, kind)).sort()).toEqual([...gateKinds].sort())
  })

  it("the observing tools are those of the definitions; a name of no tool is none", () => {
    const held = allTools.filter(({ name }) => holdsName(OBSERVING_TOOLS, name)).map(({ name }) => name)
    expect(held).toEqual(allTools.filter(({ effect }) => effect === "observe").map(({ name }) => name))
    expect(
      ["", "a", "no_such_tool", "list_tool", "list_toolss"].filter((name) => holdsName(OBSERVING_TOOLS, name)),
    ).toEqual([])
  })
})
