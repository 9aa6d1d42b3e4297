import { HoldfastError } from "./error.ts"
import type { TokenSource } from "./http.ts"
import type { RetryOptions } from "./types.ts"

/** A retry policy with every field filled in. */
export interface RetryPolicy {
  readonly max: number
  readonly minDelayMs: number
  readonly maxDelayMs: number
}

/** A `configuration_invalid` error that names the option. */
export function invalidOption(option: string, sentence: string): HoldfastError {
  return new HoldfastError({
    kind: "configuration_invalid",
    message: `${option} ${sentence}.`,
    recovery: "fix_input",
    details: { option },
  })
}

function wholeNumber(option: string, value: number, [min, max]: readonly [number, number]): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw invalidOption(option, `must be a whole number from ${min} to ${max}`)
}

/** Checks `timeoutMs` (spec doors.md §5.1). */
export function timeoutOption(value: number): number {
  return wholeNumber("timeoutMs", value, [1_000, 600_000])
}

/** Checks `retry` and fills in its defaults; `false` = no repeats. */
export function retryOption(value: RetryOptions | false | undefined): RetryPolicy {
  const { max = 2, minDelayMs = 250, maxDelayMs = 8_000 } = value === false ? { max: 0 } : (value ?? {})
  return {
    max: wholeNumber("retry.max", max, [0, 10]),
    minDelayMs: wholeNumber("retry.minDelayMs", minDelayMs, [0, maxDelayMs]),
    maxDelayMs: wholeNumber("retry.maxDelayMs", maxDelayMs, [0, 600_000]),
  }
}

/** Checks `baseUrl`: absolute, http(s), plain http only on loopback unless allowed. Returned with a trailing slash. */
export function baseUrlOption(value: string, allowInsecure: boolean): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash) {
    throw invalidOption("baseUrl", "must be an http or https URL without credentials, query or hash")
  }
  const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol === "http:" && !loopback && !allowInsecure) {
    throw invalidOption("baseUrl", "needs https, or allowInsecure")
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/"
  return url
}

/** Checks `token`: what a header can carry, so that no runtime ever repeats it in a complaint. */
export function tokenOption(value: TokenSource | undefined): TokenSource {
  if (typeof value === "function" || (value !== undefined && /^[!-~]+$/.test(value))) return value
  throw invalidOption(
    "token",
    `${value ? "must be" : "is missing or empty: give"} a function or visible ASCII characters`,
  )
}

/** Checks `idempotencyKey` (spec doors.md §2.5). */
export function keyOption(value: string | undefined): string | undefined {
  if (value === undefined || /^[!-~]{16,128}$/.test(value)) return value
  throw invalidOption("idempotencyKey", "must be 16 to 128 visible ASCII characters")
}

/** Checks `onAbort`. */
export function onAbortOption(value: "cancel" | "leave" = "cancel"): "cancel" | "leave" {
  if (value === "cancel" || value === "leave") return value
  throw invalidOption("onAbort", "must be cancel or leave")
}
