import { describe, expect, it } from "vitest"
import { createSystemClock } from "../../../adapters/clock/index.ts"

/** Clocks that a test moves by hand. */
function handClocks() {
  const at = { running: 1000, uptime: 500_000, wall: 1_700_000_000_000 }
  const move = (by: Partial<typeof at>): void => {
    at.running += by.running ?? 0
    at.uptime += by.uptime ?? 0
    at.wall += by.wall ?? 0
  }
  const readings = { running: () => at.running, uptime: () => at.uptime, wall: () => at.wall }
  return { readings, move, elapse: (ms: number) => move({ running: ms, uptime: ms, wall: ms }) }
}

describe("the monotonic clock", () => {
  it("counts running time", () => {
    const { readings, elapse } = handClocks()
    const clock = createSystemClock(readings)
    const begun = clock.monotonic()
    elapse(1234)
    expect(clock.monotonic() - begun).toBe(1234)
  })

  it("counts the time during which the machine slept, once", () => {
    const { readings, elapse, move } = handClocks()
    const clock = createSystemClock(readings)
    const begun = clock.monotonic()
    elapse(100)
    move({ uptime: 3_600_000, wall: 3_600_000 })
    expect(clock.monotonic() - begun).toBe(3_600_100)
    elapse(50)
    expect(clock.monotonic() - begun).toBe(3_600_150)
  })

  it("counts sleep although the wall clock was set back meanwhile", () => {
    const { readings, elapse, move } = handClocks()
    const clock = createSystemClock(readings)
    const begun = clock.monotonic()
    move({ uptime: 60_000 })
    elapse(10_001)
    expect(clock.monotonic() - begun).toBe(70_001)
  })

  it("is moved by no change of the wall clock, and not by the coarseness of uptime", () => {
    const { readings, move } = handClocks()
    const clock = createSystemClock(readings)
    const begun = clock.monotonic()
    move({ wall: -7_200_000 })
    move({ uptime: 999 })
    expect(clock.monotonic()).toBe(begun)
    move({ wall: 86_400_000 })
    expect(clock.monotonic()).toBe(begun)
  })
})

describe("the system clock", () => {
  it("tells whole milliseconds and sleeps at least as long as asked", async () => {
    const clock = createSystemClock()
    expect(Number.isInteger(clock.now())).toBe(true)
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000)
    const begun = clock.monotonic()
    await clock.sleep(30)
    expect(clock.monotonic() - begun).toBeGreaterThanOrEqual(30)
    await clock.sleep(0)
  })

  it("fires once after the time asked for, or never when it is called off", async () => {
    const clock = createSystemClock()
    const fired: number[] = []
    const begun = clock.monotonic()
    clock.after(30, () => fired.push(clock.monotonic() - begun))
    const callOff = clock.after(10, () => fired.push(-1))
    callOff()
    await clock.sleep(120)
    expect(fired).toHaveLength(1)
    expect(fired[0]).toBeGreaterThanOrEqual(30)
  })

  it("ends a sleep with the abort's own reason", async () => {
    const clock = createSystemClock()
    const controller = new AbortController()
    const sleeping = clock.sleep(60_000, controller.signal)
    const reason = new Error("enough")
    controller.abort(reason)
    await expect(sleeping).rejects.toBe(reason)
    await expect(clock.sleep(1, controller.signal)).rejects.toBe(reason)
  })
})
