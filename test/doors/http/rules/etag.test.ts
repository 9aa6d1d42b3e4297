import { describe, expect, it } from "vitest"
import { entityTag, isUnmodified } from "../../../../adapters/http/etag.ts"

describe("entity tags", () => {
  const etag = entityTag(new TextEncoder().encode("{}\n"))
  const holds = (...lines: string[]) =>
    isUnmodified(
      lines.flatMap((line) => ["If-None-Match", line]),
      etag,
    )

  it("is 32 hex characters of the SHA-256 of the bytes", () => {
    expect(etag).toBe('"ca3d163bab055381827226140568f3be"')
  })

  it("D32: matches in a list, weakly and by a star, and no other tag", () => {
    expect([holds(`"zzz", ${etag}`), holds(`W/${etag}`), holds("*"), holds('"zzz"')]).toEqual([true, true, true, false])
    expect([holds('"zzz"', etag), holds(), holds(etag.slice(1, -1)), holds("*", '"zzz"')]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})
