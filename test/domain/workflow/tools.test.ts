import { execFileSync } from "node:child_process"
import { mkdir, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { Scope } from "../../../core/access/scopes.ts"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import type { Store } from "../../../core/store.ts"
import { alice } from "../../support/callers.ts"
import { txWith } from "../../support/tx-with.ts"
import { type KernelUnderTest, startKernel, without } from "../sessions/kernel-under-test.ts"

const WORK = { project: "a", instruction: "Fix the parser.\nThen the docs." }

async function events(kernel: KernelUnderTest, session_id: unknown): Promise<readonly Record<string, unknown>[]> {
  const output = await kernel.ok("session_summary", { session_id })
  return Array.isArray(output.events) ? output.events : []
}

const sessionCount = (kernel: KernelUnderTest): Promise<number> =>
  kernel.store.read((tx) => tx.sessions.countAllActive())
const projectCount = (kernel: KernelUnderTest): Promise<number> => kernel.store.read((tx) => tx.projects.count())

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8" }).trim()
}

describe("a fresh Session", () => {
  it("two calls make two Sessions, each with exactly one task_instruction", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const made = [await kernel.ok("work_on_project", WORK), await kernel.ok("work_on_project", WORK)]
    expect(new Set(made.map(({ session_id }) => session_id)).size).toBe(2)
    for (const reply of made) {
      expect(reply).toMatchObject({ project: "a", continuation: "created", readiness: { status: "pass", reasons: [] } })
      expect(await events(kernel, reply.session_id)).toMatchObject([
        { kind: "task_instruction", seq: 1, instruction: WORK.instruction, resumed: false, redacted: false },
      ])
      expect(await kernel.ok("session_summary", { session_id: reply.session_id })).toMatchObject({
        title: "Fix the parser.",
      })
    }
  })

  it("says only what is not the default", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const plain = await kernel.ok("work_on_project", WORK)
    expect(Object.keys(plain).sort()).toEqual(["continuation", "project", "readiness", "session_id", "workspace"])
    expect(plain.workspace).toMatchObject({ status: "available", reason_code: "not_git", branch: null, dirty: null })
    const strict = await kernel.ok("work_on_project", {
      ...WORK,
      session_mode: "read_only",
      execution_context: { default_cwd: "./src//" },
    })
    expect(strict).toMatchObject({
      session_mode: "read_only",
      guards: { deny_write_tools: true, deny_shell_tools: true },
      execution_context: { default_cwd: "src" },
    })
  })

  it("sees the repository and keeps the tree that the work begins at", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const root = path.join(kernel.home, "a")
    git(root, "init", "-q", "-b", "main")
    await writeFile(path.join(root, "f"), "1\n")
    git(root, "add", "f")
    git(root, "commit", "-q", "-m", "one")
    await writeFile(path.join(root, "f"), "2\n")
    await writeFile(path.join(root, "new"), "")
    const reply = await kernel.ok("work_on_project", WORK)
    expect(reply).toMatchObject({
      workspace: {
        status: "available",
        reason_code: null,
        branch: "main",
        head: git(root, "rev-parse", "HEAD"),
        dirty: true,
        conflicted: false,
        changed_count: 1,
        untracked_count: 1,
      },
      readiness: { status: "warn", blocking: false, reasons: ["workspace_dirty"] },
    })
    const baseline = async (): Promise<unknown> =>
      await kernel.store.read(
        async (tx) => (await tx.coding.bySession(sessionIdSchema.parse(reply.session_id)))?.baselineTree,
      )
    const tree = git(root, "rev-parse", "HEAD^{tree}")
    expect(await baseline()).toBe(tree)
    git(root, "commit", "-qam", "two")
    await kernel.ok("work_on_project", { ...WORK, session_id: reply.session_id })
    expect(await baseline()).toBe(tree)
  })

  it("a secret in an instruction is masked in event, title and coding row", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const instruction = "use Bearer abcdefghijklmnop here"
    const { session_id } = await kernel.ok("work_on_project", { ...WORK, instruction })
    expect(await events(kernel, session_id)).toMatchObject([
      { instruction: "use Bearer [redacted:bearer] here", redacted: true },
    ])
    expect(() => execFileSync("grep", ["-rqa", "abcdefghijklmnop", kernel.dataDir])).toThrow()
  })
})

