import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { type CallFinish, createHarness, type Harness } from "../../support/harness.ts"

const finishOf = async (harness: Harness, session: string): Promise<CallFinish | undefined> => {
  const last = (await harness.callEvents(session)).at(-1)
  return last?.kind === "tool_call_finished" ? last : undefined
}

const editing = (session_id: string, old_text: string, new_text: string, rest: object = {}) => ({
  project: "a",
  session_id,
  changes: [{ kind: "edit", path: "./src//f", edits: [{ kind: "replace_exact", old_text, new_text }] }],
  ...rest,
})

async function openSession() {
  const harness = await createHarness()
  const { root } = await harness.project("a")
  await mkdir(join(root, "src"))
  await writeFile(join(root, "src/f"), "one\n")
  return { harness, root, session: await harness.session({ project: "a" }) }
}

const isEdited = async (harness: Harness, session: string): Promise<unknown> =>
  (await harness.ok("session_summary", { session_id: session })).repository_edited

it("F22: only files that were read count as observed", async () => {
  const { harness, root, session } = await openSession()
  await using _ = harness
  await writeFile(join(root, "g"), "two\n")
  const items = [{ path: "src//f" }, { path: "missing" }, { path: "g" }]
  await harness.ok("read_files", { project: "a", session_id: session, items })
  expect(await finishOf(harness, session)).toMatchObject({
    status: "succeeded",
    activity: "explore",
    observed_paths: ["src/f", "g"],
    observed_total: 2,
    evidence: { state_changed: false },
    facts: { returned_count: 3, succeeded_count: 2, failed_count: 1, output_truncated: false },
  })
})

it("F36, F37: dry runs, no-ops and refusals change nothing; an edit sets the sticky fact", async () => {
  const { harness, root, session } = await openSession()
  await using _ = harness
  await harness.ok("apply_text_edits", editing(session, "one", "two", { dry_run: true }))
  expect(await finishOf(harness, session)).toMatchObject({
    changed_paths: [],
    evidence: { state_changed: false },
    facts: { edit_outcome: "dry_run" },
  })
  await harness.ok("apply_text_edits", editing(session, "one", "one"))
  expect(await finishOf(harness, session)).toMatchObject({
    evidence: { state_changed: false },
    facts: { edit_outcome: "no_change" },
  })
  expect((await harness.fails("apply_text_edits", editing(session, "absent", "x"))).kind).toBe("match_not_found")
  expect(await finishOf(harness, session)).toMatchObject({
    status: "failed",
    evidence: { state_changed: false },
    facts: { edit_outcome: "rejected", edit_conflict_kind: "match_not_found" },
  })
  expect(await isEdited(harness, session)).toBe(false)
  await harness.ok("apply_text_edits", editing(session, "one", "two"))
  expect(await finishOf(harness, session)).toMatchObject({
    changed_paths: ["src/f"],
    changed_total: 1,
    evidence: { state_changed: true },
    facts: { edit_outcome: "applied", planned_count: 1, applied_count: 1 },
  })
  expect(await isEdited(harness, session)).toBe(true)
  expect(await readFile(join(root, "src/f"), "utf8")).toBe("two\n")
})

it("F69: no text, needle or content is in any table", async () => {
  const { harness, root, session } = await openSession()
  await using _ = harness
  await writeFile(join(root, "src/f"), "zq-FILE-1 zq-OLD-2\n")
  await harness.ok("read_files", { project: "a", session_id: session, items: [{ path: "src/f" }] })
  await harness.ok("apply_text_edits", editing(session, "zq-OLD-2", "zq-NEW-3", { include_diff: true }))
  await harness.fails("apply_text_edits", editing(session, "zq-ABSENT-4", "zq-NEW-5"))
  expect(harness.dump().match(/zq-[A-Z]+-\d/g)).toBeNull()
})

it("K24: an item counts the secrets that are masked in it; the file stays", async () => {
  const { harness, root, session } = await openSession()
  await using _ = harness
  harness.secrets.register("K", "sk-ABCDEFGHIJ")
  await writeFile(join(root, "src/f"), "key = sk-ABCDEFGHIJ\n")
  const output = await harness.ok("read_files", { project: "a", session_id: session, items: [{ path: "src/f" }] })
  expect(output).toMatchObject({ items: [{ text: "key = [redacted:K]\n", redactions: 1 }] })
  expect(await readFile(join(root, "src/f"), "utf8")).toBe("key = sk-ABCDEFGHIJ\n")
})
