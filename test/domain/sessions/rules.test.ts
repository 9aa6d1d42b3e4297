import { describe, expect, it } from "vitest"
import { createIds } from "../../../core/kernel/ids.ts"
import { checkContext, executionContextInputSchema } from "../../../core/sessions/context.ts"
import type { WorkflowSession } from "../../../core/sessions/record.ts"
import {
  accepted,
  cutTitle,
  decideClose,
  decideResume,
  decideStart,
  type StartCommand,
} from "../../../core/sessions/rules.ts"
import { titleInputSchema } from "../../../core/sessions/title.ts"

const ids = createIds()
const none = { deny_write_tools: false, deny_shell_tools: false }
const both = { deny_write_tools: true, deny_shell_tools: true }
const command: StartCommand = { sessionId: ids.session(), ownerFingerprint: "0".repeat(64), at: 1_000 }
const room = { active: 0, max: 10 }

const session = (over: Partial<WorkflowSession> = {}): WorkflowSession => ({
  ...accepted(decideStart({ ...command, projectPk: ids.projectPk() }, room)),
  ...over,
})

/** Kind and details of what a call throws. */
function refusal(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    if (error instanceof Error && "kind" in error && "details" in error) return [error.kind, error.details]
    throw error
  }
  return undefined
}

describe("execution defaults", () => {
  it.each([
    ["src/./lib//", "src/lib"],
    ["./", "."],
    ["pkg/...", "pkg/..."],
    [" a ", " a "],
  ])("S5: the folder %j is kept as %j", (given, kept) => {
    expect(checkContext({ default_cwd: given })).toEqual({ default_cwd: kept })
  })

  it.each([
    ["../x", "traversal"],
    ["a/../b", "traversal"],
    ["/abs", "absolute"],
    ["~/x", "absolute"],
    ["C:\\x", "absolute"],
    ["a\\b", "backslash"],
    ["file:/x", "uri"],
    ["http://h/x", "uri"],
    ["a\u0007b", "control"],
    ["é".repeat(2049), "too_long"],
    ["/a\u0085b", "control"],
  ])("S6: the folder %j is refused, reason %s", (given, reason) => {
    expect(refusal(() => checkContext({ default_cwd: given }))).toEqual([
      "invalid_execution_context",
      { field: "default_cwd", reason },
    ])
  })

  it("S7: with a resource the folder is a remote path and stays as given", () => {
    const remote = { resource: "box", default_cwd: "/srv/app" }
    expect(checkContext(remote)).toEqual(remote)
    expect(refusal(() => checkContext({ default_cwd: "/srv/app" }))).toEqual([
      "invalid_execution_context",
      { field: "default_cwd", reason: "absolute" },
    ])
  })

  it("S8: a resource has a plain name of 1 to 80 characters", () => {
    expect(checkContext({ resource: "box-1.a_b" })).toEqual({ resource: "box-1.a_b" })
    for (const resource of ["a..b", "-x"]) {
      expect(refusal(() => checkContext({ resource }))).toEqual([
        "invalid_execution_context",
        { field: "resource", reason: "name" },
      ])
    }
    for (const resource of ["a".repeat(81), ""]) {
      expect(executionContextInputSchema.safeParse({ resource }).success).toBe(false)
    }
  })
})

describe("start", () => {
  it("S3: a title is 1 to 200 characters on one line and not only white space", () => {
    expect(titleInputSchema.safeParse("😀".repeat(200)).success).toBe(true)
    expect(titleInputSchema.safeParse("😀".repeat(201)).success).toBe(false)
    expect(titleInputSchema.safeParse("   ").success).toBe(false)
    expect(titleInputSchema.safeParse("a\nb").success).toBe(false)
    expect(cutTitle("😀".repeat(201))).toBe("😀".repeat(200))
  })

  it("S4: a Session without Project takes no execution context, an empty one is none", () => {
    expect(decideStart({ ...command, context: { default_shell: "sh" } }, room).denied?.kind).toBe(
      "session_execution_context_requires_project",
    )
    expect(decideStart({ ...command, context: {} }, room).value?.lifecycle).toBe("active")
  })

  it("S14: read_only means both guards, whatever was asked", () => {
    expect(decideStart({ ...command, mode: "read_only", guards: none }, room).value?.guards).toEqual(both)
  })

  it("S40: at the limit nothing is made", () => {
    const { denied } = decideStart(command, { active: 10, max: 10 })
    expect([denied?.kind, denied?.details]).toEqual(["session_capacity_exceeded", { max: 10 }])
    expect(decideStart(command, { active: 9, max: 10 }).value?.sessionId).toBe(command.sessionId)
  })
})

describe("close", () => {
  it("S17: the first close sets the time, a repeat keeps it", () => {
    const first = decideClose(session(), 2_000)
    const second = decideClose(first.session, 3_000)
    expect(first).toMatchObject({ alreadyClosed: false, session: { lifecycle: "closed", closedAt: 2_000 } })
    expect(second).toMatchObject({ alreadyClosed: true, session: { closedAt: 2_000 } })
  })
})

describe("resume", () => {
  it("the same mode never loosens, an absent mode changes nothing", () => {
    const guards = { deny_write_tools: false, deny_shell_tools: true }
    const stored = session({ guards })
    expect(decideResume(stored, { mode: "normal", mayWrite: true }).value?.session.guards).toEqual(guards)
    const kept = decideResume(stored, { mayWrite: true }).value
    expect(kept).toEqual({ session: stored, capabilityChanged: false, contextChanged: false })
  })

  it("read_only switches both guards on", () => {
    const { value } = decideResume(session(), { mode: "read_only", mayWrite: false })
    expect(value).toMatchObject({ session: { mode: "read_only", guards: both }, capabilityChanged: true })
  })

  it("S44: normal lifts the guards of a read_only Session for a caller with project:write, and for no other", () => {
    const stored = session({ mode: "read_only", guards: both })
    expect(decideResume(stored, { mode: "normal", mayWrite: true }).value).toMatchObject({
      session: { mode: "normal", guards: none },
      capabilityChanged: true,
    })
    const { denied } = decideResume(stored, { mode: "normal", mayWrite: false })
    expect([denied?.kind, denied?.details]).toEqual([
      "session_capability_upgrade_denied",
      { required_scope: "project:write", mode: "read_only", state_changed: false },
    ])
  })

  it("an omitted context keeps, an empty one clears, another one replaces the whole", () => {
    const stored = session({ context: { default_cwd: "src", default_shell: "sh" } })
    expect(decideResume(stored, { mayWrite: true }).value?.session.context).toEqual(stored.context)
    expect(decideResume(stored, { context: {}, mayWrite: true }).value).toMatchObject({ contextChanged: true })
    const { value } = decideResume(stored, { context: { default_cwd: "x" }, mayWrite: true })
    expect(value?.session.context).toEqual({ default_cwd: "x" })
  })

  it("a closed Session is not resumed", () => {
    const closed = decideClose(session(), 2_000).session
    expect(decideResume(closed, { mayWrite: true }).denied?.kind).toBe("session_closed")
  })
})
