import { describe, expect, it } from "vitest"
import { createIds } from "../../../core/kernel/ids.ts"
import { boundEvent, isRepositoryEdit } from "../../../core/ledger/bounds.ts"
import { canonical } from "../../../core/ledger/canonical.ts"
import { countCalls } from "../../../core/ledger/counts.ts"
import { boundFacts } from "../../../core/ledger/facts.ts"
import { finishedCalls } from "../../../core/ledger/finished-call.ts"
import { acceptedPath, boundPaths } from "../../../core/ledger/paths.ts"
import { redactEvent } from "../../../core/ledger/redact-event.ts"
import { finishedDraft, finishedEvent } from "./drafts.ts"

const ids = createIds()

describe("paths that an event keeps", () => {
  it("S32: keeps only project-relative paths of at most 512 bytes, normalised, unique, counted", () => {
    const named = ["/etc/x", "../y", "file://z", "a\\b", "src/a.rs", "./src//b.rs", "x".repeat(513)]
    expect(boundPaths(named, named.length)).toEqual({ paths: ["src/a.rs", "src/b.rs"], total: 2 })
  })

  it("refuses control characters, home, drives and empty paths", () => {
    for (const path of ["a\u0007b", "~/x", "C:/x", "", ".", "a/../b", "http://h/x"]) {
      expect(acceptedPath(path)).toBeUndefined()
    }
    expect(acceptedPath("x".repeat(512))).toBe("x".repeat(512))
    expect(acceptedPath(" a b ")).toBe(" a b ")
  })

  it("keeps 200 and counts all; trusts the count of a list that was cut before", () => {
    const many = Array.from({ length: 250 }, (_, index) => `f${index}`)
    expect(boundPaths(many, 250)).toEqual({ paths: many.slice(0, 200), total: 250 })
    expect(boundPaths(many.slice(0, 200), 900).total).toBe(900)
    expect(boundPaths(["a", "./a", "b"], 3)).toEqual({ paths: ["a", "b"], total: 2 })
  })
})

describe("bounds of an event", () => {
  it("keeps 16 facts, 120 characters and 8 entries", () => {
    const facts = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, index]))
    expect(Object.keys(boundFacts(facts))).toHaveLength(16)
    expect(boundFacts({ a: "😀".repeat(121), b: Array.from({ length: 9 }, () => "x") })).toEqual({
      a: "😀".repeat(120),
      b: Array.from({ length: 8 }, () => "x"),
    })
  })

  it("only explore tools leave observed paths", () => {
    const over = { observed_paths: ["a"], observed_total: 1 }
    const read = boundEvent(finishedEvent(1, over))
    const listed = boundEvent(finishedEvent(1, { ...over, activity: "enumerate" }))
    expect(read).toMatchObject({ observed_paths: ["a"], observed_total: 1 })
    expect(listed).toMatchObject({ observed_paths: [], observed_total: 0 })
  })

  it("an event over 32,768 bytes loses observed paths, then changed paths, never totals", () => {
    const paths = Array.from({ length: 200 }, (_, index) => `${String(index).padStart(4, "0")}${"x".repeat(200)}`)
    const over = { observed_paths: paths, observed_total: 200, changed_paths: paths, changed_total: 200 }
    const bound = boundEvent(finishedEvent(1, over))
    if (bound.kind !== "tool_call_finished") throw new Error("another kind")
    expect(Buffer.byteLength(JSON.stringify(bound))).toBeLessThanOrEqual(32_768)
    expect(bound.observed_paths).toEqual([])
    expect(bound.changed_paths.length).toBeGreaterThan(100)
    expect(bound.changed_paths).toEqual(paths.slice(0, bound.changed_paths.length))
    expect([bound.observed_total, bound.changed_total]).toEqual([200, 200])
  })

  it("failure items of a validation go last", () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ name: `${index}${"n".repeat(600)}` }))
    const bound = boundEvent(finishedEvent(1, { validation: { tool: "vitest", failures: { total: 100, items } } }))
    if (bound.kind !== "tool_call_finished") throw new Error("another kind")
    expect(Buffer.byteLength(JSON.stringify(bound))).toBeLessThanOrEqual(32_768)
    expect(bound.validation).toMatchObject({ tool: "vitest", failures: { total: 100 } })
  })

  it("S30: only a succeeded edit or validation that changed content is a repository edit", () => {
    const edit = { activity: "edit", effect: "mutate", evidence: { state_changed: true } } as const
    expect(isRepositoryEdit(finishedEvent(1, edit))).toBe(true)
    expect(isRepositoryEdit(finishedEvent(1, { ...edit, activity: "validate" }))).toBe(true)
    expect(isRepositoryEdit(finishedEvent(1, { ...edit, evidence: { state_changed: false } }))).toBe(false)
    expect(isRepositoryEdit(finishedEvent(1, { ...edit, evidence: {} }))).toBe(false)
    expect(isRepositoryEdit(finishedEvent(1, { ...edit, status: "failed" }))).toBe(false)
    expect(isRepositoryEdit(finishedEvent(1, { ...edit, activity: "vcs" }))).toBe(false)
    expect(isRepositoryEdit(finishedEvent(1, { ...edit, activity: "execute" }))).toBe(false)
  })
})

