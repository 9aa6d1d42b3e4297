// The product's server on a free port with the bench's tools: what `holdfast serve` runs, in a process of its own.
import { readFile } from "node:fs/promises"
import { HOST_COMMAND, loadConfigModule, loadServe } from "../product.ts"
import { benchTools } from "../tools.ts"
import { report } from "./report.ts"

const [dataDir = "", directory = ""] = process.argv.slice(2)
const [{ serve }, { loadConfig }] = await Promise.all([loadServe(), loadConfigModule()])
const { env } = process
const running = await serve({
  dataDir,
  directory,
  env,
  terminal: false,
  tools: benchTools,
  hostCommand: HOST_COMMAND,
  loaded: loadConfig({
    dataDir,
    env,
    flags: { port: 0, rate_limit_per_minute: 1_000_000, allowed_roots: [directory], max_running_jobs: 64 },
  }),
})
process.on("SIGTERM", () => {
  void running.close().then(() => process.exit(0))
})
report({
  port: Number(new URL(running.url).port),
  token: (await readFile(running.tokenFile, "utf8")).trim(),
  project: running.project ?? "",
})
