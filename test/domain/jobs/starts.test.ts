import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { aJob } from "../../contract/store-fixtures.ts"
import { grantFor, local } from "../../support/callers.ts"
import { openJobs } from "./jobs-under-test.ts"

describe("run_process", () => {
  it("J1: arguments are literal", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.start("run_process", { executable: "printf", args: ["%s|", "a b", "$HOME", "*"] })
    expect(output).toMatchObject({ stdout: "a b|$HOME|*|", status: "completed", exit_code: 0 })
    expect(output.job_id).toMatch(/^wc_job_/)
  })

  it("J2: refuses what is no program and what is shell text, before a process exists", async () => {
    await using jobs = await openJobs()
    await writeFile(join(jobs.root, "plain"), "#!/bin/sh\ntouch ran\n", { mode: 0o644 })
    const fails = async (executable: string, args: readonly string[] = []) => {
      const { kind, execution_state } = await jobs.harness.fails("run_process", { project: "demo", executable, args })
      return [kind, execution_state]
    }
    expect(await fails("nope-xyz")).toEqual(["executable_not_found", "not_started"])
    expect(await fails("./nope-xyz")).toEqual(["executable_not_found", "not_started"])
    expect(await fails("./plain")).toEqual(["not_executable", "not_started"])
    expect(await fails(".", [])).toEqual(["not_executable", "not_started"])
    expect(await fails("bash", ["-c", "id"])).toEqual(["use_run_shell", "not_started"])
    expect(await fails("env", ["sh", "-c", "id"])).toEqual(["use_run_shell", "not_started"])
    await expect(stat(join(jobs.root, "ran"))).rejects.toMatchObject({ code: "ENOENT" })
    expect(jobs.harness.dump()).not.toMatch(/wc_job_/)
  })

  it("a path counts from cwd, a name from the child's own PATH", async () => {
    await using jobs = await openJobs()
    await mkdir(join(jobs.root, "sub"))
    for (const place of ["tool", "sub/tool"]) {
      await writeFile(join(jobs.root, place), `#!/bin/sh\necho ${place} "$@"\n`)
      await chmod(join(jobs.root, place), 0o755)
    }
    const out = async (more: object) => (await jobs.start("run_process", more)).output.stdout
    expect(await out({ executable: "./tool", args: ["x"] })).toBe("tool x\n")
    expect(await out({ executable: "./tool", cwd: "sub" })).toBe("sub/tool\n")
    expect(await out({ executable: "../tool", cwd: "sub" })).toBe("tool\n")
    const env = [{ name: "PATH", value: "sub:/usr/bin:/bin" }]
    expect(await out({ executable: "tool", env })).toBe("sub/tool\n")
  })

  it("an argv that is too long in all is refused; 126 and 127 are the program's own", async () => {
    await using jobs = await openJobs()
    const long = { project: "demo", executable: "printf", args: ["x".repeat(8000), "y".repeat(8000)] }
    expect(await jobs.harness.fails("run_process", long)).toMatchObject({
      kind: "invalid_arguments",
      details: { field: "args" },
    })
    await writeFile(join(jobs.root, "odd"), "#!/bin/sh\nexit 127\n", { mode: 0o755 })
    const { kind, output } = await jobs.start("run_process", { executable: "./odd" })
    expect([kind, output.exit_code]).toEqual(["process_exit", 127])
  })

  it("J39: a secret in an argument is masked", async () => {
    await using jobs = await openJobs()
    const args = ["MY_TOKEN=sup3r-s3cret-value", "sh-is-not-here", "printenv", "MY_TOKEN"]
    const { output } = await jobs.start("run_process", {
      executable: "env",
      args: [args[0], "printenv", "MY_TOKEN"],
    })
    expect(output.stdout).toBe("[redacted:MY_TOKEN]\n")
    expect(jobs.harness.dump()).not.toContain("sup3r-s3cret-value")
  })
})

describe("run_script", () => {
  it("J23: arguments and input reach a script, and no file of it is left", async () => {
    await using jobs = await openJobs()
    const script = "import sys, os; print(sys.argv[1], sys.stdin.read()); print(oct(os.stat(__file__).st_mode)[-3:])"
    const { output } = await jobs.start("run_script", { language: "python", script, args: ["é"], stdin: "日本" })
    expect(output.stdout).toBe("é 日本\n600\n")
    expect(await readdir(jobs.root)).toEqual([])
    const left = await jobs.shell(`find ${join(jobs.harness.home, "..", "run")} -name '*.py'; echo end`)
    expect(left.output.stdout).toBe("end\n")
  })

  it("every language that is installed here runs; the nearest virtual environment is Python", async () => {
    await using jobs = await openJobs()
    const out = async (language: string, script: string, more: object = {}) =>
      (await jobs.start("run_script", { language, script, ...more })).output.stdout
    expect(await out("sh", 'echo "$1"', { args: ["a b"] })).toBe("a b\n")
    expect(await out("bash", 'test -n "$BASH_VERSION" && echo bash')).toBe("bash\n")
    expect(await out("javascript", "console.log(process.argv[2])", { args: ["js"] })).toBe("js\n")
    expect(await out("typescript", "const n: number = 2; console.log(n + 1)")).toBe("3\n")
    await mkdir(join(jobs.root, ".venv", "bin"), { recursive: true })
    await mkdir(join(jobs.root, "a", "b"), { recursive: true })
    await writeFile(join(jobs.root, ".venv", "bin", "python"), '#!/bin/sh\necho venv; exec python3 "$@"\n', {
      mode: 0o755,
    })
    expect(await out("python", "print(1)", { cwd: "a/b" })).toBe("venv\n1\n")
  })

  it("a language without interpreter is told, and nothing is started", async () => {
    await using jobs = await openJobs()
    const env = [{ name: "PATH", value: "/nowhere" }]
    const refused = await jobs.harness.fails("run_script", {
      project: "demo",
      language: "powershell",
      script: "1",
      env,
    })
    expect(refused).toMatchObject({
      kind: "interpreter_unavailable",
      details: { language: "powershell" },
      execution_state: "not_started",
    })
  })
})

