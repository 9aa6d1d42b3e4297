import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { REPOSITORY } from "../support/build.ts"
import { mustRun, type ProgramEnd, personEnv, runProgram } from "../support/host-programs.ts"
import { serveAndCall } from "../support/serve-and-call.ts"

const program = path.join(REPOSITORY, "node_modules/.bin/deno")

describe("Deno", () => {
  let scratch: string
  let env: Record<string, string>
  beforeAll(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), "hf-deno-"))
    env = personEnv(process.env.PATH ?? "", { DENO_DIR: path.join(scratch, "cache"), NO_COLOR: "1" })
  })
  afterAll(() => rm(scratch, { recursive: true, force: true }))

  const deno = (...args: readonly string[]): Promise<ProgramEnd> => runProgram(program, args, { cwd: REPOSITORY, env })

  it("is a version whose node:http has the limits that the gate relies on", async () => {
    const [, major, minor] = /^deno (\d+)\.(\d+)/.exec(await mustRun(program, ["--version"], { env })) ?? []
    expect([Number(major), Number(minor) >= 9]).toEqual([2, true])
  })

  it("checks the types of core, sdk, adapters and server", { timeout: 120_000 }, async () => {
    const { code, stderr } = await deno("check", "core", "sdk", "adapters", "server", "openapi")
    expect({ code, faults: code === 0 ? "" : stderr }).toEqual({ code: 0, faults: "" })
    for (const file of ["core/index.ts", "sdk/local.ts", "adapters/mcp/index.ts", "server/bin.ts"]) {
      expect(stderr).toContain(`Check ${file}\n`)
    }
  })

  it("runs the server from its source", { timeout: 60_000 }, async () => {
    const answer = await serveAndCall({
      program,
      args: ["run", "--allow-all", path.join(REPOSITORY, "server/bin.ts"), "serve"],
      cwd: path.join(REPOSITORY, "sdk"),
      home: path.join(scratch, "home"),
      env,
    })
    expect(answer).toMatchObject({ success: true, output: { projects: [{ project: "sdk" }], total: 1 } })
  })

  it("publishes the SDK alone, without slow types (dry run)", { timeout: 120_000 }, async () => {
    const { code, stdout, stderr } = await deno("publish", "--dry-run", "--allow-dirty")
    const said = `${stdout}${stderr}`
    expect({ code, said: code === 0 ? "" : said }).toEqual({ code: 0, said: "" })
    const files = [...said.matchAll(/^ +file:\/\/(\S+) \(/gm)].map(({ 1: file = "" }) =>
      path.relative(REPOSITORY, file),
    )
    expect(files).toEqual(
      expect.arrayContaining([
        "deno.json",
        "LICENSE",
        "README.md",
        "sdk/index.ts",
        "sdk/local.ts",
        "sdk/generated/schema.ts",
      ]),
    )
    expect(files.filter((file) => !file.startsWith("sdk/"))).toEqual(["LICENSE", "README.md", "deno.json"])
  })
})
