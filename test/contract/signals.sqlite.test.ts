import { expect, it, vi } from "vitest"
import { createSignals } from "../../adapters/signals/index.ts"
import { openStore } from "../../adapters/storage/index.ts"
import type { Store } from "../../core/store.ts"
import { signalsContract } from "./signals.ts"
import { aSession } from "./store-fixtures.ts"
import { dataDirectory } from "./store-sqlite.ts"

const change = (store: Store): Promise<void> => store.write((tx) => tx.sessions.insert(aSession()))

signalsContract("SQLite data_version", async () => {
  const { dataDir, remove } = await dataDirectory()
  const [here, elsewhere] = [await openStore({ dataDir }), await openStore({ dataDir })]
  const signals = createSignals({ foreignCommits: here.foreignCommits })
  return {
    signals,
    commitHere: () => change(here),
    commitElsewhere: () => change(elsewhere),
    async close() {
      signals.close()
      await here.close()
      await elsewhere.close()
      await remove()
    },
  }
})

it("looks at the store with one timer for all waiters, and only while someone waits", async () => {
  const foreignCommits = vi.fn(() => 1)
  const signals = createSignals({ foreignCommits })
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  await pause(250)
  expect(foreignCommits).toHaveBeenCalledTimes(0)
  const waiting = Array.from({ length: 50 }, () => signals.wait(["job:a"], { timeoutMs: 450 }))
  await Promise.all(waiting)
  const looks = foreignCommits.mock.calls.length
  expect(looks).toBeGreaterThanOrEqual(2)
  expect(looks).toBeLessThanOrEqual(7)
  await pause(250)
  expect(foreignCommits).toHaveBeenCalledTimes(looks)
})

it("wakes waiters when the store cannot be read, and when it is closed", async () => {
  let readable = true
  const signals = createSignals({
    foreignCommits: () => {
      if (!readable) throw new Error("closed")
      return 1
    },
  })
  const one = signals.wait(["job:a"], { timeoutMs: 10_000 })
  readable = false
  expect(await one).toBe(true)
  const two = signals.wait(["job:a"], { timeoutMs: 10_000 })
  signals.close()
  expect(await two).toBe(true)
})
