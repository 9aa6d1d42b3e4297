// What `npm start` runs: the build, or one sentence about what is missing. Plain JavaScript, parsed by any Node, because it also
// runs where nothing was installed yet.
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const at = (name) => new URL(`../../${name}`, import.meta.url)
// Written last, and only by a build that succeeded.
if (existsSync(at("dist/package.json"))) {
  process.argv[1] = fileURLToPath(at("dist/server/bin.js"))
  await import(at("dist/server/bin.js").href)
} else {
  const next = existsSync(at("node_modules/typescript")) ? "npm run build" : "npm ci"
  process.stderr.write(`holdfast: There is no finished build to start; make one with ${next}.\n`)
  process.exitCode = 1
}
