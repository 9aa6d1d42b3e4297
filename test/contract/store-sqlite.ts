import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openStore } from "../../adapters/storage/index.ts"
import type { Store } from "../../core/store.ts"
import type { StoreUnderTest } from "./store.ts"

/** A fresh data directory. */
export async function dataDirectory(): Promise<{ readonly dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "hf-store-"))
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

/** The command line of the process that appends events to a data directory. */
export const writerCommand = (dataDir: string): readonly string[] => [
  process.execPath,
  fileURLToPath(new URL("./store-writer.ts", import.meta.url)),
  dataDir,
]

/** A SQLite store in a fresh data directory. */
export async function sqliteUnderTest(): Promise<StoreUnderTest> {
  const { dataDir, remove } = await dataDirectory()
  const store = await openStore({ dataDir })
  const opened: Store[] = [store]
  return {
    store,
    async second() {
      const other = await openStore({ dataDir })
      opened.push(other)
      return other
    },
    writerProcess: writerCommand(dataDir),
    async close() {
      for (const one of opened) await one.close()
      await remove()
    },
  }
}
