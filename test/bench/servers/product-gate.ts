// The product's HTTP door before a kernel that answers at once: what gate, body reader and routing cost alone.
import { readFile } from "node:fs/promises"
import {
  loadConfigModule,
  loadDoors,
  loadLocalToken,
  loadRuntime,
  loadRuntimeOptions,
  loadTokenFile,
} from "../product.ts"
import { report } from "./report.ts"

const [dataDir = ""] = process.argv.slice(2)
const { env } = process
const [
  { runtimeOptions },
  { loadConfig },
  { createRuntime },
  { createHttpDoor },
  { ensureLocalToken },
  { createLocalTokenFile },
] = await Promise.all([
  loadRuntimeOptions(),
  loadConfigModule(),
  loadRuntime(),
  loadDoors(),
  loadLocalToken(),
  loadTokenFile(),
])
const loaded = loadConfig({ dataDir, env, flags: { port: 0, rate_limit_per_minute: 1_000_000 } })
const runtime = await createRuntime(runtimeOptions({ dataDir, loaded, env, terminal: false }))
await ensureLocalToken({ ...runtime, file: createLocalTokenFile(dataDir) })
const answer = { result: { success: true, output: {} }, httpStatus: 200, replayed: false } as const
const kernel = { call: async () => answer, cancel: () => false, drain: async () => undefined }
const door = await createHttpDoor({ ...runtime, kernel })
const { port } = await door.listen({ host: "127.0.0.1", port: 0 })
report({ port, token: (await readFile(createLocalTokenFile(dataDir).path, "utf8")).trim() })
