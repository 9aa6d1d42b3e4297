import { mkdir, readdir, rename, rm, stat } from "node:fs/promises"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

/** The repository. */
export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url))

const SOURCES = ["core", "adapters", "server", "sdk", "openapi", "package.json"]

/**
 * The command line as one compiled file that a child process can run: Node's type stripping refuses the controllers'
 * decorators. Bundled with esbuild in well under a second, so it needs no lock: each process builds under a name of its own and
 * renames it to one that states when the sources last changed. Tests of `dist/` itself belong to the packaging stage.
 * It lies in node_modules, so that the bundle finds its dependencies. Returns the path of `bin.js`.
 */
export async function ensureBuild(): Promise<string> {
  const cache = path.join(REPOSITORY, "node_modules", ".cache", "holdfast-test")
  const directory = path.join(cache, String(await newestChange()))
  const file = path.join(directory, "server", "bin.js")
  if (await exists(file)) return file
  const draft = path.join(cache, `draft-${process.pid}-${Date.now()}`)
  await mkdir(draft, { recursive: true })
  await build({
    absWorkingDir: REPOSITORY,
    entryPoints: ["server/bin.ts"],
    outdir: path.join(draft, "server"),
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "silent",
  })
  await rename(draft, directory).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(file))) throw error
  })
  return file
}

async function newestChange(): Promise<number> {
  const times = await Promise.all(SOURCES.map((source) => changedAt(path.join(REPOSITORY, source))))
  return Math.max(...times)
}

async function changedAt(root: string): Promise<number> {
  const own = await stat(root)
  if (!own.isDirectory()) return Math.trunc(own.mtimeMs)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const times = await Promise.all(
    entries.map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).mtimeMs),
  )
  return Math.trunc(Math.max(own.mtimeMs, ...times))
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  )
}