describe("resume", () => {
  it("continues exactly the Session named, also without any source", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const { session_id } = await kernel.ok("start_session", { project: "a", title: "kept" })
    const reply = await kernel.ok("work_on_project", { instruction: "go on", session_id })
    expect(reply).toMatchObject({ session_id, project: "a", continuation: "resumed_explicitly" })
    const [event] = await events(kernel, session_id)
    expect(event).toMatchObject({ kind: "task_instruction", seq: 2, resumed: true, capability_changed: false })
    expect(await kernel.ok("session_summary", { session_id })).toMatchObject({ title: "kept" })
  })

  it("S10: a Session of another Project is a mismatch, and nothing changes", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    await kernel.project("b")
    const { session_id } = await kernel.ok("start_session", { project: "a" })
    const named = await kernel.refused("work_on_project", { ...WORK, project: "b", session_id })
    const byPath = { client_id: "local", path: path.join(kernel.home, "b"), instruction: "x", session_id }
    const pathed = await kernel.refused("work_on_project", byPath)
    expect([named.kind, pathed.kind]).toEqual(["session_project_mismatch", "session_project_mismatch"])
    expect([await sessionCount(kernel), (await events(kernel, session_id)).length]).toEqual([1, 1])
  })

  it("a closed Session is final", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const { session_id } = await kernel.ok("start_session", { project: "a" })
    await kernel.ok("close_session", { session_id })
    expect((await kernel.refused("work_on_project", { ...WORK, session_id })).kind).toBe("session_closed")
    expect(await sessionCount(kernel)).toBe(0)
  })

  it("S44: normal lifts read_only for a caller with project:write and for no other", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const { session_id } = await kernel.ok("start_session", { project: "a", guards: { deny_shell_tools: true } })
    const mode = (session_mode: string) => ({ ...WORK, session_id, session_mode })
    expect(await kernel.ok("work_on_project", mode("normal"))).toMatchObject({
      guards: { deny_write_tools: false, deny_shell_tools: true },
    })
    await kernel.ok("work_on_project", mode("read_only"))
    expect(await kernel.refused("work_on_project", mode("normal"), { as: without(alice, "project:write") })).toEqual({
      kind: "session_capability_upgrade_denied",
      details: { required_scope: "project:write", mode: "read_only", state_changed: false },
    })
    const lifted = await kernel.ok("work_on_project", mode("normal"))
    expect([lifted.session_mode, lifted.guards]).toEqual([undefined, undefined])
    expect((await events(kernel, session_id))[0]).toMatchObject({ capability_changed: true, effective_mode: "normal" })
  })

  it("S9: a context is kept, replaced as a whole, and cleared by an empty one", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const { session_id } = await kernel.ok("work_on_project", {
      ...WORK,
      execution_context: { default_cwd: "src", default_shell: "bash" },
    })
    const resume = (over: object) => kernel.ok("work_on_project", { ...WORK, session_id, ...over })
    expect(await resume({})).toMatchObject({ execution_context: { default_cwd: "src", default_shell: "bash" } })
    expect((await resume({ execution_context: { default_cwd: "x" } })).execution_context).toEqual({ default_cwd: "x" })
    expect((await resume({ execution_context: {} })).execution_context).toBeUndefined()
    expect((await events(kernel, session_id))[0]).toMatchObject({ execution_context_changed: true })
    const refused = await kernel.refused("work_on_project", {
      ...WORK,
      session_id,
      execution_context: { default_cwd: "/x" },
    })
    expect(refused).toEqual({
      kind: "invalid_execution_context",
      details: { field: "default_cwd", reason: "absolute" },
    })
  })
})

