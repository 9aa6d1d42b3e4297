import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { reportProgress, type SendProgress } from "../../../../adapters/mcp/progress.ts"

type Notice = Parameters<SendProgress>[0]

const clock = { now: () => Date.now(), monotonic: () => Date.now(), sleep: async () => undefined }

describe("progress of one call", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("comes by itself within 10 s and then at least every 10 s, strictly rising", () => {
    const sent: Notice[] = []
    const reporter = reportProgress(clock, async (notice) => {
      sent.push(notice)
    })
    vi.advanceTimersByTime(35_000)
    reporter.stop()
    expect(sent.map(({ progress }) => progress)).toEqual([8, 16, 24, 32])
    expect(sent.every(({ message }) => message === "running")).toBe(true)
  })

  it("is sent at most once a second, with the newest text, cut to 120 characters", () => {
    const sent: Notice[] = []
    const reporter = reportProgress(clock, async (notice) => {
      sent.push(notice)
    })
    for (let tenth = 1; tenth <= 30; tenth += 1) {
      vi.advanceTimersByTime(100)
      reporter.update(`${tenth} ${"x".repeat(200)}`)
    }
    expect(sent.map(({ progress }) => progress)).toEqual([1, 2, 3])
    expect(sent[2]?.message).toBe(`30 ${"x".repeat(117)}`)
    reporter.stop()
  })

  it("says nothing after the result, and a notification that fails changes nothing", async () => {
    let attempts = 0
    const reporter = reportProgress(clock, async () => {
      attempts += 1
      throw new Error("closed")
    })
    await vi.advanceTimersByTimeAsync(8_000)
    expect(attempts).toBe(1)
    reporter.stop()
    reporter.update("late")
    await vi.advanceTimersByTimeAsync(60_000)
    expect(attempts).toBe(1)
  })
})
