import path from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { REPOSITORY } from "../support/build.ts"

/** Bytes, minified and compressed, of what loads at once; with `whole` also of what loads at first use. */
async function size(code: string, { whole }: { readonly whole: boolean }): Promise<number> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: path.join(REPOSITORY, "sdk") },
    bundle: true,
    minify: true,
    splitting: !whole,
    format: "esm",
    target: "es2022",
    platform: "browser",
    outdir: REPOSITORY,
    write: false,
    metafile: true,
  })
  const now = new Set<string>()
  const visit = (file: string): void => {
    now.add(file)
    for (const { path: imported, kind } of metafile.outputs[file]?.imports ?? [])
      if (kind === "import-statement" && !now.has(imported)) visit(imported)
  }
  visit("stdin.js")
  return outputFiles
    .filter((file) => now.has(path.relative(REPOSITORY, file.path)))
    .reduce((sum, file) => sum + gzipSync(file.contents, { level: 9 }).length, 0)
}

describe("size of the SDK in a browser bundle (doors.md §5.6)", () => {
  it("everything in one file ≤ 8 KiB; what a program that only calls tools loads ≤ 6 KiB; the error check ≤ 1 KiB", async () => {
    const all = await size('export * from "./index.ts"', { whole: true })
    const calls = await size('export { createClient } from "./index.ts"', { whole: false })
    const check = await size('export { isHoldfastError } from "./index.ts"', { whole: true })
    console.log(`SDK, minified and gzip: all ${all}, createClient at load ${calls}, isHoldfastError ${check} bytes`)
    expect(all).toBeLessThanOrEqual(8_192)
    expect(calls).toBeLessThanOrEqual(6_144)
    expect(check).toBeLessThanOrEqual(1_024)
  })

  it("no Node built-in and one dependency", async () => {
    const { metafile } = await build({
      entryPoints: [path.join(REPOSITORY, "sdk/index.ts")],
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "browser",
      outdir: REPOSITORY,
      write: false,
      metafile: true,
    })
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter((item) => item.external))
    expect([...new Set(imported.map((item) => item.path))]).toEqual(["openapi-fetch"])
  })
})