describe("a directory", () => {
  it("is registered by the commit, and its registration is found again", async () => {
    await using kernel = await startKernel()
    const place = path.join(kernel.home, "My Repo")
    await mkdir(place)
    const call = { client_id: "local", path: place, instruction: "x" }
    expect(await kernel.ok("work_on_project", call)).toMatchObject({
      project: "my-repo",
      project_resolution: { outcome: "auto_registered", client_id: "local" },
    })
    expect(await kernel.ok("work_on_project", call)).toMatchObject({
      project: "my-repo",
      project_resolution: { outcome: "reused_existing_registration" },
    })
    expect(await projectCount(kernel)).toBe(1)
  })

  it("K43: without project:write nothing is registered; a malformed path is judged by scope first", async () => {
    await using kernel = await startKernel()
    await mkdir(path.join(kernel.home, "p"))
    const as = without(alice, "project:write")
    const call = { client_id: "local", path: path.join(kernel.home, "p"), instruction: "x" }
    expect(await kernel.refused("work_on_project", call, { as })).toMatchObject({
      kind: "insufficient_scope",
      details: { missing: ["project:write"] },
    })
    expect((await kernel.refused("work_on_project", { ...call, path: 7 }, { as })).kind).toBe("invalid_arguments")
    expect([await projectCount(kernel), await sessionCount(kernel)]).toEqual([0, 0])
  })

  it("refuses what is forbidden, missing, or a file, and registers nothing", async () => {
    await using kernel = await startKernel()
    await writeFile(path.join(kernel.home, "file"), "")
    const refusal = async (place: string) =>
      (await kernel.refused("work_on_project", { client_id: "local", path: place, instruction: "x" })).kind
    expect(await refusal("/etc")).toBe("path_not_allowed")
    expect(await refusal(kernel.home)).toBe("path_not_allowed")
    expect(await refusal(path.join(kernel.home, "file"))).toBe("path_not_allowed")
    expect(await refusal(path.join(kernel.home, "gone"))).toBe("path_not_found")
    const elsewhere = await kernel.refused("work_on_project", { client_id: "x", path: kernel.home, instruction: "x" })
    expect(elsewhere.kind).toBe("unknown_client_id")
    expect([await projectCount(kernel), await sessionCount(kernel)]).toEqual([0, 0])
  })

  it("that is no Project yet cannot be recorded in a Session of one", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    await mkdir(path.join(kernel.home, "b"))
    const { session_id } = await kernel.ok("start_session", { project: "a" })
    const call = { client_id: "local", path: path.join(kernel.home, "b"), instruction: "x" }
    const refused = await kernel.refused("work_on_project", call, { recorder: String(session_id) })
    expect(refused).toEqual({ kind: "session_project_mismatch", details: { roles: ["recorder", "request"] } })
    expect(await projectCount(kernel)).toBe(1)
  })

  it("is not registered for a credential that is limited to listed Projects", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    await kernel.project("b")
    await mkdir(path.join(kernel.home, "c"))
    const as = { ...alice, projects: ["a"] }
    const at = (name: string) => ({ client_id: "local", path: path.join(kernel.home, name), instruction: "x" })
    expect(await kernel.ok("work_on_project", at("a"), { as })).toMatchObject({ project: "a" })
    expect(await kernel.ok("work_on_project", at("./a//"), { as })).toMatchObject({ project: "a" })
    const denied = { kind: "project_access_denied", details: undefined }
    for (const name of ["b", "c", "not/there", "b/../a"]) {
      const call = { ...at("a"), path: `${kernel.home}/${name}` }
      expect(await kernel.refused("work_on_project", call, { as })).toEqual(denied)
    }
    for (const elsewhere of ["/etc", "/etc/passwd", "/nowhere"]) {
      expect(await kernel.refused("work_on_project", { ...at("a"), path: elsewhere }, { as })).toEqual(denied)
      const scopes = new Set<Scope>([...alice.scopes, "project:write"])
      expect(await kernel.refused("register_project", { path: elsewhere }, { as: { ...as, scopes } })).toEqual(denied)
    }
  })
})

describe("refusals that change nothing", () => {
  it("worktrees are not available", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const place = { client_id: "local", path: path.join(kernel.home, "a") }
    for (const source of [
      { mode: "worktree", ...place },
      { mode: "worktree", worktree_id: `wc_wt_${"0".repeat(32)}` },
    ]) {
      expect(await kernel.refused("work_on_project", { ...source, instruction: "x" })).toEqual({
        kind: "capability_unavailable",
        details: { reason: "worktree" },
      })
    }
  })

  it("a root that is gone, an ended registration, an unknown Project", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    await kernel.project("b")
    await rm(path.join(kernel.home, "a"), { recursive: true })
    await kernel.ok("unregister_project", { project: "b", expected_revision: 1, confirm: true })
    const refusal = async (project: string) => (await kernel.refused("work_on_project", { ...WORK, project })).kind
    expect(await refusal("a")).toBe("workspace_missing")
    expect(await refusal("b")).toBe("project_unavailable")
    expect(await refusal("c")).toBe("project_not_found")
    expect(await sessionCount(kernel)).toBe(0)
  })

  it("a commit that storage refuses leaves neither Project nor Session", async () => {
    const fault = { on: false }
    const wrapStore = (store: Store): Store => ({
      ...store,
      read: (work) => store.read(work),
      write: (work) =>
        store.write(async (tx) => {
          const coding = {
            ...tx.coding,
            bySession: tx.coding.bySession,
            insert: () => Promise.reject(new Error("disk")),
          }
          return await work(fault.on ? txWith(tx, { coding }) : tx)
        }),
    })
    await using kernel = await startKernel({ wrapStore })
    await mkdir(path.join(kernel.home, "p"))
    fault.on = true
    const call = { client_id: "local", path: path.join(kernel.home, "p"), instruction: "x" }
    expect(await kernel.refused("work_on_project", call)).toEqual({
      kind: "coding_continuity_commit_failed",
      details: { state_changed: false },
    })
    expect([await projectCount(kernel), await sessionCount(kernel)]).toEqual([0, 0])
  })

  it("a recorder gets the ordinary pair, the target none", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const { session_id: watch } = await kernel.ok("start_session", { project: "a" })
    const reply = await kernel.ok("work_on_project", WORK, { recorder: String(watch) })
    expect((await events(kernel, reply.session_id)).map(({ kind }) => kind)).toEqual(["task_instruction"])
    expect((await events(kernel, watch)).map(({ kind }) => kind)).toEqual([
      "tool_call_finished",
      "tool_call_started",
      "session_started",
    ])
  })
})
