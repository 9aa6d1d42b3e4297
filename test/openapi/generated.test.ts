import { execFile } from "node:child_process"
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { REPOSITORY } from "../support/build.ts"

interface Ended {
  readonly code: number
  readonly stderr: string
}

const bin = (name: string): string => path.join(REPOSITORY, "node_modules/.bin", name)

function run(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  const PATH = `${path.join(REPOSITORY, "node_modules/.bin")}${path.delimiter}${process.env.PATH}`
  const env = { ...process.env, PATH, REDOCLY_TELEMETRY: "off", DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" }
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stderr: stderr + stdout }),
    )
  })
}

/** A copy of what the generator reads and writes. */
async function copy(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "holdfast-generate-"))
  for (const name of [
    "core",
    "server",
    "openapi",
    "sdk",
    "adapters",
    "package.json",
    "deno.json",
    "tsconfig.json",
    "test/scripts",
  ])
    await cp(path.join(REPOSITORY, name), path.join(folder, name), { recursive: true })
  await symlink(path.join(REPOSITORY, "node_modules"), path.join(folder, "node_modules"))
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, "utf8")
  expect(text).toContain(from)
  await writeFile(file, text.replace(from, to))
}

describe("generated files (doors.md §3.1)", () => {
  it("D33: generating on Node and on Deno gives the committed bytes", { timeout: 120_000 }, async () => {
    expect(await run(process.execPath, ["openapi/generate.ts", "--check"], REPOSITORY)).toMatchObject({ code: 0 })
    expect(await run(bin("deno"), ["run", "-A", "openapi/generate.ts", "--check"], REPOSITORY)).toMatchObject({
      code: 0,
    })
  })

  it("D33: a description changed without generating fails the check, naming the documents", {
    timeout: 120_000,
  }, async () => {
    await using tree = await copy()
    await edit(path.join(tree.path, "core/jobs/run-shell.ts"), "Runs a shell command;", "Runs one shell command;")
    const { code, stderr } = await run(process.execPath, ["openapi/generate.ts", "--check"], tree.path)
    expect(code).toBe(1)
    const stale = stderr.split("\n").flatMap((line) => /^(\S+) is out of date/.exec(line)?.[1] ?? [])
    expect(stale).toEqual(["openapi/openapi.json", "openapi/gpt-actions.json", "sdk/generated/schema.ts"])
  })

  it("D33: an export missing in deno.json is named", async () => {
    await using tree = await copy()
    await edit(path.join(tree.path, "deno.json"), '"./sdk/local": "./sdk/local.ts"', '"./sdk/other": "./sdk/local.ts"')
    const { code, stderr } = await run(process.execPath, ["test/scripts/exports.ts"], tree.path)
    expect([code, stderr.split("\n")]).toEqual([1, expect.arrayContaining(["deno.json lacks the export ./sdk/local"])])
  })

  it("redocly finds nothing in the committed documents, and something in a broken one", {
    timeout: 120_000,
  }, async () => {
    const lint = (cwd: string) =>
      run(bin("redocly"), ["lint", "--config", "openapi/redocly.yaml", "full", "gpt-actions"], cwd)
    const clean = await lint(REPOSITORY)
    expect([clean.code, /warning/i.test(clean.stderr)], clean.stderr).toEqual([0, false])
    await using tree = await copy()
    await edit(
      path.join(tree.path, "openapi/gpt-actions.json"),
      '"operationId": "list_tools"',
      '"operationId": "run_shell"',
    )
    const broken = await lint(tree.path)
    expect(broken.code).toBe(1)
    expect(broken.stderr).toContain("operation-operationId-unique")
  })
})
