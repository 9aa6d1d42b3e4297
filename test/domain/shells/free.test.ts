import { access } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createHarness, type Harness } from "../../support/harness.ts"
import { type FreeShell, freeShell } from "./shell-under-test.ts"

let harness: Harness
let shell: FreeShell
beforeAll(async () => {
  harness = await createHarness()
  shell = await freeShell(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

const exists = (name: string) =>
  access(join(harness.home, name)).then(
    () => true,
    () => false,
  )
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it("L1: directory and variables stay, and the id says who made it", async () => {
  await using fresh = await createHarness()
  const { session_id, cwd, ...more } = await fresh.ok("session_create", { transport: "local", cwd: fresh.home })
  expect(session_id).toMatch(/^[0-9a-f]{4}-1_local$/)
  expect(more).toEqual({ transport: "local", shell: "bash", created_at: expect.any(Number) })
  expect(cwd).toBe(fresh.home)
  const run = (command: string) => fresh.ok("session_exec", { session_id, command })
  await run("mkdir -p srv/app")
  expect(await run("cd srv/app && export ENV=prod")).toMatchObject({ exit_code: 0, stdout: "", stderr: "" })
  const app = join(fresh.home, "srv/app")
  expect(await run("pwd")).toMatchObject({ stdout: app, cwd: app })
  expect(await run("echo $ENV")).toMatchObject({ stdout: "prod", execution_state: "completed" })
})

it("L2: an exit code is a result of a free shell", async () => {
  const { result } = await shell.call("echo e >&2; exit_test(){ return 3; }; exit_test")
  expect(result.success).toBe(true)
  expect(result.output).toMatchObject({
    stdout: "",
    stderr: "e",
    exit_code: 3,
    outcome: { kind: "exited", exit_code: 3 },
  })
})

it("L3: a command that reaches its timeout says so, and the shell goes on where it was", async () => {
  await shell.run("cd /tmp; export KEPT=1")
  const begun = performance.now()
  const output = await shell.run("sleep 30", { timeout_secs: 2 })
  expect(performance.now() - begun).toBeLessThan(4000)
  expect(output).toMatchObject({ exit_code: 124, timed_out: true, cwd: "/tmp", execution_state: "timed_out" })
  expect(output.stderr).toMatch(/^holdfast: timed out after 2s; the shell is intact/)
  expect(output.outcome).toMatchObject({ kind: "timed_out", after_ms: 2000 })
  expect(await shell.run("echo $KEPT; pwd")).toMatchObject({ stdout: "1\n/tmp" })
  await shell.run(`cd ${harness.home}`)
})

it("the note of a timeout stands in the result alone", async () => {
  const { job_id } = await shell.run("echo out >&2; sleep 30", { timeout_secs: 1 })
  const log = await harness.ok("job_log", { job_id })
  expect(log).toMatchObject({ stderr: { text: "out\n" } })
})

it("L4: what follows a command that was ended never runs", async () => {
  await shell.run("sleep 30; touch F", { timeout_secs: 1 })
  await pause(1500)
  expect(await exists("F")).toBe(false)
})

describe("L8: texts that are none", () => {
  it("a NUL is refused and nothing runs", async () => {
    const error = await shell.fails("touch NUL\0; touch NUL")
    expect(error).toMatchObject({ kind: "invalid_arguments", execution_state: "not_started" })
    expect(await exists("NUL")).toBe(false)
  })
  it("a blank text exits 0", async () => {
    expect(await shell.run("  \n")).toMatchObject({ exit_code: 0, stdout: "", stderr: "" })
    expect(await shell.run("")).toMatchObject({ exit_code: 0, stdout: "", stderr: "" })
  })
})

it("L7: a text of 1,048,577 bytes is too big", async () => {
  const error = await shell.fails(`: ${"é".repeat(524_288)}`)
  expect(error).toMatchObject({ kind: "invalid_arguments" })
  expect(error.details).toMatchObject({ fields: [{ path: "command", code: "too_big" }] })
})

it("L9: trailing newlines are taken off, unless they are wanted", async () => {
  expect(await shell.run("printf '\\n\\nx\\n\\n'")).toMatchObject({ stdout: "\n\nx" })
  expect(await shell.run("printf 'no nl'")).toMatchObject({ stdout: "no nl" })
  expect(await shell.run("printf '\\n\\nx\\n\\n'", { trim: false })).toMatchObject({ stdout: "\n\nx\n\n" })
})

it("L10: bytes that are no text are said to be none, and are kept", async () => {
  expect(await shell.run("printf 'a\\0b'")).toMatchObject({ stdout: "a\ufffdb", binary: { stdout: true } })
  const output = await shell.run("printf '\\xff\\xfe'")
  expect(output).toMatchObject({ stdout: "\ufffd\ufffd", binary: { stdout: true } })
  const log = await harness.ok("job_log", {
    job_id: output.job_id,
    stream: "stdout",
    view: "raw",
    encoding: "base64",
    from_byte: 0,
  })
  expect(log).toMatchObject({ stdout: { base64: Buffer.from([0xff, 0xfe]).toString("base64") } })
})

it("L12: 20,000 lines alternating between both streams", async () => {
  const text = "for ((i=0;i<10000;i++)); do echo o$i; echo e$i >&2; done"
  const split = await shell.run(text)
  expect(split.lines_total).toEqual({ stdout: 10_000, stderr: 10_000 })
  const merged = await shell.run(text, { streams: "merged", budget: { max_chars: 1_000_000 } })
  expect(merged.lines_total).toEqual({ stdout: 20_000, stderr: 0 })
  const expected = Array.from({ length: 10_000 }, (_, i) => `o${i}\ne${i}`).join("\n")
  const log = await harness.ok(
    "job_log",
    { job_id: merged.job_id, stream: "stdout", from_byte: 0, max_bytes: 1_048_576 },
    { replyLimit: 2_000_000 },
  )
  expect(log).toMatchObject({ stdout: { text: `${expected}\n` } })
})

it("L16: a budget chooses what is shown, and all of it can be read later", async () => {
  const output = await shell.run("seq 1 200000", { budget: { keep: { mode: "tail", n: 3 } } })
  expect(output.stdout).toBe("... 199997 lines elided ...\n199998\n199999\n200000")
  expect(output).toMatchObject({ truncated: true, lines_total: { stdout: 200_000 } })
  expect(output.budget).toMatchObject({ stdout: { mode: "tail", lines_total: 200_000, lines_kept: 3 } })
  const log = await harness.ok("job_log", { job_id: output.job_id, grep_pattern: "^77777$", context_lines: 1 })
  expect(log).toMatchObject({ stdout: { matches: [{ text: "77777", before: ["77776"], after: ["77778"] }] } })
})

it("L17: without a budget both streams share the room, and a hint tells how to see the rest", async () => {
  const output = await shell.run("seq 1 100000; echo 'REAL ERROR' >&2; (exit 1)")
  expect(output).toMatchObject({ stderr: "REAL ERROR", truncated: true, exit_code: 1 })
  expect(output.stdout).toMatch(/^1\n2\n[\s\S]*chars elided \.\.\.\n[\s\S]*\n100000$/)
  expect(output.hint).toContain("budget")
  expect(output.hint).toContain("job_log")
})

describe("L18: budgets", () => {
  it("a pattern that does not compile runs nothing", async () => {
    const error = await shell.fails("touch BUDGET", { budget: { grep: { pattern: "(" } } })
    expect(error).toMatchObject({ kind: "budget_invalid", execution_state: "not_started" })
    expect(await exists("BUDGET")).toBe(false)
  })
  it("a pattern that others would explode on is linear", async () => {
    const begun = performance.now()
    await shell.run("head -c 100000 /dev/zero | tr '\\0' a; echo b", { budget: { grep: { pattern: "(a+)+$" } } })
    expect(performance.now() - begun).toBeLessThan(3000)
  })
  it("a number out of range is refused by the schema", async () => {
    const error = await shell.fails("true", { budget: { keep: { mode: "tail", n: 2 ** 31 } } })
    expect(error.kind).toBe("invalid_arguments")
  })
  it("a shell has one of its own, which a command's wins over", async () => {
    const own = await freeShell(harness, { output_budget: { keep: { mode: "head", n: 1 } } })
    expect(await own.run("seq 5")).toMatchObject({ stdout: "1\n... 4 lines elided ..." })
    expect(await own.run("seq 5", { budget: { keep: { mode: "tail", n: 1 } } })).toMatchObject({
      stdout: "... 4 lines elided ...\n5",
    })
    const input = { transport: "local", output_budget: { keep: { mode: "middle" } } }
    const refused = await harness.fails("session_create", input)
    expect(refused).toMatchObject({ kind: "invalid_arguments", details: { field: "output_budget.keep.mode" } })
  })
})

describe("L21: what ends a shell costs nobody its id", () => {
  const cases: readonly (readonly [string, object])[] = [
    ["exit 7", { exit_code: 7, shell_restarted: { reason: "exited" } }],
    ["exit 300", { exit_code: 44, shell_restarted: { reason: "exited" } }],
    ["set -e; false; echo no", { exit_code: 1, stdout: "", shell_restarted: { reason: "errexit" } }],
    ["exec echo replaced", { exit_code: 0, stdout: "replaced", shell_restarted: { reason: "exec" } }],
    ["kill -9 $$", { exit_code: null, signal: "SIGKILL" }],
    [
      "ulimit -v 40000; x=a; while :; do x=$x$x; done",
      {
        exit_code: 2,
        stderr: expect.stringContaining("cannot allocate"),
        shell_restarted: { reason: "exited", exit_code: 2 },
      },
    ],
  ]
  it.each(cases)("%s", async (command, expected) => {
    const own = await freeShell(harness)
    await own.run("KEPT=yes; cd /usr; f(){ echo F; }")
    await pause(150)
    expect(await own.run(command)).toMatchObject(expected)
    expect(await own.run("echo $KEPT; pwd; f")).toMatchObject({ stdout: "yes\n/usr\nF", exit_code: 0 })
    await harness.ok("session_destroy", { session_id: own.id })
  })
})

it("L30: a directory that is gone is said to be", async () => {
  const own = await freeShell(harness)
  await own.run("mkdir gone; cd gone")
  expect(await own.run("rmdir ../gone")).toMatchObject({ exit_code: 0, cwd_deleted: true })
  const back = await own.run("cd / && echo back")
  expect(back).toMatchObject({ stdout: "back", cwd: "/" })
  expect(back.cwd_deleted).toBeUndefined()
})

it("L32: what a background child writes later belongs to the command that started it", async () => {
  const own = await freeShell(harness)
  const first = await own.run("(sleep 1; echo LATE) & echo fg")
  expect(first).toMatchObject({ stdout: "fg", background_total: 1, background: [{ holds_output: true }] })
  await pause(1600)
  const second = await own.run("echo second")
  expect(second).toMatchObject({ stdout: "second", late_output: [{ job_id: first.job_id, bytes: 5 }] })
  expect(await harness.ok("job_log", { job_id: first.job_id })).toMatchObject({ stdout: { text: "fg\nLATE\n" } })
})

it("a command is shown redacted and cut", async () => {
  const output = await shell.run(`MY_TOKEN=abcdef123456; : ${"x".repeat(3000)}`)
  expect(output.command).toMatch(/^MY_TOKEN=\[redacted:[A-Za-z_]+\]; : x+…$/)
  expect([...String(output.command)]).toHaveLength(2001)
  expect(await shell.run("echo $MY_TOKEN")).toMatchObject({ stdout: expect.stringMatching(/^\[redacted:/) })
})

it("stdin is given whole, env for one command only", async () => {
  expect(await shell.run("wc -l", { stdin: "a\nb" })).toMatchObject({ stdout: expect.stringMatching(/^\s*1$/) })
  const env = [{ name: "ONCE", value: "1" }]
  expect(await shell.run("echo $ONCE", { env })).toMatchObject({ stdout: "1" })
  expect(await shell.run("echo $ONCE")).toMatchObject({ stdout: "" })
  const reserved = await shell.fails("true", { env: [{ name: "PS1", value: "x" }] })
  expect(reserved).toMatchObject({ kind: "env_name_reserved", execution_state: "not_started" })
})