describe("what every starting tool keeps to", () => {
  const starts: readonly (readonly [string, object])[] = [
    ["run_process", { executable: "touch", args: ["ran"] }],
    ["run_script", { language: "sh", script: "touch ran" }],
    ["run_shell", { command: "touch ran" }],
    ["run_job", { command: "touch ran" }],
    ["run_detached_process", { executable: "touch", args: ["ran"], idempotency_key: "k" }],
  ]

  it("J26: a read_only Session refuses each, without row and without process", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo", mode: "read_only" })
    for (const [tool, input] of starts) {
      const refused = await jobs.harness.fails(tool, { project: "demo", session_id: session, ...input })
      expect([tool, refused.kind]).toEqual([tool, "session_guard_denied"])
    }
    await expect(stat(join(jobs.root, "ran"))).rejects.toMatchObject({ code: "ENOENT" })
    expect(jobs.harness.dump()).not.toMatch(/wc_job_/)
  })

  it("J24: each refuses a folder outside or missing", async () => {
    await using jobs = await openJobs()
    for (const [tool, input] of starts) {
      for (const [cwd, reason] of [
        ["../x", "outside"],
        ["gone", "missing"],
      ]) {
        const refused = await jobs.harness.fails(tool, { project: "demo", ...input, cwd })
        expect([tool, refused.kind, refused.details?.reason]).toEqual([tool, "cwd_invalid", reason])
      }
    }
    await expect(stat(join(jobs.root, "ran"))).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("J25: a Session's named resource is never fallen back from", async () => {
    await using jobs = await openJobs()
    const session = await jobs.harness.session({ project: "demo", execution_context: { resource: "box" } })
    for (const [tool, input] of starts) {
      const refused = await jobs.harness.fails(tool, { project: "demo", session_id: session, ...input })
      const routed = tool === "run_shell" || tool === "run_job"
      expect([tool, refused.kind]).toEqual([tool, routed ? "capability_unavailable" : "unsupported_resource"])
      expect(refused.execution_state).toBe("not_started")
    }
  })

  it("the inline host has no host of its own for a detached process: said, and its key stays free", async () => {
    await using jobs = await openJobs()
    const input = { project: "demo", executable: "true", idempotency_key: "once" }
    for (let n = 0; n < 2; n += 1) {
      expect(await jobs.harness.fails("run_detached_process", input)).toMatchObject({
        kind: "capability_unavailable",
        execution_state: "not_started",
      })
    }
  })

  it("at most 32 detached processes run at a time", async () => {
    await using jobs = await openJobs()
    await jobs.harness.store.write(async (tx) => {
      for (let n = 0; n < 32; n += 1) await tx.jobs.insert(aJob({ kind: "detached", hostId: "host-of-nobody" }))
    })
    const input = { project: "demo", executable: "true", idempotency_key: "k" }
    expect(await jobs.harness.fails("run_detached_process", input)).toMatchObject({
      kind: "job_limit_reached",
      recovery: "retry_later",
      details: { running: 32, queued: 0 },
      execution_state: "not_started",
    })
  })

  it("a detached process needs its own scope", async () => {
    await using jobs = await openJobs()
    const grant = grantFor(["demo"])
    const input = { project: "demo", executable: "true", idempotency_key: "k" }
    expect((await jobs.harness.fails("run_detached_process", input, { as: grant })).kind).toBe("insufficient_scope")
    const started = await jobs.start("run_process", { executable: "true" }, { as: grant })
    expect(started.output).toMatchObject({ status: "completed" })
  })

  it("a Project with an active Job is not unregistered", async () => {
    await using jobs = await openJobs()
    const { output } = await jobs.start("run_job", { command: "sleep 30" })
    const listed = Object(await jobs.harness.ok("list_projects", {}, { as: local }))
    const input = { project: "demo", expected_revision: listed.projects[0].revision, confirm: true }
    const refused = await jobs.harness.fails("unregister_project", input, { as: local })
    expect(refused).toMatchObject({ kind: "project_busy", details: { jobs: 1 } })
    await jobs.harness.ok("stop_job", { job_id: output.job_id, confirm: true, grace_secs: 0 })
    expect(await jobs.harness.ok("unregister_project", input, { as: local })).toMatchObject({ unregistered: true })
  })

  it("shell text through a script file runs as itself", async () => {
    await using jobs = await openJobs()
    await writeFile(join(jobs.root, "s.sh"), "echo from file; touch ran")
    expect((await jobs.start("run_process", { executable: "bash", args: ["s.sh"] })).output.stdout).toBe("from file\n")
    expect(await readFile(join(jobs.root, "ran"), "utf8")).toBe("")
  })
})
