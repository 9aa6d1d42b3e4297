import { expect, it } from "vitest"
import { requireNodeApi } from "../../../adapters/storage/sqlite/open-sqlite.ts"

it("a Node whose Node-API the database addon does not know is refused in a sentence, where it would crash", () => {
  expect(() => requireNodeApi({ napi: "9", node: "22.12.0" })).toThrow(
    expect.objectContaining({
      code: "runtime_too_old",
      message: "The database needs Node 22.14 or newer (Node-API 10); this is Node 22.12.0.",
    }),
  )
  expect(() => requireNodeApi({ napi: "10", node: "22.14.0" })).not.toThrow()
})
