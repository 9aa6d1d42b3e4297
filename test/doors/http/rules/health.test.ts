import { describe, expect, it } from "vitest"
import { createHealth } from "../../../../server/http/health.ts"

describe("health", () => {
  it("asks the store at most once a second, and says starting and draining without asking", async () => {
    let now = 0
    let probes = 0
    let broken = false
    let phase = "starting"
    const health = createHealth({
      clock: { monotonic: () => now },
      ready: () => phase !== "starting",
      draining: () => phase === "draining",
      probeStore: async () => {
        probes++
        if (broken) throw new Error("disk")
      },
    })
    expect([await health(), probes]).toEqual(["starting", 0])
    phase = "running"
    expect([await health(), await health(), probes]).toEqual(["ok", "ok", 1])
    broken = true
    now = 999
    expect([await health(), probes]).toEqual(["ok", 1])
    now = 1000
    expect([await health(), probes]).toEqual(["failing", 2])
    phase = "draining"
    expect([await health(), probes]).toEqual(["draining", 2])
  })
})
