import { describe, expect, it } from "vitest"
import { createDeadline } from "../../../core/kernel/deadline.ts"
import { ActiveCall } from "../../../core/kernel/pipeline/active-call.ts"
import { Rest } from "../../../core/kernel/rest.ts"
import type { ChangeListener, Topic } from "../../../core/kernel/signals.ts"
import { messageTools } from "../../../core/messages/tools.ts"
import { FakeClock } from "../../support/fake-clock.ts"

const observe = messageTools.find(({ name }) => name === "observe_session_messages")

function resting() {
  const clock = new FakeClock()
  const listening = new Map<ChangeListener, readonly Topic[]>()
  const signals = {
    notify: () => undefined,
    listen: (topics: readonly Topic[], listener: ChangeListener) => void listening.set(listener, topics),
    unlisten: (listener: ChangeListener) => void listening.delete(listener),
    wait: async () => false,
  }
  const active = new ActiveCall(createDeadline(clock, { wholeMs: 60_000, receivedAt: 0 }))
  if (observe !== undefined) active.enter(observe)
  const rest = new Rest({ ports: { clock, signals }, topics: ["board:x"], since: 7 }).atMost(1_000)
  let resumed = 0
  const resume = (): void => {
    resumed += 1
  }
  return { clock, listening, active, rest, resume, resumed: () => resumed }
}

describe("a call at rest", () => {
  it("is woken once by whatever comes first, and listens no more", async () => {
    for (const cause of ["change", "shutdown", "time"]) {
      const { clock, listening, active, rest, resume, resumed } = resting()
      expect([...listening.values()]).toEqual([["board:x"]])
      rest.sleep(active, resume)
      expect(resumed()).toBe(0)
      if (cause === "change") rest.changed()
      if (cause === "shutdown") active.abort("shutdown")
      if (cause === "time") await clock.advance(1_000)
      expect(resumed()).toBe(1)
      expect(listening.size).toBe(0)
      rest.changed()
      active.abort("client_gone")
      await clock.advance(10_000)
      expect(resumed()).toBe(1)
    }
  })

  it("does not sleep where something changed, or its call was to end, since it was made", () => {
    const changed = resting()
    changed.rest.changed()
    changed.rest.sleep(changed.active, changed.resume)
    expect(changed.resumed()).toBe(1)
    const gone = resting()
    gone.active.abort("client_gone")
    gone.rest.sleep(gone.active, gone.resume)
    expect(gone.resumed()).toBe(1)
    expect(gone.listening.size).toBe(0)
  })
})
