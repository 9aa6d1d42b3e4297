import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { runLocalHost } from "../../../adapters/runners/local/carrier/run-local-host.ts"
import {
  createSocketCarrier,
  type SocketCarrierOptions,
} from "../../../adapters/runners/local/carrier/socket-carrier.ts"
import { type OpenedStore, openStore } from "../../../adapters/storage/index.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"

describe("a host that ends as it is started", () => {
  let place: string
  let store: OpenedStore
  beforeEach(async () => {
    place = mkdtempSync(path.join(tmpdir(), "hf-failed-start-"))
    store = await openStore({ dataDir: path.join(place, "data"), env: {} })
  })
  afterEach(async () => {
    await store.close()
    rmSync(place, { recursive: true, force: true })
  })

  function carrierWith(launch: NonNullable<SocketCarrierOptions["launch"]>) {
    const ids = createIds()
    return createSocketCarrier({
      dataDirectory: path.join(place, "data"),
      runtimeDirectory: path.join(place, "run"),
      version: "1.0.0",
      command: ["false"],
      environment: { server: {} },
      limits: {},
      lingerMs: 200,
      rows: {
        current: () => store.read((tx) => tx.runnerHosts.current()),
        claim: (host) => store.write((tx) => tx.runnerHosts.claim(host)),
        replace: (heldBy, host) => store.write((tx) => tx.runnerHosts.replace(heldBy, host)),
        release: (hostId) => store.write((tx) => tx.runnerHosts.release(hostId)),
      },
      secrets: createSecretRegistry(),
      newHostId: () => ids.instance(),
      now: () => Date.now(),
      report: () => undefined,
      launch,
    })
  }

  it("is followed by another one, and nobody is refused", async () => {
    let starts = 0
    const carrier = carrierWith(async (start) => {
      starts += 1
      if (starts === 1) return { pid: process.pid, ended: Promise.resolve() }
      const host = await runLocalHost({ start, environment: process.env, log: () => undefined })
      return { pid: process.pid, ended: host.ended }
    })
    expect(await carrier.jobs.inventory()).toEqual([])
    expect(starts).toBe(0)
    await carrier.meet(true)
    expect(starts).toBe(2)
    expect(await carrier.shutDown()).toBe(true)
    carrier.close()
  }, 30_000)

  it("is told when each one does, and nothing of it is left to wait for", async () => {
    const pids: number[] = []
    const carrier = carrierWith(async () => {
      pids.push(process.pid)
      await sleep(5)
      return { pid: process.pid, ended: Promise.resolve() }
    })
    await expect(carrier.meet(true)).rejects.toThrow("the Runner host ended as it was started")
    expect(pids).toHaveLength(2)
    expect(await store.read((tx) => tx.runnerHosts.current())).toBeUndefined()
    carrier.close()
  }, 30_000)
})
