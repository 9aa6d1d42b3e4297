import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { openStore } from "../../../adapters/storage/index.ts"
import type { Store } from "../../../core/store.ts"

/** A real SQLite store in a temporary data directory, gone when the scope ends. */
export interface Stored extends AsyncDisposable {
  readonly store: Store
  readonly dataDir: string
  /** A temporary directory beside the data directory, as a real path. */
  readonly home: string
}

/** Opens one. */
export async function openTestStore(): Promise<Stored> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), "holdfast-test-")))
  const dataDir = path.join(base, "data")
  const store = await openStore({ dataDir })
  return {
    store,
    dataDir,
    home: base,
    async [Symbol.asyncDispose]() {
      await store.close()
      await rm(base, { recursive: true, force: true })
    },
  }
}
