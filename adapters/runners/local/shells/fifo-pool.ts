import { renameSync } from "node:fs"
import { createFifoSupply, type FifoSupply } from "../host/fifo-supply.ts"

/** The named pipes of the shells of one host. */
export interface FifoPool extends FifoSupply {
  /** Puts a FIFO where `path` says. */
  place(path: string): Promise<void>
}

/** A pool of named pipes in a private directory. */
export function createFifoPool(directory: string, environment: Readonly<Record<string, string>>): FifoPool {
  const supply = createFifoSupply(directory, { prefix: "f", environment })
  return {
    ...supply,
    async place(path) {
      renameSync(await supply.take(), path)
    },
  }
}
