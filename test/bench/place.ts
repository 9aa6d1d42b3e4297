import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { loadHoldfast } from "./product.ts"
import type { Bench } from "./scope.ts"
import { benchTools } from "./tools.ts"

/** A temporary folder with an empty directory to serve. */
export interface Place {
  readonly home: string
  readonly directory: string
  /** A path for a data directory of this name. */
  dataDir(name: string): string
  /** The same, made. */
  makeDataDir(name: string): Promise<string>
  /** Writes a file there; its path. */
  file(name: string, text: string): Promise<string>
}

/** Makes one; it goes with the group. */
export async function makePlace(bench: Bench): Promise<Place> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), "holdfast-bench-")))
  bench.undo(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  const directory = path.join(home, "project")
  await mkdir(directory)
  return {
    home,
    directory,
    dataDir: (name) => path.join(home, name),
    async makeDataDir(name) {
      const directory = path.join(home, name)
      await mkdir(directory, { mode: 0o700 })
      return directory
    },
    async file(name, text) {
      const file = path.join(home, name)
      await writeFile(file, text)
      return file
    },
  }
}

/** A data directory with Sessions, one of which holds one recorded call: what the raw floor copies. */
export interface Seeded {
  readonly dataDir: string
  readonly database: string
  /** Sessions to take in turn, so that none comes to its cap and evicts; the first holds the recorded call. */
  readonly sessions: readonly string[]
}

const SESSIONS = 20

/** Makes one through the product. */
export async function seedDataDir(place: Place, name: string): Promise<Seeded> {
  const dataDir = place.dataDir(name)
  const { createHoldfast } = await loadHoldfast()
  const holdfast = await createHoldfast({ dataDir, tools: benchTools, env: process.env })
  try {
    const sessions: string[] = []
    for (let made = 0; made < SESSIONS; made++) {
      sessions.push((await holdfast.client.tools.start_session({})).session_id)
    }
    await holdfast.client.call("list_projects", {}, { recordingSessionId: sessions[0] })
    return { dataDir, database: path.join(dataDir, "holdfast.db"), sessions }
  } finally {
    await holdfast.close()
  }
}

/** A copy of a data directory that nobody has open. */
export async function copyDataDir(place: Place, { dataDir, sessions }: Seeded, name: string): Promise<Seeded> {
  const copy = place.dataDir(name)
  await cp(dataDir, copy, { recursive: true })
  return { dataDir: copy, database: path.join(copy, "holdfast.db"), sessions }
}
