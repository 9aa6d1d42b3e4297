import assert from "node:assert/strict"
import { test } from "node:test"
import { formatDuration } from "../src/durations.js"

test("minutes and seconds", () => {
  assert.equal(formatDuration(90_000), "1m 30s")
})

test("less than a second", () => {
  assert.equal(formatDuration(999), "0s")
})

test("refuses what is no duration", () => {
  assert.throws(() => formatDuration(-1), RangeError)
})
