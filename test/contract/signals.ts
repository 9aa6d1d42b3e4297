import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Signals } from "../../core/kernel/signals.ts"

/** Signals of one process, and a way to change stored state from another connection. */
export interface SignalsUnderTest {
  readonly signals: Signals
  /** Commits a change of this process, without any `notify`. */
  commitHere(): Promise<void>
  /** Commits a change from another connection, as another process does. */
  commitElsewhere(): Promise<void>
  close(): Promise<void>
}

/** What every adapter of the `Signals` port must do (design §6). */
export function signalsContract(name: string, open: () => Promise<SignalsUnderTest>): void {
  describe(`Signals: ${name}`, () => {
    let under: SignalsUnderTest | undefined
    beforeEach(async () => {
      under = await open()
    })
    afterEach(async () => {
      await under?.close()
    })
    const current = (): SignalsUnderTest => {
      if (under === undefined) throw new Error("no signals are open")
      return under
    }
    const wait = (topic: `${string}:${string}`, timeoutMs = 10_000) => current().signals.wait([topic], { timeoutMs })

    it("wakes those who wait for the topic, at once, and nobody else", async () => {
      const { signals } = current()
      const other = wait("job:b", 300)
      const both = signals.wait(["job:x", "job:a"], { timeoutMs: 10_000 })
      const begun = performance.now()
      const woken = Promise.all([wait("job:a"), both])
      signals.notify("job:a")
      expect(await woken).toEqual([true, true])
      expect(performance.now() - begun).toBeLessThan(250)
      expect(await other).toBe(false)
    })

    it("keeps nothing for later: a change before the wait does not wake it", async () => {
      current().signals.notify("job:a")
      expect(await wait("job:a", 150)).toBe(false)
    })

    it("wakes within 250 ms when another process has committed", async () => {
      const waiting = wait("job:a")
      await new Promise((resolve) => setTimeout(resolve, 120))
      const begun = performance.now()
      await current().commitElsewhere()
      expect(await waiting).toBe(true)
      // The machine that runs tests may be loaded; a waiter that was never woken would take 10 s.
      expect(performance.now() - begun).toBeLessThan(2000)
    })

    it("misses no commit of another process that comes right after the wait began", async () => {
      const waiting = wait("job:a")
      await current().commitElsewhere()
      expect(await waiting).toBe(true)
    })

    it("is not woken by commits of this process, which notifies by topic", async () => {
      const waiting = wait("job:a", 500)
      await current().commitHere()
      expect(await waiting).toBe(false)
    })

    it("rejects with the abort's reason, before and during a wait", async () => {
      const { signals } = current()
      const controller = new AbortController()
      const waiting = signals.wait(["job:a"], { timeoutMs: 10_000, signal: controller.signal })
      const reason = new Error("the caller left")
      controller.abort(reason)
      await expect(waiting).rejects.toBe(reason)
      const late = signals.wait(["job:a"], { timeoutMs: 10_000, signal: controller.signal })
      await expect(late).rejects.toBe(reason)
    })

    it("answers at once when there is no time to wait", async () => {
      expect(await wait("job:a", 0)).toBe(false)
    })
  })
}
