/** The SDK for programs on the server's own machine: it reads the local token file (spec doors.md §5.1). */
import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import path from "node:path"
import process from "node:process"
import { type ClientOptions, createClient, type HoldfastClient } from "./client.ts"
import { HoldfastError } from "./error.ts"

/** Where the local server keeps its data, and on which port it listens. */
export interface LocalOptions extends Omit<ClientOptions, "baseUrl" | "token" | "transport"> {
  /** Default: `HOLDFAST_DATA_DIR`, else `$XDG_STATE_HOME/holdfast`, else `~/.local/state/holdfast`. */
  readonly dataDir?: string | undefined
  /** Default 4747. */
  readonly port?: number | undefined
}

function defaultDataDir(): string {
  const { HOLDFAST_DATA_DIR: own, XDG_STATE_HOME: state } = process.env
  return own ?? path.join(state ?? path.join(homedir(), ".local", "state"), "holdfast")
}

/**
 * A client of the server on this machine. The token file is read for every call, so a rotated token is picked up.
 * Throws `configuration_invalid` when it cannot be read.
 *
 * @example
 * ```ts
 * import { connectLocal } from "holdfast/sdk/local"
 *
 * export async function projects(): Promise<readonly string[]> {
 *   const client = await connectLocal()
 *   const { projects } = await client.tools.list_projects()
 *   return projects.map(({ project }) => project)
 * }
 * ```
 */
export async function connectLocal(options: LocalOptions = {}): Promise<HoldfastClient> {
  const { dataDir = defaultDataDir(), port = 4747, ...rest } = options
  const file = path.join(dataDir, "local-token")
  const token = async (): Promise<string> => {
    try {
      return (await readFile(file, "utf8")).trim()
    } catch (cause) {
      throw new HoldfastError({
        kind: "configuration_invalid",
        message:
          "dataDir: holds no readable local-token; start the server once with `holdfast serve`, or pass its data directory.",
        recovery: "fix_input",
        details: { option: "dataDir" },
        cause,
      })
    }
  }
  await token()
  return createClient({ ...rest, baseUrl: `http://127.0.0.1:${port}`, token })
}
