import { describe, expect, it } from "vitest"
import { readStatedLimits } from "../../../../adapters/mcp/meta.ts"

describe("limits that a caller states in _meta", () => {
  it.each([
    [undefined, { deadlineMs: 50_000 }],
    [{}, { deadlineMs: 50_000 }],
    [{ "holdfast/deadline-ms": 120_000 }, { deadlineMs: 120_000 }],
    [{ "holdfast/deadline-ms": 1 }, { deadlineMs: 1_000 }],
    [{ "holdfast/deadline-ms": 999_999_999 }, { deadlineMs: 600_000 }],
    [{ "holdfast/deadline-ms": "1000" }, { deadlineMs: 50_000 }],
    [{ "holdfast/deadline-ms": 1500.5 }, { deadlineMs: 50_000 }],
    [{ "holdfast/deadline-ms": null }, { deadlineMs: 50_000 }],
    [{ "holdfast/max-chars": 2_000 }, { deadlineMs: 50_000, replyLimit: 2_000 }],
    [{ "holdfast/max-chars": 1 }, { deadlineMs: 50_000, replyLimit: 1_000 }],
    [{ "holdfast/max-chars": 9e9 }, { deadlineMs: 50_000, replyLimit: 4_000_000 }],
  ])("%j", (meta, limits) => {
    expect(readStatedLimits(meta, 50_000)).toEqual(limits)
  })
})
