import { spawnSync } from "node:child_process"
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { REPOSITORY } from "../support/build.ts"

let clone: string
beforeEach(async () => {
  clone = await mkdtemp(path.join(tmpdir(), "hf-start-"))
  await cp(path.join(REPOSITORY, "test/scripts"), path.join(clone, "test/scripts"), { recursive: true })
  await writeFile(path.join(clone, "package.json"), '{"name":"clone","version":"1.2.3","type":"module"}')
})
afterEach(() => rm(clone, { recursive: true, force: true }))

function run(script: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(clone, "test/scripts", script), ...args], {
    encoding: "utf8",
  })
  return { status, stdout, stderr }
}
const start = () => run("start.mjs", "serve", "--port", "0")

/** Stands where the compiler does: writes a program that prints its arguments, and ends like this. */
async function compilerThatEnds(status: number): Promise<void> {
  const bin = path.join(clone, "node_modules/typescript/bin")
  await mkdir(bin, { recursive: true })
  await writeFile(
    path.join(bin, "tsc"),
    `const { mkdirSync, writeFileSync } = require("node:fs")
mkdirSync("dist/server", { recursive: true })
writeFileSync("dist/package.json", "{}")
writeFileSync("dist/server/bin.js", "console.log(process.argv.slice(1).join()); process.exitCode = 5")
process.exitCode = ${status}
`,
  )
}

it("npm start says in one sentence that nothing was installed or built, and how to", async () => {
  expect(start()).toEqual({
    status: 1,
    stdout: "",
    stderr: "holdfast: There is no finished build to start; make one with npm ci.\n",
  })
  await compilerThatEnds(2)
  const sentence = "holdfast: There is no finished build to start; make one with npm run build.\n"
  expect(start()).toEqual({ status: 1, stdout: "", stderr: sentence })
})

it("a build that failed leaves nothing that could be started", async () => {
  await compilerThatEnds(2)
  expect(run("build.ts")).toMatchObject({ status: 1, stderr: expect.stringContaining("The build failed") })
  expect(await readdir(clone)).not.toContain("dist")
  expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run build") })
})

it("a finished one gets the arguments and the exit code", async () => {
  await compilerThatEnds(0)
  expect(run("build.ts")).toMatchObject({ status: 0 })
  const bin = path.join(clone, "dist/server/bin.js")
  expect(start()).toEqual({ status: 5, stdout: `${bin},serve,--port,0\n`, stderr: "" })
})
