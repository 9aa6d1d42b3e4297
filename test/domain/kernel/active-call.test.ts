import { describe, expect, it } from "vitest"
import { jobTools } from "../../../core/jobs/tools.ts"
import { createDeadline } from "../../../core/kernel/deadline.ts"
import { ActiveCall } from "../../../core/kernel/pipeline/active-call.ts"
import { FakeClock } from "../../support/fake-clock.ts"

const [runShell] = jobTools
const running = () => new ActiveCall(createDeadline(new FakeClock(), { wholeMs: 60_000, receivedAt: 0 }))

describe("reasons heard before the handler is entered", () => {
  it("a shutdown after a lost caller still reaches a command: its first reason is the first that it heeds", () => {
    const active = running()
    active.abort("client_gone")
    active.abort("shutdown")
    expect(active.reason).toBe("client_gone")
    active.enter(runShell)
    expect(active.reason).toBe("shutdown")
    expect(active.signal.reason).toBe("shutdown")
  })

  it("a lost caller alone stops no command, which hears of a shutdown later", () => {
    const active = running()
    active.abort("client_gone")
    active.enter(runShell)
    expect(active.signal.aborted).toBe(false)
    active.abort("shutdown")
    active.abort("client_cancelled")
    expect(active.signal.reason).toBe("shutdown")
  })
})
