import type { Clock } from "../../core/kernel/clock.ts"
import { ToolError } from "../../core/kernel/error.ts"
import { WindowCounter } from "./window-counter.ts"

/** Failed authentications of one address that are answered as such in a minute; later ones are `rate_limited`. */
export const FAILED_AUTHENTICATIONS_PER_MINUTE = 20

/** The two limits of step 8 of the gate (spec doors.md §2.2). */
export interface RateLimits {
  /** Counts one request of a principal; the refusal when it is over `rate_limit_per_minute`. */
  admit(principalId: string): ToolError | undefined
  /** Counts one failed authentication of an address; the refusal that replaces it when there were too many. */
  failed(address: string): ToolError | undefined
}

/** Limits of one server. A valid credential never meets the limit of failed ones. */
export function createRateLimits(clock: Pick<Clock, "monotonic">, perMinute: number): RateLimits {
  const requests = new WindowCounter(clock)
  const failures = new WindowCounter(clock)
  return {
    admit: (principalId) =>
      requests.count(principalId) > perMinute
        ? limited(`More than ${perMinute} requests in a minute by one caller.`, requests)
        : undefined,
    failed: (address) =>
      failures.count(address) > FAILED_AUTHENTICATIONS_PER_MINUTE
        ? limited("Too many failed authentications from one address in a minute.", failures)
        : undefined,
  }
}

function limited(cause: string, counter: WindowCounter): ToolError {
  const retryAfterMs = counter.remainingMs()
  return new ToolError("rate_limited", `${cause} Send the call again after retry_after_ms.`, { retryAfterMs })
}
