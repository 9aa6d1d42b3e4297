import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { ScriptLanguage } from "../../core/jobs/command.ts"
import type { JobRunner, StartSpec } from "../../core/jobs/runner.ts"
import { readAll, runToEnd, specFor } from "./job-spec.ts"

/** A runner over real processes, with what a test needs to look at them. */
export interface RunnerUnderTest {
  readonly runner: JobRunner
  /** A fresh Project root. */
  readonly root: string
  close(): Promise<void>
}

/** Whether a process lives; a zombie does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined)
  return stat !== undefined && !/\) [ZX] /.test(stat)
}

/** What every JobRunner promises (spec shells.md §2.2, exec-and-jobs.md §4, §7, §8). */
export function jobRunnerContract(name: string, open: () => Promise<RunnerUnderTest>): void {
  describe(`job runner: ${name}`, () => {
    let test: RunnerUnderTest
    beforeEach(async () => {
      test = await open()
    })
    afterEach(async () => {
      await test.close()
    })
    const run = (text: string, more: Partial<StartSpec> = {}) => runToEnd(test.runner, specFor(test.root, text, more))

    it("J3: reports the real wait status", async () => {
      const outcomes = []
      for (const text of [
        "exit 7",
        "exit 300",
        "(exit 7) | cat",
        "set -o pipefail; false | true",
        "kill -9 $$",
        "kill -ABRT $$",
      ]) {
        outcomes.push((await run(text)).facts.outcome)
      }
      expect(outcomes).toEqual([
        { kind: "exited", exit_code: 7 },
        { kind: "exited", exit_code: 44 },
        { kind: "exited", exit_code: 0 },
        { kind: "exited", exit_code: 1 },
        { kind: "signaled", signal: "SIGKILL" },
        { kind: "signaled", signal: "SIGABRT" },
      ])
    })

    it("gives real pipes, no terminal, an empty input and a session of its own", async () => {
      const { stdout, stderr } = await run(
        "echo a > /dev/stdout; echo b > /dev/stderr; echo c | tee /dev/stderr; tty; cat; ps -o sid= -p $$ | tr -d ' '; echo $$",
      )
      const lines = stdout.split("\n")
      expect(lines.slice(0, 3)).toEqual(["a", "c", "not a tty"])
      expect(lines[3]).toBe(lines[4])
      expect(stderr).toBe("b\nc\n")
    })

    it("delivers stdin whole, then end of file", async () => {
      const { stdout } = await run("cat", { stdin: "日本\n" })
      expect(stdout).toBe("日本\n")
    })

    it("takes text that looks like an option, and several lines, as one command", async () => {
      const { facts } = await run("-x")
      expect(facts.outcome).toEqual({ kind: "exited", exit_code: 127 })
      expect((await run("echo 'a\n b'\necho $0")).stdout).toMatch(/^a\n b\n.*bash\n$/)
    })

    it("children see the base environment and the call's, never the server's", async () => {
      const { stdout } = await run("env | sort", { env: [{ name: "MINE", value: "x y" }] })
      expect(stdout).toContain("MINE=x y\n")
      expect(stdout).toMatch(/^HOLDFAST_JOB=wc_job_[0-9a-f]{32}$/m)
      expect(stdout).toContain("TERM=dumb\n")
      expect(stdout).toContain("PAGER=cat\n")
      expect(stdout).not.toContain("VITEST")
      expect(stdout).not.toContain("SERVER_SECRET")
    })

    it("J4: a life that runs out keeps what was written and ends the tree", async () => {
      const { facts, stdout } = await run("for i in 1 2 3; do echo $i; sleep 0.2; done; sleep 60", { timeoutMs: 1500 })
      const then = { survivors: [] }
      expect(facts.outcome).toMatchObject({ kind: "timed_out", after_ms: 1500, then })
      expect(stdout).toBe("1\n2\n3\n")
    })

    it("J5: an exit of 0 after our signal is still a timeout", async () => {
      const { facts } = await run("trap 'exit 0' TERM; while :; do sleep 0.05; done", { timeoutMs: 400 })
      const then = { exit_code: 0 }
      expect(facts.outcome).toMatchObject({ kind: "timed_out", then })
    })

    it("J7: ends what a command left behind, or keeps it when told to", async () => {
      const begun = performance.now()
      const ended = await run("sleep 60 & echo started")
      expect(performance.now() - begun).toBeLessThan(2000)
      expect(ended.facts).toMatchObject({
        outcome: { kind: "exited", exit_code: 0 },
        endedBackground: [{ command: "sleep 60" }],
      })
      expect(await isRunning(ended.facts.endedBackground[0]!.pid)).toBe(false)

      const kept = specFor(test.root, "sleep 60 & echo started", { background: "keep" })
      const { facts } = await runToEnd(test.runner, kept)
      const pid = facts.background[0]!.pid
      expect(await isRunning(pid)).toBe(true)
      const stopped = await test.runner.stop(kept.jobId, { cause: "stop_job", graceMs: 500 })
      expect(stopped).toMatchObject({ state: "ended", outcome: { kind: "exited" }, background: [], survivors: [] })
      expect(await isRunning(pid)).toBe(false)
    })

    it("waits for late writers that end by themselves", async () => {
      const { facts, stdout } = await run(`echo hi > >(sleep 0.05; cat; echo late)`)
      expect(stdout).toBe("hi\nlate\n")
      expect(facts.endedBackground).toEqual([])
    })

    it("J8: nothing escapes the tree kill", async () => {
      const text = `bash -c 'trap "" TERM; (sleep 300) & setsid sleep 301 & nohup sleep 302 & sleep 303'`
      const spec = specFor(test.root, text, { timeoutMs: 1000 })
      const begun = performance.now()
      const { facts } = await runToEnd(test.runner, spec)
      expect(performance.now() - begun).toBeLessThan(4500)
      expect(facts).toMatchObject({ outcome: { kind: "timed_out" }, survivors: [] })
      const left = await runToEnd(test.runner, specFor(test.root, `grep -al ${spec.jobId} /proc/[0-9]*/environ; true`))
      expect(left.stdout).toBe("")
    })

    it("J28: a Job that ignores SIGTERM is gone at once without grace", async () => {
      const spec = specFor(test.root, `trap "" TERM; echo ready; sleep 300`)
      await test.runner.start(spec)
      await test.runner.watch(spec.jobId, { from: 2, until: "change" })
      const begun = performance.now()
      const facts = await test.runner.stop(spec.jobId, { cause: "stop_job", graceMs: 0 })
      expect(performance.now() - begun).toBeLessThan(1500)
      const then = { signal: "SIGKILL", survivors: [] }
      expect(facts).toMatchObject({ state: "ended", outcome: { kind: "cancelled", by: "stop_job", then } })
    })

    it("J24: refuses working directories outside or missing, before anything runs", async () => {
      await mkdir(join(test.root, "sub"))
      await writeFile(join(test.root, "file"), "")
      await symlink("/", join(test.root, "out"))
      await symlink("sub", join(test.root, "in"))
      const reasons = []
      for (const cwd of ["../x", "out", "out/tmp", "nope", "file", "/"]) {
        const spec = specFor(test.root, "touch ran", { cwd })
        const refusal = await test.runner.start(spec).catch((error: unknown) => error)
        reasons.push(refusal)
        await expect(test.runner.admit(spec)).rejects.toMatchObject({
          kind: "cwd_invalid",
          executionState: "not_started",
        })
      }
      expect(reasons.map((reason) => (reason as { details?: { reason: string } }).details?.reason)).toEqual([
        "outside",
        "outside",
        "outside",
        "missing",
        "not_directory",
        "outside",
      ])
      await expect(readFile(join(test.root, "ran"))).rejects.toMatchObject({ code: "ENOENT" })
      expect((await run("pwd", { cwd: "in" })).stdout).toBe(`${join(test.root, "sub")}\n`)
      expect((await run("pwd", { cwd: join(test.root, "sub") })).stdout).toBe(`${join(test.root, "sub")}\n`)
      await rm(test.root, { recursive: true })
      await expect(test.runner.admit(specFor(test.root, "true"))).rejects.toMatchObject({ kind: "workspace_missing" })
    })

    it("J1: a program gets its arguments as they are, from PATH, from cwd or by its whole path", async () => {
      const program = (executable: string, args: readonly string[], more: Partial<StartSpec> = {}) =>
        run("", { command: { kind: "process", executable, args }, ...more })
      expect((await program("printf", ["%s|", "a b", "$HOME", "*"])).stdout).toBe("a b|$HOME|*|")
      await mkdir(join(test.root, "bin"))
      await writeFile(join(test.root, "bin", "tool"), '#!/bin/sh\necho "$PWD" "$1"\n', { mode: 0o755 })
      expect((await program("./bin/tool", ["x"])).stdout).toBe(`${test.root} x\n`)
      expect((await program("../bin/tool", ["x"], { cwd: "bin" })).stdout).toBe(`${test.root}/bin x\n`)
      const env = [{ name: "PATH", value: "bin:/usr/bin:/bin" }]
      expect((await program("tool", ["y"], { env })).stdout).toBe(`${test.root} y\n`)
      expect((await program(join(test.root, "bin", "tool"), ["z"])).stdout).toBe(`${test.root} z\n`)
      const facts = (await program("sh", ["-c", "exit 127"])).facts
      expect(facts).toMatchObject({ outcome: { kind: "exited", exit_code: 127 }, summary: "sh -c exit 127" })
    })

    it("J2: what is no program is refused before a process exists, at admission and at the start", async () => {
      await writeFile(join(test.root, "plain"), "#!/bin/sh\ntouch ran\n", { mode: 0o644 })
      await writeFile(join(test.root, "orphan"), "#!/nowhere/interpreter\n", { mode: 0o755 })
      const kinds: unknown[] = []
      for (const executable of ["nope-xyz", "./nope", "./plain", "."]) {
        const spec = specFor(test.root, "", { command: { kind: "process", executable, args: [] } })
        await expect(test.runner.admit(spec)).rejects.toMatchObject({ executionState: "not_started" })
        kinds.push(await test.runner.start(spec).catch((error: { kind: string }) => error.kind))
        expect(await test.runner.facts(spec.jobId)).toMatchObject({ state: "ended", refused: {} })
      }
      expect(kinds).toEqual(["executable_not_found", "executable_not_found", "not_executable", "not_executable"])
      const spec = specFor(test.root, "", { command: { kind: "process", executable: "./orphan", args: [] } })
      await expect(test.runner.start(spec)).rejects.toMatchObject({ kind: "executable_not_found" })
      await expect(readFile(join(test.root, "ran"))).rejects.toMatchObject({ code: "ENOENT" })
    })

    it("J23: a script runs from a private file that is gone afterwards, and nothing is put into the Project", async () => {
      const script = (language: ScriptLanguage, text: string, more: Partial<StartSpec> = {}) =>
        run("", { command: { kind: "script", language, text, args: ["é"] }, ...more })
      const python = await script("python", "import sys; print(sys.argv[0]); print(sys.argv[1], sys.stdin.read())", {
        stdin: "日本",
      })
      const [file = "", rest] = python.stdout.split("\n")
      expect(rest).toBe("é 日本")
      await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" })
      expect((await script("bash", 'echo "$1"; exit 5')).facts.outcome).toEqual({ kind: "exited", exit_code: 5 })
      expect((await script("javascript", "console.log(process.argv[2])")).stdout).toBe("é\n")
      expect((await script("typescript", "const n: string = process.argv[2]!; console.log(n)")).stdout).toBe("é\n")
      expect(await readdir(test.root)).toEqual([])
      const env = [{ name: "PATH", value: "/nowhere" }]
      const missing = specFor(test.root, "", {
        env,
        command: { kind: "script", language: "python", text: "1", args: [] },
      })
      await expect(test.runner.admit(missing)).rejects.toMatchObject({
        kind: "interpreter_unavailable",
        details: { language: "python" },
        executionState: "not_started",
      })
    })

    it("J1: the same id never starts twice", async () => {
      const spec = specFor(test.root, "echo x >> ran; sleep 0.2")
      await Promise.all([test.runner.start(spec), test.runner.start(spec)])
      await runToEnd(test.runner, spec)
      expect(await readFile(join(test.root, "ran"), "utf8")).toBe("x\n")
    })

    it("J22: output never crosses between commands", async () => {
      const one = async (n: number) => run(`echo boom-${n} >&2; exit 3`)
      for (let round = 0; round < 10; round += 1) {
        const results = await Promise.all(Array.from({ length: 8 }, (_, index) => one(round * 8 + index)))
        expect(results.map(({ stderr, stdout, facts }) => [stderr, stdout, facts.outcome])).toEqual(
          results.map((_, index) => [`boom-${round * 8 + index}\n`, "", { kind: "exited", exit_code: 3 }]),
        )
      }
    })

    it("masks the literals that travel with a command before a byte is stored", async () => {
      const secrets = [{ name: "TOKEN", value: "hunter2secret" }]
      const spec = specFor(test.root, "printf hunter2; sleep 0.1; printf 'secret\\n'", { secrets })
      const { stdout, facts } = await runToEnd(test.runner, spec)
      expect(stdout).toBe("[redacted:TOKEN]\n")
      expect(facts.totals.stdout).toMatchObject({ bytes_total: 14, lines_total: 1, masked: 1 })
      expect(facts.summary).not.toContain("hunter2secret")
    })

    it("wakes watchers on output and at the end, and lists what is owed", async () => {
      const spec = specFor(test.root, "sleep 0.1; echo a; sleep 0.2; echo b")
      const started = await test.runner.start(spec)
      expect(started.state).toBe("running")
      const grown = await test.runner.watch(spec.jobId, { from: started.revision, until: "change" })
      expect(grown?.totals.stdout.bytes_total).toBe(2)
      const ended = await test.runner.watch(spec.jobId, { from: 0, until: "end" })
      expect(ended?.totals.stdout).toMatchObject({ bytes_total: 4, lines_total: 2 })
      expect((await test.runner.events({ since: 0 })).jobIds).toEqual([spec.jobId])
      expect((await test.runner.inventory()).map((facts) => facts.jobId)).toEqual([spec.jobId])
      await test.runner.ack([spec.jobId])
      expect(await test.runner.inventory()).toEqual([])
      expect(await readAll(test.runner, spec, "stdout")).toBe("a\nb\n")
    })
  })
}
