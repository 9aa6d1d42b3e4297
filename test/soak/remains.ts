import { existsSync, readdirSync } from "node:fs"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { runtimeDirectoryOf } from "../../adapters/runners/local/index.ts"
import type { ServerProcess } from "../support/server-process.ts"
import { hostOf } from "./processes.ts"

const GONE_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 50
/** Pipes made ahead of need, and the host's door. */
const OWN = /^([fp]\d+|s)$/

/** Names in the runtime directory of shells and Jobs that are over; only while nothing runs. */
export function leftovers({ place }: Pick<ServerProcess, "place">): readonly string[] {
  const runtime = runtimeDirectoryOf(place.dataDir)
  return readdirSync(runtime, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(path.join(runtime, name)))
    .filter((name) => !OWN.test(name))
}

/** Ends the server as its user does; what is left of it and of a host that has nothing to hold any more. */
export async function endServer(server: ServerProcess): Promise<readonly string[]> {
  const runtime = runtimeDirectoryOf(server.place.dataDir)
  server.child.kill("SIGTERM")
  const end = await server.exited
  const until = performance.now() + GONE_WITHIN_MS
  while (existsSync(runtime) && performance.now() < until) await sleep(LOOK_EVERY_MS)
  return [
    ...(end === 0 ? [] : [`The server ended with ${end}.`]),
    ...(hostOf(server.place.dataDir) === 0 ? [] : ["The Runner host lives on."]),
    ...(existsSync(runtime) ? ["The runtime directory is still there."] : []),
  ]
}
