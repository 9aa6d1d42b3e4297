import { execFile } from "node:child_process"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { REPOSITORY } from "../support/build.ts"

/** What the compiler says of a project; empty when it accepts it. */
function compile(project: string): Promise<string> {
  const tsc = path.join(REPOSITORY, "node_modules/typescript/bin/tsc")
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "-p", project, "--noEmit"], { cwd: REPOSITORY }, (error, stdout) =>
      resolve(error === null ? stdout : stdout || String(error)),
    )
  })
}

describe("types of the SDK", () => {
  it("D53: equal the definitions' for every tool; unknown fields are errors; unions narrow", {
    timeout: 120_000,
  }, async () => {
    expect(await compile("test/sdk/types")).toBe("")
  })
})
