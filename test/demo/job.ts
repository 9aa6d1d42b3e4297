import { strict as assert } from "node:assert"

/** One tool call through some door; resolves to the whole ToolResult. */
export type CallTool = (tool: string, input: object) => Promise<ToolAnswer>

/** A ToolResult as a demo reads it. */
export interface ToolAnswer {
  readonly success: boolean
  readonly output?: Readonly<Record<string, unknown>>
  readonly error?: { readonly kind: string; readonly message: string }
}

const FOLDER = "test/demo/package"
const SOURCE = `${FOLDER}/src/durations.js`
const TEST = `${FOLDER}/test/durations.test.js`

const NEW_TEST = `
test("days", () => {
  assert.equal(formatDuration(90_000_000), "1d 1h")
})
`

/**
 * The coding job that each door does: ask for days in a test, see it fail, teach the code, see it pass, look at the diff,
 * summarise. Every step asserts its answer.
 */
export async function doCodingJob(project: string, callTool: CallTool, tell: (line: string) => void): Promise<void> {
  const call = async (tool: string, input: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await callTool(tool, input)
    assert.equal(answer.success, true, `${tool}: ${answer.error?.kind} ${answer.error?.message}`)
    assert.ok(answer.output)
    return answer.output
  }

  const started = await call("work_on_project", { project, instruction: "Teach formatDuration about days." })
  const session_id = started["session_id"]
  assert.match(String(session_id), /^wc_sess_/)
  tell(`work_on_project    → ${String(session_id)}`)

  const read = await call("read_files", { project, session_id, items: [{ path: SOURCE }, { path: TEST }] })
  assert.equal(read["succeeded_count"], 2)
  tell(`read_files         → ${SOURCE}, ${TEST}`)

  const test = await call("apply_text_edits", {
    project,
    session_id,
    changes: [
      {
        kind: "edit",
        path: TEST,
        edits: [
          {
            kind: "replace_exact",
            old_text: 'test("less than a second"',
            new_text: `${NEW_TEST.trimStart()}\ntest("less than a second"`,
          },
        ],
      },
    ],
  })
  assert.equal(test["applied_count"], 1)
  tell("apply_text_edits   → a test that asks for days")

  const runTests = { project, session_id, command: "node --test", cwd: FOLDER }
  const red = await callTool("run_shell", runTests)
  assert.equal(red.success, false)
  assert.equal(red.error?.kind, "process_exit")
  assert.equal(red.output?.["exit_code"], 1)
  assert.match(String(red.output?.["stdout"]), /fail 1/)
  tell("run_shell          → node --test: fail 1, exit code 1")

  const fix = await call("apply_text_edits", {
    project,
    session_id,
    include_diff: true,
    changes: [
      {
        kind: "edit",
        path: SOURCE,
        edits: [
          {
            kind: "replace_exact",
            old_text: '  ["h", 3_600_000],',
            new_text: '  ["d", 86_400_000],\n  ["h", 3_600_000],',
          },
        ],
      },
    ],
  })
  assert.match(String(fix["diff"]), /\+ {2}\["d", 86_400_000\],/)
  tell('apply_text_edits   → + ["d", 86_400_000],')

  const green = await call("run_shell", runTests)
  assert.equal(green["exit_code"], 0)
  assert.match(String(green["stdout"]), /pass 4/)
  tell("run_shell          → node --test: pass 4, exit code 0")

  const diff = await call("git_diff", { project, session_id, format: "stat" })
  assert.equal(diff["files_total"], 2)
  tell("git_diff           → 2 files changed")

  const summary = await call("session_summary", { session_id })
  const counts = summary["counts"]
  assert.ok(typeof counts === "object" && counts !== null && "failed" in counts && "tool_calls" in counts)
  assert.equal(counts.failed, 1)
  assert.equal(counts.tool_calls, 6)
  assert.equal(summary["repository_edited"], true)
  tell(`session_summary    → ${counts.tool_calls} calls, ${counts.failed} failed, repository edited`)

  const closed = await call("close_session", { session_id })
  assert.equal(closed["lifecycle"], "closed")
  tell("close_session      → closed")
}
