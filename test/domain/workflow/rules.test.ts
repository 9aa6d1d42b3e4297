import { describe, expect, it } from "vitest"
import { unknownWorkspace, type WorkspaceFacts } from "../../../core/git/workspace-facts.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { workInputSchema } from "../../../core/workflow/input.ts"
import { readinessOf } from "../../../core/workflow/readiness.ts"
import { decideSource, namesDirectory } from "../../../core/workflow/source.ts"

const sessionId = createIds().session()

function refusal(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    if (error instanceof Error && "details" in error) return error.details
  }
  return undefined
}

describe("source rule of work_on_project", () => {
  it("takes one source, or the Project of the Session", () => {
    expect(decideSource({ mode: "checkout", project: "a" })).toEqual({ kind: "project" })
    expect(decideSource({ mode: "checkout", client_id: "local", path: "/p" })).toEqual({
      kind: "path",
      clientId: "local",
      path: "/p",
    })
    expect(decideSource({ mode: "checkout", session_id: sessionId })).toEqual({ kind: "session" })
    expect(decideSource({ mode: "worktree", client_id: "local", path: "/p" })).toEqual({ kind: "worktree" })
    expect(decideSource({ mode: "worktree", worktree_id: "w" })).toEqual({ kind: "worktree" })
  })

  it.each([
    [{ mode: "checkout", project: "a", client_id: "local" }, ["client_id", "project"]],
    [{ mode: "checkout", project: "a", client_id: "local", path: "/p" }, ["client_id", "path", "project"]],
    [{ mode: "checkout", project: "a", base_ref: "main" }, ["base_ref", "mode"]],
    [{ mode: "worktree", project: "a" }, ["mode", "project"]],
    [{ mode: "checkout", worktree_id: "w" }, ["mode", "worktree_id"]],
    [{ mode: "worktree", worktree_id: "w", path: "/p" }, ["path", "worktree_id"]],
  ] as const)("%j is a conflict of %j", (input, fields) => {
    expect(refusal(() => decideSource(input))).toMatchObject({ conflicting_fields: fields })
  })

  it.each([
    [{ mode: "checkout", client_id: "local" }, ["path"]],
    [{ mode: "checkout", path: "/p" }, ["client_id"]],
    [{ mode: "checkout" }, ["project"]],
    [{ mode: "worktree", session_id: sessionId }, ["path"]],
  ] as const)("%j misses %j", (input, fields) => {
    expect(refusal(() => decideSource(input))).toMatchObject({ missing_fields: fields })
  })

  it("only a directory or worktree needs the right to register", () => {
    expect(namesDirectory({ mode: "checkout", project: "a" })).toBe(false)
    expect(namesDirectory({ mode: "checkout", path: "/p" })).toBe(true)
    expect(namesDirectory({ mode: "worktree" })).toBe(true)
  })
})

describe("input of work_on_project", () => {
  const accepts = (over: object): boolean => workInputSchema.safeParse({ instruction: "x", ...over }).success

  it("an instruction is 1 to 4000 characters after trimming", () => {
    expect(accepts({ instruction: "a".repeat(4001) })).toBe(false)
    expect(accepts({ instruction: "😀".repeat(4000) })).toBe(true)
    expect(accepts({ instruction: ` ${"a".repeat(4000)}\n` })).toBe(true)
    expect(accepts({ instruction: "   " })).toBe(false)
    expect(accepts({ instruction: "a".repeat(9000) })).toBe(false)
  })

  it("bounds path, ref, worktree and profile", () => {
    expect(accepts({ path: "/p" })).toBe(true)
    for (const path of ["p", "", "/a\nb", `/${"é".repeat(2048)}`, 7]) expect(accepts({ path })).toBe(false)
    for (const base_ref of ["-x", "a\0b", "", "é".repeat(513)]) expect(accepts({ base_ref })).toBe(false)
    expect(accepts({ worktree_id: "wc_wt_1" })).toBe(false)
    expect(accepts({ guidance_profile: "code_mode" })).toBe(false)
    expect(accepts({ session_id: "7" })).toBe(false)
  })
})

describe("readiness", () => {
  const clean: WorkspaceFacts = { ...unknownWorkspace("available", null), dirty: false, conflicted: false }
  const calm = { workspace: clean, baselineFailed: false, activeJobs: 0, recoveringJobs: 0 }

  it("passes without reasons, also without git", () => {
    const pass = { status: "pass", blocking: false, reasons: [] }
    expect(readinessOf(calm)).toEqual(pass)
    expect(readinessOf({ ...calm, workspace: unknownWorkspace("available", "not_git") })).toEqual(pass)
  })

  it("warns, with sorted reasons", () => {
    const facts = { workspace: { ...clean, dirty: true }, baselineFailed: true, activeJobs: 2, recoveringJobs: 1 }
    expect(readinessOf(facts)).toEqual({
      status: "warn",
      blocking: false,
      reasons: ["active_jobs_present", "git_baseline_unavailable", "jobs_recovering", "workspace_dirty"],
    })
    const unseen = { ...calm, workspace: unknownWorkspace("unavailable", "timed_out") }
    expect(readinessOf(unseen)).toMatchObject({ status: "warn", reasons: ["workspace_unavailable"] })
  })

  it("conflicts block", () => {
    const facts = { ...calm, workspace: { ...clean, dirty: true, conflicted: true } }
    expect(readinessOf(facts)).toEqual({
      status: "fail",
      blocking: true,
      reasons: ["workspace_conflicts", "workspace_dirty"],
    })
  })
})
