import { describe, expect, it } from "vitest"
import { clientAddress } from "../../../../adapters/http/client-address.ts"
import { callKey } from "../../../../adapters/http/idempotency-key.ts"
import { readPreferences } from "../../../../adapters/http/preferences.ts"
import { requestId, retryAfterSecs } from "../../../../adapters/http/reply.ts"
import { WindowCounter } from "../../../../adapters/http/window-counter.ts"

describe("preferences", () => {
  it("D20: wait sets the deadline half a second early and is echoed", () => {
    expect(readPreferences(["Prefer", "wait=90"])).toEqual({ deadlineMs: 89_500, applied: "wait=90" })
  })

  it("reads several names and lines, clamps, and lets the first of two count", () => {
    expect(readPreferences(["prefer", 'respond-async, Max-Chars="5"', "Prefer", "wait=9999; x=y, wait=3"])).toEqual({
      deadlineMs: 599_500,
      replyLimit: 1000,
      applied: "wait=600, max-chars=1000",
    })
    expect(readPreferences(["Prefer", "wait=0"]).deadlineMs).toBe(500)
  })

  it("ignores what cannot be parsed", () => {
    for (const value of ["wait", "wait=", "wait=-5", "wait=2.5", "wait=1e3", "max-chars=many", "="])
      expect(readPreferences(["Prefer", value]), value).toEqual({})
  })
})

describe("call keys", () => {
  const key = "0123456789abcdef"
  it("takes one header of 16..128 visible characters", () => {
    expect(callKey([])).toBeUndefined()
    expect(callKey(["Idempotency-Key", key])).toBe(key)
    expect(callKey(["Idempotency-Key", "x".repeat(128)])).toHaveLength(128)
  })

  it("refuses any other as idempotency_key_invalid", () => {
    const faults = [[key.slice(1)], ["x".repeat(129)], [`${key} x`], [`${key}é`], [key, key], [""]]
    for (const values of faults)
      expect(() => callKey(values.flatMap((value) => ["Idempotency-Key", value]))).toThrow(
        expect.objectContaining({ kind: "idempotency_key_invalid" }),
      )
  })
})

describe("request facts", () => {
  it("takes the caller's request id only when well formed", () => {
    expect(requestId(["X-Request-Id", "a.b-C_9"], () => "minted")).toBe("a.b-C_9")
    for (const bad of ["", "x".repeat(65), "a b", "a\u00e9"])
      expect(requestId(["X-Request-Id", bad], () => "minted")).toBe("minted")
    expect(requestId(["X-Request-Id", "a", "X-Request-Id", "b"], () => "minted")).toBe("minted")
  })

  it("believes X-Forwarded-For only as far as proxies are trusted", () => {
    const from = (value: string, trustProxy: number) =>
      clientAddress({ rawHeaders: ["X-Forwarded-For", value], remoteAddress: "10.0.0.1" }, trustProxy)
    expect(from("1.1.1.1", 0)).toBe("10.0.0.1")
    expect(from("6.6.6.6, 1.1.1.1", 1)).toBe("1.1.1.1")
    expect(from("6.6.6.6, 1.1.1.1, 2.2.2.2", 2)).toBe("1.1.1.1")
    expect(from("1.1.1.1", 3)).toBe("1.1.1.1")
    expect(from("nonsense", 1)).toBe("10.0.0.1")
    expect(clientAddress({ rawHeaders: [], remoteAddress: "10.0.0.1" }, 1)).toBe("10.0.0.1")
  })

  it("rounds waits up to whole seconds and gives none where waiting is no cure", () => {
    expect(retryAfterSecs({ recovery: "retry_later", retry_after_ms: 1001 })).toBe(2)
    expect(retryAfterSecs({ recovery: "retry_later" })).toBe(1)
    expect(retryAfterSecs({ recovery: "fix_input" })).toBeUndefined()
  })

  it("shares one count among names beyond its capacity", () => {
    const counter = new WindowCounter({ monotonic: () => 0 }, 2)
    expect(["a", "b", "c", "d", "a"].map((name) => counter.count(name))).toEqual([1, 1, 1, 2, 2])
  })
})
