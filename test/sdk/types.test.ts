import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { REPOSITORY } from "../support/build.ts"

const TSC = path.join(REPOSITORY, "node_modules/typescript/bin/tsc")

/** What the compiler says of a project; empty when it accepts it. */
function compile(project: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [TSC, "-p", project, "--noEmit"], { cwd: REPOSITORY }, (error, stdout) =>
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

  it("examples in doc comments of exported values compile as printed", { timeout: 120_000 }, async () => {
    const entries = ["sdk/client.ts", "sdk/error.ts", "sdk/local.ts", "server/holdfast.ts"]
    const texts = await Promise.all(entries.map((entry) => readFile(path.join(REPOSITORY, entry), "utf8")))
    const examples = texts.flatMap((text, index) =>
      [...text.matchAll(/\n \* ```ts\n([\s\S]*?)\n \* ```/g)].map(([, body = ""], number) => ({
        name: `${entries[index]?.replaceAll("/", "-").replace(".ts", "")}-${number}.ts`,
        text: body.replace(/^ \* ?/gm, ""),
      })),
    )
    expect(examples.map(({ name }) => name)).toEqual([
      "sdk-client-0.ts",
      "sdk-error-0.ts",
      "sdk-error-1.ts",
      "sdk-local-0.ts",
      "server-holdfast-0.ts",
    ])
    await using folder = await temporary()
    for (const { name, text } of examples) await writeFile(path.join(folder.path, name), text)
    await writeFile(path.join(folder.path, "package.json"), '{ "type": "module" }')
    await writeFile(
      path.join(folder.path, "tsconfig.json"),
      JSON.stringify({
        extends: path.join(REPOSITORY, "tsconfig.json"),
        compilerOptions: {
          lib: ["es2023", "esnext.disposable", "dom", "dom.asynciterable"],
          typeRoots: [path.join(REPOSITORY, "node_modules/@types")],
          paths: {
            holdfast: [path.join(REPOSITORY, "server/holdfast.ts")],
            "holdfast/sdk": [path.join(REPOSITORY, "sdk/index.ts")],
            "holdfast/sdk/local": [path.join(REPOSITORY, "sdk/local.ts")],
          },
        },
        include: ["*.ts"],
      }),
    )
    expect(await compile(folder.path)).toBe("")
  })
})

async function temporary(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "holdfast-types-"))
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
