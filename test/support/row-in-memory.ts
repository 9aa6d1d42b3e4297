import type { RunnerHost, RunnerHostStore } from "../../core/runners/host-store.ts"

/** The row in memory: what the store promises is proven there. */
export function createRowInMemory(): RunnerHostStore {
  let row: RunnerHost | undefined
  return {
    current: async () => row,
    async claim(host) {
      if (row !== undefined) return false
      row = host
      return true
    },
    async replace(heldBy, host) {
      if (row?.hostId !== heldBy) return false
      row = host
      return true
    },
    async release(hostId) {
      if (row?.hostId !== hostId) return false
      row = undefined
      return true
    },
  }
}
