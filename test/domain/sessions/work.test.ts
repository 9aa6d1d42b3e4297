import { mkdir, readdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it, vi } from "vitest"
import { createHarness } from "../../support/harness.ts"

const edit = (session_id: string, over: object = {}, change: object = {}) => ({
  project: "a",
  session_id,
  changes: [
    { kind: "edit", path: "f", edits: [{ kind: "replace_exact", old_text: "one", new_text: "two" }], ...change },
  ],
  ...over,
})

it("S11: commands start in the Session's folder and shell, reads at the root", async () => {
  await using kernel = await createHarness()
  const { root } = await kernel.project("a")
  await mkdir(path.join(root, "pkg"))
  await writeFile(path.join(root, "x"), "at the root\n")
  const session_id = await kernel.session({
    project: "a",
    execution_context: { default_cwd: "pkg", default_shell: "bash" },
  })
  const pwd = async (over: object) =>
    await kernel.ok("run_shell", { project: "a", session_id, command: "pwd", ...over })
  expect(await pwd({})).toMatchObject({ stdout: `${path.join(root, "pkg")}\n` })
  expect(await pwd({ cwd: "." })).toMatchObject({ stdout: `${root}\n` })
  expect(await kernel.ok("read_files", { project: "a", session_id, items: [{ path: "x" }] })).toMatchObject({
    items: [{ text: "at the root\n" }],
  })
})

it("S13: a folder that is gone fails at the Runner, and nothing runs elsewhere", async () => {
  await using kernel = await createHarness()
  const { root } = await kernel.project("a")
  const session_id = await kernel.session({ project: "a", execution_context: { default_cwd: "gone" } })
  const failed = await kernel.fails("run_shell", { project: "a", session_id, command: "touch t" })
  expect(failed.kind).toBe("cwd_invalid")
  expect(await readdir(root)).toEqual([])
})

it("S12: a named resource refuses commands rather than running them here; reads and edits work here", async () => {
  await using kernel = await createHarness()
  const { root } = await kernel.project("a")
  await writeFile(path.join(root, "f"), "one\n")
  const session_id = await kernel.session({ project: "a", execution_context: { resource: "box" } })
  const refused = await kernel.fails("run_shell", { project: "a", session_id, command: "touch t" })
  expect(refused.kind).toBe("capability_unavailable")
  await kernel.ok("read_files", { project: "a", session_id, items: [{ path: "f" }] })
  await kernel.ok("apply_text_edits", edit(session_id))
  expect(await readdir(root)).toEqual(["f"])
})

it("S16: the shell guard starts and stops nothing, also when the Session only records; edits go on", async () => {
  await using kernel = await createHarness()
  const { root } = await kernel.project("a")
  await writeFile(path.join(root, "f"), "one\n")
  const free = await kernel.session({ project: "a" })
  const session_id = await kernel.session({ project: "a", guards: { deny_shell_tools: true } })
  const running = { project: "a", session_id: free, command: "sleep 30" }
  const { job_id } = await kernel.ok("run_shell", running, { deadlineMs: 2_500 })
  const denied = { kind: "session_guard_denied", details: { guard: "shell" } }
  const shell = { project: "a", session_id, command: "touch t" }
  expect(await kernel.fails("run_shell", shell)).toMatchObject(denied)
  expect(await kernel.fails("stop_job", { job_id, confirm: true }, { recorder: session_id })).toMatchObject(denied)
  expect(await kernel.store.read((tx) => tx.jobs.countActive({}))).toBe(1)
  expect(await readdir(root)).toEqual(["f"])
  await kernel.ok("apply_text_edits", edit(session_id))
  await kernel.ok("stop_job", { job_id, confirm: true })
})

it("S18: closing reports what is open and a running Job, which ends by itself and says so", {
  timeout: 60_000,
}, async () => {
  await using kernel = await createHarness()
  await kernel.project("a")
  const session_id = await kernel.session({ project: "a" })
  const command = { project: "a", session_id, command: "sleep 2; echo done" }
  const job = await kernel.ok("run_shell", command, { deadlineMs: 2_500 })
  expect(job).toMatchObject({ execution_state: "running" })
  for (const kind of ["todo", "risk", "todo"]) {
    await kernel.ok("post_session_message", { session_id, kind, message: "open" })
  }
  expect(await kernel.ok("close_session", { session_id })).toMatchObject({
    running_jobs: 1,
    already_closed: false,
    open_counts: { guidance: 0, question: 0, todo: 2, risk: 1 },
  })
  const refused = await kernel.fails("unregister_project", { project: "a", expected_revision: 1, confirm: true })
  expect(refused).toMatchObject({ kind: "project_busy", details: { jobs: 1 } })
  await vi.waitFor(
    async () => expect((await kernel.events(session_id)).at(-1)).toMatchObject({ kind: "job_finished" }),
    { timeout: 30_000, interval: 200 },
  )
  expect((await kernel.events(session_id)).at(-1)).toMatchObject({ job_id: job.job_id, exit_code: 0 })
})

it("S24: a real edit is two events in each ledger and marks both Sessions as edited", async () => {
  await using kernel = await createHarness()
  const { root } = await kernel.project("a")
  await writeFile(path.join(root, "f"), "one\n")
  const [work, watch] = [await kernel.session({ project: "a" }), await kernel.session({ project: "a" })]
  await kernel.ok("apply_text_edits", edit(work), { recorder: watch })
  for (const session_id of [work, watch]) {
    const shown = await kernel.ok("session_summary", { session_id })
    expect(shown).toMatchObject({ events_total: 3, repository_edited: true, counts: { by_activity: { edit: 1 } } })
    expect((await kernel.events(session_id)).at(-1)).toMatchObject({ changed_paths: ["f"], changed_total: 1 })
  }
})

it("S30: a dry run, a failing edit and a writing command are no repository edits", async () => {
  await using kernel = await createHarness()
  const { root } = await kernel.project("a")
  await writeFile(path.join(root, "f"), "one\n")
  const session_id = await kernel.session({ project: "a" })
  await kernel.ok("apply_text_edits", edit(session_id, { dry_run: true }))
  const wrong = edit(session_id, {}, { expected_sha256: "0".repeat(64) })
  expect((await kernel.fails("apply_text_edits", wrong)).kind).toBe("sha256_mismatch")
  await kernel.ok("run_shell", { project: "a", session_id, command: "echo two >> f" })
  expect(await kernel.ok("session_summary", { session_id })).toMatchObject({ repository_edited: false })
})
