import { globSync, readFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { errorKinds, gateKinds } from "../../core/kernel/error-kinds.ts"
import { GATE_KINDS } from "../../sdk/generated/tool-facts.ts"
import { REPOSITORY } from "../support/build.ts"

it("the kinds for which client.call throws are those that the HTTP gate can give", () => {
  const sources = globSync("adapters/http/**/*.ts", { cwd: REPOSITORY }).map((file) =>
    readFileSync(path.join(REPOSITORY, file), "utf8"),
  )
  const thrown = sources.flatMap((text) => [...text.matchAll(/new ToolError\(\s*"(\w+)"/g)].map(([, kind]) => kind))
  // Its faults are the server's, wherever they happen; the kernel has the same kind.
  const own = errorKinds.filter((kind) => thrown.includes(kind) && kind !== "internal_error")
  expect([...gateKinds].sort()).toEqual([...own].sort())
  expect(GATE_KINDS).toEqual(gateKinds)
})
