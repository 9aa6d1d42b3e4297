import { ToolError } from "../../../../../core/kernel/error.ts"
import type { Gateway } from "./gateway.ts"

/** A way that is made when it is first gone; while it cannot be made, nobody gets through. */
export function lazyGateway(make: () => Promise<Gateway>): Gateway {
  let made: Gateway | undefined
  let making: Promise<Gateway> | undefined

  async function get(): Promise<Gateway> {
    making ??= make()
    try {
      made = await making
      return made
    } catch (error) {
      making = undefined
      throw error
    }
  }

  return {
    get life() {
      return made?.life
    },
    link: async () => (await get()).link(),
    side: async () => (await get()).side(),
    isHealthy: async () => made !== undefined && (await made.isHealthy()),
    dropped: () => made?.dropped(),
    renew: () => made?.renew(),
    explain(end) {
      if (made !== undefined) return made.explain(end)
      return new ToolError("runner_unavailable", "The target cannot be reached now. Try again later.", {
        executionState: "not_started",
      })
    },
    close: () => made?.close(),
  }
}
