import { HoldfastError } from "./error.ts"
import type { RetryOptions } from "./types.ts"

/** Bounds of the time options, ms (spec doors.md §5.1). */
const TIMEOUT_MS = { min: 1_000, max: 600_000 } as const

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
    message: `${option}: ${sentence}`,
    recovery: "fix_input",
    details: { option },
  })
}

/** Checks `timeoutMs`. */
export function timeoutOption(value: number): number {
  if (!Number.isInteger(value) || value < TIMEOUT_MS.min || value > TIMEOUT_MS.max) {
    throw invalidOption("timeoutMs", `must be a whole number from ${TIMEOUT_MS.min} to ${TIMEOUT_MS.max}.`)
  }
  return value
}

/** Checks `retry` and fills in its defaults; `false` = no repeats. */
export function retryOption(value: RetryOptions | false | undefined): RetryPolicy {
  if (value === false) return { max: 0, minDelayMs: 0, maxDelayMs: 0 }
  const max = value?.max ?? 2
  const minDelayMs = value?.minDelayMs ?? 250
  const maxDelayMs = value?.maxDelayMs ?? 8_000
  if (!Number.isInteger(max) || max < 0 || max > 10)
    throw invalidOption("retry.max", "must be a whole number from 0 to 10.")
  if (!(minDelayMs >= 0 && maxDelayMs >= minDelayMs && Number.isFinite(maxDelayMs))) {
    throw invalidOption("retry.minDelayMs", "must be at least 0 and not more than retry.maxDelayMs.")
  }
  return { max, minDelayMs, maxDelayMs }
}

/** Checks `baseUrl`: absolute, http(s), plain http only on loopback unless allowed. Returned with a trailing slash. */
export function baseUrlOption(value: string, allowInsecure: boolean): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw invalidOption("baseUrl", "must be an absolute http or https URL.")
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw invalidOption("baseUrl", "must have no credentials, query or fragment.")
  }
  const loopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
  if (url.protocol === "http:" && !loopback && !allowInsecure) {
    throw invalidOption("baseUrl", "plain http leaves this machine in the clear; use https, or set allowInsecure.")
  }
  return new URL(url.pathname.endsWith("/") ? url.href : `${url.href}/`)
}
