import { mkdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openJobs, untilEnded } from "./jobs-under-test.ts"

describe("run_shell", () => {
  it("answers a plain success with the fewest members", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("echo a; echo b >&2")
    expect(output).toEqual({
      job_id: expect.stringMatching(/^wc_job_[0-9a-f]{32}$/),
      status: "completed",
      terminal: true,
      execution_state: "completed",
      exit_code: 0,
      stdout: "a\n",
      stderr: "b\n",
      truncated: false,
      timed_out: false,
      duration_ms: expect.any(Number),
      cwd: ".",
    })
  })

  it("J3: the true exit is answered, and failures keep their output", async () => {
    await using jobs = await openJobs()
    const seven = await jobs.shell("echo kept; exit 7")
    expect(seven).toMatchObject({
      kind: "process_exit",
      state: "completed",
      output: { exit_code: 7, status: "failed", stdout: "kept\n", outcome: { kind: "exited", exit_code: 7 } },
    })
    expect((await jobs.shell("exit 300")).output.exit_code).toBe(44)
    expect((await jobs.shell("(exit 7) | cat")).output.status).toBe("completed")
    expect((await jobs.shell("set -o pipefail; false | true")).output.exit_code).toBe(1)
    expect(await jobs.shell("kill -9 $$")).toMatchObject({
      kind: "process_exit",
      output: { exit_code: null, signal: "SIGKILL", status: "failed" },
    })
    expect((await jobs.shell("node -e 'process.abort()'; exit $?")).output.exit_code).toBe(134)
    expect((await jobs.shell("exec node -e 'process.abort()'")).output).toMatchObject({ signal: "SIGABRT" })
  })

  it("J4: a timeout keeps what was written and says so", async () => {
    await using jobs = await openJobs()
    const { kind, output } = await jobs.shell("for i in 1 2 3; do echo $i; sleep 0.5; done; sleep 60", {
      timeout_secs: 3,
    })
    expect(kind).toBe("timed_out")
    expect(output).toMatchObject({
      stdout: "1\n2\n3\n",
      exit_code: null,
      timed_out: true,
      status: "timed_out",
      execution_state: "timed_out",
      effective_timeout_secs: 3,
    })
  })

  it("J9: hands over before the deadline, and the same process ends as a Job", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const begun = performance.now()
    const { kind, output } = await jobs.shell(
      "echo a; echo x >> ran; sleep 4; echo b; exit 3",
      { session_id: session },
      { deadlineMs: 5000 },
    )
    const took = performance.now() - begun
    expect(took).toBeGreaterThan(2900)
    expect(took).toBeLessThan(4000)
    expect(kind).toBeUndefined()
    expect(output).toMatchObject({
      status: "running",
      terminal: false,
      execution_state: "running",
      promoted_to_job: true,
      stdout: "a\n",
      exit_code: null,
      effective_timeout_secs: 300,
      observation_token: expect.stringMatching(/^jo1_/),
    })
    const items = [{ job_id: output.job_id, after_observation_token: output.observation_token }]
    const { results, wait_outcome } = await jobs.harness.ok("observe_jobs", {
      items,
      wait_secs: 30,
      wake_on: "terminal",
    })
    expect(wait_outcome).toBe("terminal")
    expect(results).toMatchObject([
      { ok: true, status: "failed", exit_code: 3, log_delta_status: "delta", stdout: { text: "b\n", complete: true } },
    ])
    const log = await jobs.harness.ok("job_log", { job_id: output.job_id })
    expect(log).toMatchObject({
      status: "failed",
      exit_code: 3,
      stdout: { text: "a\nb\n" },
      log_delta_status: "baseline",
    })
    expect(await readFile(join(jobs.root, "ran"), "utf8")).toBe("x\n")
    const finished = (await jobs.harness.events(session)).filter((event) => event.kind === "job_finished")
    expect(finished).toMatchObject([
      { job_id: output.job_id, tool_name: "run_shell", outcome: "exited", exit_code: 3, execution_state: "completed" },
    ])
  })

  it("J10: sync_wait_secs 0 answers at once", async () => {
    await using jobs = await openJobs()
    const begun = performance.now()
    const { output } = await jobs.shell("sleep 1; echo x", { sync_wait_secs: 0 })
    expect(performance.now() - begun).toBeLessThan(600)
    expect(output.status).toBe("running")
    expect(await untilEnded(jobs.harness, output.job_id)).toMatchObject({
      status: "completed",
      stdout: { text: "x\n" },
    })
  })

  it("J11: a client that is gone changes nothing; one that cancels ends the tree", async () => {
    await using jobs = await openJobs()
    const gone = new AbortController()
    const going = jobs.shell("sleep 1; touch done", {}, { signal: gone.signal })
    setTimeout(() => gone.abort("client_gone"), 300)
    expect((await going).output.status).toBe("completed")
    expect((await stat(join(jobs.root, "done"))).isFile()).toBe(true)

    const cancel = new AbortController()
    const cancelled = jobs.shell("sleep 2; touch never", {}, { signal: cancel.signal })
    setTimeout(() => cancel.abort("client_cancelled"), 300)
    expect(await cancelled).toMatchObject({
      kind: "cancelled",
      state: "cancelled",
      output: { status: "cancelled", outcome: { kind: "cancelled", by: "caller" } },
    })
    await expect(stat(join(jobs.root, "never"))).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("a shutdown hands over now", async () => {
    await using jobs = await openJobs()
    const stop = new AbortController()
    const running = jobs.shell("echo a; sleep 30", {}, { signal: stop.signal })
    setTimeout(() => stop.abort("shutdown"), 300)
    expect((await running).output).toMatchObject({ status: "running", stdout: "a\n", promoted_to_job: true })
  })

  it("J7: background processes end with the command, or are kept and named", async () => {
    await using jobs = await openJobs()
    expect((await jobs.shell("sleep 60 & echo started")).output).toMatchObject({
      stdout: "started\n",
      exit_code: 0,
      ended_background: [{ command: expect.stringContaining("sleep 60") }],
    })
    const { output } = await jobs.shell("sleep 60 & echo started", { background: "keep" })
    expect(output).toMatchObject({
      status: "completed",
      background: [{ command: expect.stringContaining("sleep 60") }],
    })
    const stopped = await jobs.harness.ok("stop_job", { job_id: output.job_id, confirm: true })
    expect(stopped).toMatchObject({ status: "completed", already_finished: true, survivors: [] })
  })

  it("names at most 8 background processes and counts all; names are text without secrets", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("for i in $(seq 12); do setsid sleep 60 & done; sleep 0.2")
    expect(output).toMatchObject({ ended_background_total: 12 })
    expect(output.ended_background).toHaveLength(8)
    const odd = await jobs.shell("(exec -a $'\\xff\\x1b[31mna\\u00efme\\u202dx' sleep 60) & sleep 0.2", {
      background: "keep",
    })
    expect(odd.output).toMatchObject({
      background: [{ command: "\ufffd\ufffd[31mna\u00efme\u202dx 60" }],
      background_total: 1,
    })
    await jobs.harness.ok("stop_job", { job_id: odd.output.job_id, confirm: true })
  })

  it("values of variables whose name tells are masked, and so is what $'…' spells", async () => {
    await using jobs = await openJobs()
    const env = [
      { name: "MY_TOKEN", value: "zqTOKENenv2zz" },
      { name: "PLAIN", value: "visible1" },
    ]
    const { output } = await jobs.shell("echo $MY_TOKEN $PLAIN; MY_SECRET=$'zqAnsi\\x31\\066xx\\''; echo $MY_SECRET", {
      env,
    })
    expect(output.stdout).toBe("[redacted:MY_TOKEN] visible1\n[redacted:MY_SECRET]\n")
  })

  it("a command that wrote nothing is not said to have told why", async () => {
    await using jobs = await openJobs()
    const said = async (command: string) =>
      (await jobs.harness.fails("run_shell", { project: "demo", command })).message
    expect(await said("exit 4")).toBe("The command exited with code 4 and wrote nothing.")
    expect(await said("echo x; exit 4")).toBe("The command exited with code 4. Its output tells why.")
  })

  it("J24: cwd outside, missing, and a missing default of the Session", async () => {
    await using jobs = await openJobs()
    await mkdir(join(jobs.root, "pkg"))
    const fails = (more: object) => jobs.harness.fails("run_shell", { project: "demo", command: "touch ran", ...more })
    expect(await fails({ cwd: "../x" })).toMatchObject({ kind: "cwd_invalid", details: { reason: "outside" } })
    expect(await fails({ cwd: "nope" })).toMatchObject({
      kind: "cwd_invalid",
      details: { reason: "missing" },
      execution_state: "not_started",
      http: 200,
    })
    const session = await jobs.harness.session({ project: "demo", execution_context: { default_cwd: "gone" } })
    expect(await fails({ session_id: session })).toMatchObject({ kind: "cwd_invalid", details: { reason: "missing" } })
    await expect(stat(join(jobs.root, "ran"))).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("K12: the Session's default folder, an explicit argument, and a recorder that supplies nothing", async () => {
    await using jobs = await openJobs()
    await mkdir(join(jobs.root, "pkg"))
    const session = await jobs.harness.session({ project: "demo", execution_context: { default_cwd: "pkg" } })
    const inherited = await jobs.shell("pwd", { session_id: session })
    expect(inherited.output).toMatchObject({ stdout: `${join(jobs.root, "pkg")}\n`, cwd: "pkg" })
    expect((await jobs.shell("pwd", { session_id: session, cwd: "." })).output.stdout).toBe(`${jobs.root}\n`)
    expect((await jobs.shell("pwd", {}, { recorder: session })).output.stdout).toBe(`${jobs.root}\n`)
  })

  it("J26: a read_only Session refuses, without row and without process", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo", mode: "read_only" })
    const refused = await jobs.harness.fails("run_shell", {
      project: "demo",
      session_id: session,
      command: "touch ran",
    })
    expect(refused).toMatchObject({ kind: "session_guard_denied", http: 403 })
    await expect(stat(join(jobs.root, "ran"))).rejects.toMatchObject({ code: "ENOENT" })
    expect(jobs.harness.dump()).not.toMatch(/wc_job_/)
  })

  it("refuses reserved names, NUL and over-long text before anything starts", async () => {
    await using jobs = await openJobs()
    const fails = (more: object) => jobs.harness.fails("run_shell", { project: "demo", command: "true", ...more })
    expect(await fails({ env: [{ name: "BASH_ENV", value: "x" }] })).toMatchObject({
      kind: "env_name_reserved",
      details: { name: "BASH_ENV" },
    })
    expect((await fails({ env: [{ name: "HOLDFAST_JOB", value: "x" }] })).kind).toBe("env_name_reserved")
    expect(await fails({ command: "echo \0" })).toMatchObject({
      kind: "invalid_arguments",
      execution_state: "not_started",
      details: { field: "command" },
    })
    expect(await fails({ command: `echo ${"é".repeat(8000)}` })).toMatchObject({ details: { field: "command" } })
    expect((await fails({ budget: { grep: { pattern: "(" } } })).kind).toBe("budget_invalid")
    expect((await fails({ resource: "box" })).kind).toBe("capability_unavailable")
  })

  it("J23: stdin text arrives whole, and no file of it is left", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("python3 -c 'import sys;print(sys.stdin.read())'", { stdin: "日本" })
    expect(output.stdout).toBe("日本\n")
  })

  it("a budget chooses what is shown, and the whole output stays readable", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.shell("seq 100", { budget: { keep: { mode: "head_tail", n: 1 } } })
    expect(output).toMatchObject({
      stdout: "1\n... 98 lines elided ...\n100\n",
      truncated: true,
      lines_total: { stdout: 100, stderr: 0 },
      budget: { stdout: { mode: "head_tail", lines_total: 100, lines_kept: 2 } },
    })
    const log = await jobs.harness.ok("job_log", {
      job_id: output.job_id,
      stream: "stdout",
      from_line: 50,
      max_lines: 2,
    })
    expect(log).toMatchObject({ stdout: { text: "50\n51\n", from_line: 50, next_line: 52, more: true } })
  })

  it("J29: above max_running_jobs commands wait their turn, and a stopped one never starts", async () => {
    await using jobs = await openJobs({ hostLimits: { maxRunningJobs: 2 } })
    const started = []
    for (let n = 1; n <= 5; n += 1) {
      started.push((await jobs.shell(`echo ${n} >> ran; sleep 1`, { sync_wait_secs: 0, timeout_secs: 2 })).output)
    }
    expect(started.map((output) => [output.status, output.queue_position])).toEqual([
      ["running", undefined],
      ["running", undefined],
      ["queued", 1],
      ["queued", 2],
      ["queued", 3],
    ])
    const fifth = await jobs.harness.ok("stop_job", { job_id: started[4]!.job_id, confirm: true })
    expect(fifth).toMatchObject({ status: "stopped", stop_request_accepted: true })
    for (const { job_id } of started.slice(0, 4)) {
      expect(await untilEnded(jobs.harness, job_id)).toMatchObject({ status: "completed" })
    }
    expect((await readFile(join(jobs.root, "ran"), "utf8")).split("\n").filter(Boolean).sort()).toEqual([
      "1",
      "2",
      "3",
      "4",
    ])
  })

  it("job_limit_reached when the line is full, and nothing is started", async () => {
    await using jobs = await openJobs({ hostLimits: { maxRunningJobs: 1, maxQueuedJobs: 0 } })
    await jobs.shell("sleep 5", { sync_wait_secs: 0 })
    const refused = await jobs.harness.fails("run_shell", { project: "demo", command: "true" })
    expect(refused).toMatchObject({
      kind: "job_limit_reached",
      execution_state: "not_started",
      recovery: "retry_later",
      details: { running: 1, queued: 0 },
    })
  })

  it("J39: a secret of the command and its output is in no table, journal and spool", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const secret = "sup3r-s3cret-value"
    const { output } = await jobs.shell(`MY_TOKEN=${secret}; echo "it is $MY_TOKEN"; exit 2`, { session_id: session })
    expect(output.stdout).toBe("it is [redacted:MY_TOKEN]\n")
    expect(jobs.harness.dump()).not.toContain(secret)
    const found = await jobs.shell(`grep -rl 's3cret-valu[e]' ${join(jobs.harness.dataDir)} || echo none`)
    expect(found.output.stdout).toBe("none\n")
    expect(JSON.stringify(jobs.harness.telemetry)).not.toContain(secret)
  })

  it("records the true end in the Session: Job, exit, totals; never command, output or folder", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    await jobs.shell("echo visible-word; exit 5", { session_id: session, purpose: "test" })
    const [, finished] = (await jobs.harness.callEvents(session)).filter((event) => event.tool_name === "run_shell")
    expect(finished).toMatchObject({
      kind: "tool_call_finished",
      status: "failed",
      error: { kind: "process_exit", execution_state: "completed" },
      evidence: { command_started: true, command_completed: true, execution_state: "completed" },
      exit_code: 5,
      job_id: expect.stringMatching(/^wc_job_/),
      facts: { stdout_bytes: 13, stdout_lines: 1, handed_over: false, outcome: "exited" },
    })
    expect(JSON.stringify(await jobs.harness.events(session))).not.toContain("visible-word")
  })

  it("J40: closing its Session leaves a handed-over Job running, and its end still arrives there", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo" })
    const { output } = await jobs.shell("sleep 1.5; exit 4", { session_id: session, sync_wait_secs: 0 })
    await jobs.harness.ok("close_session", { session_id: session })
    expect(await untilEnded(jobs.harness, output.job_id)).toMatchObject({ status: "failed", exit_code: 4 })
    const kinds = (await jobs.harness.events(session)).map((event) => event.kind)
    expect(kinds.at(-1)).toBe("job_finished")
    expect(kinds.filter((kind) => kind === "job_finished")).toHaveLength(1)
  })

  it("J42: commands from several servers of one data directory each run once", async () => {
    await using jobs = await openJobs()
    await using second = await openJobs({ beside: jobs.harness })
    await using third = await openJobs({ beside: jobs.harness })
    const servers = [jobs, second, third]
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => servers[n % 3]!.shell(`echo ${n} >> ran-${n}; echo ${n}`)),
    )
    expect(answers.map(({ output }) => output.stdout)).toEqual(answers.map((_, n) => `${n}\n`))
    const { output } = await jobs.shell("cat ran-* | sort -n")
    expect(output.stdout).toBe(`${answers.map((_, n) => n).join("\n")}\n`)
  })
})
