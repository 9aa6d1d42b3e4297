// Adds what npm drops from the lockfile whenever it rewrites it: `"gypfile": false` for better-sqlite3, without which npm 10
// compiles it from source on `npm ci` (spec doors.md §7.2). With `--check` it only reports.
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const file = fileURLToPath(new URL("../../package-lock.json", import.meta.url))
const lock = JSON.parse(await readFile(file, "utf8"))
const entry = lock.packages["node_modules/better-sqlite3"]
const hosts = Object.values<{ resolved?: string }>(lock.packages).filter((item) => item.resolved !== undefined)
const clean = entry.gypfile === false && hosts.length === 0

if (process.argv.includes("--check")) {
  if (!clean) {
    console.error(
      "package-lock.json: run `npm run lock` (it restores gypfile:false for better-sqlite3 and drops download addresses).",
    )
    process.exitCode = 1
  }
} else {
  entry.gypfile = false
  for (const item of hosts) delete item.resolved
  await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`)
}
