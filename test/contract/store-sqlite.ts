import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { OpenedStore } from "../../adapters/storage/index.ts"
import { openStore } from "../../adapters/storage/index.ts"
import type { StoreUnderTest } from "./store.ts"

/** The command line of the process that appends events to a data directory. */
export const writerCommand = (dataDir: string): readonly string[] => [
  process.execPath,
  fileURLToPath(new URL("./store-writer.ts", import.meta.url)),
  dataDir,
]

/** A SQLite store in a fresh data directory. */
export async function sqliteUnderTest(): Promise<StoreUnderTest> {
  const dataDir = await mkdtemp(join(tmpdir(), "hf-store-"))
  const opened: OpenedStore[] = [await openStore({ dataDir })]
  const open = async (): Promise<OpenedStore> => {
    const store = await openStore({ dataDir })
    opened.push(store)
    return store
  }
  return {
    store: opened[0] ?? (await open()),
    second: open,
    writerProcess: writerCommand(dataDir),
    async close() {
      for (const store of opened) await store.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
