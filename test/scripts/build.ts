// Compiles what `npm start` and the package need into dist/.
import { spawnSync } from "node:child_process"
import { readFile, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const dist = path.join(root, "dist")
const clear = (): Promise<void> => rm(dist, { recursive: true, force: true })
await clear()
const { status } = spawnSync(
  process.execPath,
  [path.join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"],
  { cwd: root, stdio: "inherit" },
)
if (status === 0) {
  // The compiler copies package.json beside the code that reads the version; a nested manifest must state nothing else.
  const { name, version, type } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"))
  await writeFile(path.join(dist, "package.json"), `${JSON.stringify({ name, version, type })}\n`)
} else {
  // Half a build would only fail later, and say less.
  await clear()
  console.error("The build failed; the compiler says why above.")
  process.exitCode = 1
}
