// The cheap gate: types (product and SDK), lint, format, generated files up to date, lockfile, exports of both manifests.
import { spawnSync } from "node:child_process"
import path from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const bin = (name: string): string => path.join(root, "node_modules", ".bin", name)

interface Check {
  readonly proves: string
  readonly command: readonly [string, ...string[]]
}

const checks: readonly Check[] = [
  { proves: "types", command: [bin("tsc"), "-p", ".", "--noEmit"] },
  { proves: "types of the SDK as its users see them", command: [bin("tsc"), "-p", "tsconfig.sdk.json", "--noEmit"] },
  { proves: "lint and format", command: [bin("biome"), "check", "--error-on-warnings", "."] },
  { proves: "generated files are up to date", command: [process.execPath, "openapi/generate.ts", "--check"] },
  { proves: "the lockfile is complete", command: [process.execPath, "test/scripts/lock.ts", "--check"] },
  { proves: "package.json and deno.json agree", command: [process.execPath, "test/scripts/exports.ts"] },
]

let failed = 0
for (const { proves, command } of checks) {
  const [program, ...args] = command
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" })
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${proves}`)
  if (status !== 0) failed += 1
}
process.exitCode = failed === 0 ? 0 : 1