describe("canonical view and counts", () => {
  const invocation_id = ids.invocation()
  const recorder = finishedEvent(3, { invocation_id, role: "recorder" })
  const business = finishedEvent(4, { invocation_id, role: "business" })

  it("an exact pair of both roles is its business member; the view of the view is itself", () => {
    const events = [finishedEvent(1), recorder, business]
    expect(canonical(events)).toEqual([events[0], business])
    expect(canonical(canonical(events))).toEqual(canonical(events))
  })

  it("every other group keeps all members", () => {
    const failed = finishedEvent(4, { invocation_id, status: "failed", error: { kind: "not_found", recovery: "none" } })
    const third = finishedEvent(5, { invocation_id })
    const sameCall = finishedEvent(4, { invocation_id, call_id: recorder.call_id })
    expect(canonical([recorder, failed])).toHaveLength(2)
    expect(canonical([recorder, business, third])).toHaveLength(3)
    expect(canonical([recorder, sameCall])).toHaveLength(2)
    expect(canonical([recorder])).toEqual([recorder])
  })

  it("S25: a recorder that failed and a business that succeeded are two calls", () => {
    const failed = finishedEvent(3, {
      invocation_id,
      role: "recorder",
      status: "failed",
      error: { kind: "internal_error", recovery: "reobserve" },
    })
    expect(countCalls(finishedCalls([failed, business]))).toMatchObject({ tool_calls: 2, succeeded: 1, failed: 1 })
  })

  it("unknown and refused calls are parts of failed; unreadable rows enter no count", () => {
    const unknown = finishedEvent(1, {
      status: "failed",
      effect: "execute",
      activity: "execute",
      error: { kind: "outcome_unknown", recovery: "reobserve" },
    })
    const refused = finishedEvent(2, {
      status: "failed",
      effect: "mutate",
      activity: "edit",
      error: { kind: "session_guard_denied", recovery: "none", execution_state: "not_started" },
    })
    const events = [unknown, refused, finishedEvent(3), { kind: "unreadable" as const, seq: 4, event_id: ids.event() }]
    const counts = countCalls(finishedCalls(events))
    expect(counts).toEqual({
      tool_calls: 3,
      succeeded: 1,
      failed: 2,
      outcome_unknown: 1,
      refused: 1,
      by_effect: { observe: 1, mutate: 1, execute: 1 },
      by_activity: {
        explore: 1,
        enumerate: 0,
        review: 0,
        edit: 1,
        vcs: 0,
        execute: 1,
        validate: 0,
        session: 0,
        other: 0,
      },
    })
  })
})

describe("redaction of an event", () => {
  it("masks every free string, in lists and open members too, and leaves ids, names and closed words", () => {
    const draft = finishedDraft({
      facts: { kind: "secret", list: ["a secret"] },
      changed_paths: ["secret/f"],
      changed_total: 1,
    })
    const masked = redactEvent({ ...draft, tool_name: "secret", kind: "tool_call_finished" }, (text) =>
      text.replaceAll("secret", "[redacted:x]"),
    )
    expect(masked).toEqual({
      ...draft,
      tool_name: "secret",
      facts: { kind: "[redacted:x]", list: ["a [redacted:x]"] },
      changed_paths: ["[redacted:x]/f"],
    })
  })
})
