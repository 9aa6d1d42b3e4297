import { existsSync, readdirSync, statSync } from "node:fs"
import path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** The repository. */
export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url))

/** The compiled product that is measured: what a user runs. */
export const DIST = process.env.HOLDFAST_BENCH_DIST ?? path.join(REPOSITORY, "dist")

/** Path of the compiled command line. */
export const BIN = path.join(DIST, "server", "bin.js")

/** What starts the Runner host that a server shares. */
export const HOST_COMMAND: readonly [string, ...string[]] = [
  process.execPath,
  "--max-old-space-size=128",
  "--max-semi-space-size=2",
  BIN,
  "runner",
]

const SOURCES = ["core", "adapters", "server", "sdk", "openapi"]

/** The compiled module of a source file, with the types of its source. */
async function compiled<Module>(source: string): Promise<Module> {
  return await import(pathToFileURL(path.join(DIST, source.replace(/\.ts$/, ".js"))).href)
}

export const loadServe = () => compiled<typeof import("../../server/serve.ts")>("server/serve.ts")
export const loadConfigModule = () =>
  compiled<typeof import("../../server/config/load-config.ts")>("server/config/load-config.ts")
export const loadHoldfast = () => compiled<typeof import("../../server/holdfast.ts")>("server/holdfast.ts")
export const loadStorage = () => compiled<typeof import("../../adapters/storage/index.ts")>("adapters/storage/index.ts")
export const loadLedger = () =>
  compiled<typeof import("../../core/ledger/create-ledger.ts")>("core/ledger/create-ledger.ts")
export const loadMessageTools = () => compiled<typeof import("../../core/messages/tools.ts")>("core/messages/tools.ts")
export const loadBoardKeys = () => compiled<typeof import("../../core/messages/keys.ts")>("core/messages/keys.ts")
export const loadIds = () => compiled<typeof import("../../core/kernel/ids.ts")>("core/kernel/ids.ts")
export const loadRedactor = () =>
  compiled<typeof import("../../core/kernel/redaction/redactor.ts")>("core/kernel/redaction/redactor.ts")
export const loadBudget = () =>
  compiled<typeof import("../../core/kernel/budget/fit-result.ts")>("core/kernel/budget/fit-result.ts")
export const loadSecrets = () => compiled<typeof import("../../core/kernel/secrets.ts")>("core/kernel/secrets.ts")
export const loadRuntime = () => compiled<typeof import("../../server/compose/runtime.ts")>("server/compose/runtime.ts")
export const loadRuntimeOptions = () =>
  compiled<typeof import("../../server/compose/runtime-options.ts")>("server/compose/runtime-options.ts")
export const loadDoors = () => compiled<typeof import("../../server/compose/doors.ts")>("server/compose/doors.ts")
export const loadLocalToken = () =>
  compiled<typeof import("../../core/access/local-token.ts")>("core/access/local-token.ts")
export const loadTokenFile = () =>
  compiled<typeof import("../../adapters/local-token/create-local-token-file.ts")>(
    "adapters/local-token/create-local-token-file.ts",
  )
export const loadHost = () =>
  compiled<typeof import("../../adapters/runners/local/host/host.ts")>("adapters/runners/local/host/host.ts")
export const loadCarrier = () =>
  compiled<typeof import("../../adapters/runners/local/carrier/socket-carrier.ts")>(
    "adapters/runners/local/carrier/socket-carrier.ts",
  )
export const loadControlReduction = () =>
  compiled<typeof import("../../core/jobs/output/control-reduction.ts")>("core/jobs/output/control-reduction.ts")
export const loadSdk = () => compiled<typeof import("../../sdk/index.ts")>("sdk/index.ts")

/** Whether the build is missing or older than its sources. */
export function buildIsStale(): boolean {
  if (!existsSync(BIN)) return true
  const builtAt = statSync(BIN).mtimeMs
  return SOURCES.some((folder) =>
    readdirSync(path.join(REPOSITORY, folder), { recursive: true, withFileTypes: true }).some(
      (entry) =>
        entry.isFile() &&
        entry.name.endsWith(".ts") &&
        statSync(path.join(entry.parentPath, entry.name)).mtimeMs > builtAt,
    ),
  )
}
