import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { build } from "esbuild"
import { REPOSITORY } from "../support/build.ts"

/** Which source stands behind each package entry that the pages import; the packaging stage proves the entries themselves. */
export const ENTRIES: Readonly<Record<string, string>> = {
  holdfast: path.join(REPOSITORY, "server/holdfast.ts"),
  "holdfast/sdk": path.join(REPOSITORY, "sdk/index.ts"),
  "holdfast/sdk/local": path.join(REPOSITORY, "sdk/local.ts"),
}

/** Bundles a printed TypeScript snippet into one file that Node runs; returns its path. */
export async function compiledSnippet(text: string, directory: string): Promise<string> {
  const base = path.join(directory, `snippet-${randomBytes(4).toString("hex")}`)
  await writeFile(`${base}.ts`, text)
  await build({
    entryPoints: [`${base}.ts`],
    outfile: `${base}.mjs`,
    alias: { ...ENTRIES },
    nodePaths: [path.join(REPOSITORY, "node_modules")],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "silent",
  })
  return `${base}.mjs`
}
