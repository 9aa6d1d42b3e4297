import { expect, it } from "vitest"
import { isAlive, openShell, type ShellsUnderTest, sleepMs } from "./shell-fixture.ts"

/** A shell whose process ends goes on under the same id. */
export function shellEndCases(test: () => ShellsUnderTest): void {
  it("L21: the exit status of the dying shell is the command's", async () => {
    const shell = await openShell(test())
    const seven = await shell.run("exit 7")
    expect(seven.facts).toMatchObject({
      outcome: { kind: "exited", exit_code: 7 },
      shell: { generation: 1, restarted: { reason: "exited", exit_code: 7, snapshot: "exit", commands_behind: 0 } },
    })
    expect((await shell.run("exit 300")).code).toBe(44)
    const errexit = await shell.run("set -e; false; echo no")
    expect(errexit).toMatchObject({ code: 1, stdout: "" })
    expect(errexit.facts.shell?.restarted).toMatchObject({ reason: "errexit" })
    expect(errexit.facts.shell?.restarted?.lost).toContain("errexit")
    const exec = await shell.run("exec echo replaced")
    expect(exec).toMatchObject({ stdout: "replaced\n", code: 0 })
    expect(exec.facts.shell?.restarted?.reason).toBe("exec")
    const killed = await shell.run("kill -9 $$")
    expect(killed.facts).toMatchObject({
      outcome: { kind: "signaled", signal: "SIGKILL" },
      shell: { restarted: { reason: "signaled", signal: "SIGKILL" } },
    })
    expect((await shell.run("echo ok")).stdout).toBe("ok\n")
  })

  it("L22: functions, variables, arrays, aliases, options, umask and directory come back", async () => {
    const shell = await openShell(test())
    await shell.run(
      "f(){ echo F; }; export A=1; declare -A m=([k]=v); alias g='echo G'; shopt -s nullglob; umask 027; cd /usr",
    )
    await sleepMs(400)
    await shell.run("set -e; false")
    const ran = await shell.run(`f; echo $A \${m[k]}; g; shopt nullglob; umask; pwd`)
    expect(ran.stdout.replace(/[ \t]+/g, " ")).toBe("F\n1 v\nG\nnullglob on\n0027\n/usr\n")
  })

  it("L23: an EXIT trap of the user's own runs, and what is known of the snapshot is said", async () => {
    const shell = await openShell(test())
    await shell.run("true")
    await sleepMs(400)
    const inOne = await shell.run('trap "echo bye" EXIT; exit 3')
    expect(inOne).toMatchObject({ stdout: "bye\n", code: 3 })
    expect(inOne.facts.shell?.restarted).toMatchObject({ snapshot: "idle", commands_behind: 1 })
    await shell.run('trap "echo bye" EXIT')
    await sleepMs(400)
    const earlier = await shell.run("exit 3")
    expect(earlier).toMatchObject({ stdout: "bye\n", code: 3 })
    expect(earlier.facts.shell?.restarted).toMatchObject({ snapshot: "exit", commands_behind: 0 })
  })

  it("what an EXIT trap writes after `set -e`, and in sh, is output of the command that ended the shell", async () => {
    const trap = "trap 'echo bye; echo err >&2' EXIT"
    const shell = await openShell(test())
    expect(await shell.run(`${trap}; set -e; false`)).toMatchObject({ stdout: "bye\n", stderr: "err\n", code: 1 })
    await shell.run(`set -x; ${trap}; set -e`)
    const traced = await shell.run("false")
    expect(traced).toMatchObject({ stdout: "bye\n", code: 1 })
    expect(traced.stderr.split("\n").slice(0, 4)).toEqual(["++ false", "+ echo bye", "+ echo err", "err"])
    const plain = await openShell(test(), { dialect: "sh" })
    expect(await plain.run(`${trap}; exit 3`)).toMatchObject({ stdout: "bye\n", stderr: "err\n", code: 3 })
    expect(await plain.run("echo ok")).toMatchObject({ stdout: "ok\n", stderr: "" })
  })

  it("L24: errors that jump to the top level end their command and nothing else", async () => {
    const shell = await openShell(test())
    const cases = [
      ["set -u; echo $NOPE", 1],
      [`set +u; echo \${N:?need}`, 1],
      ["readonly R=1; R=2; echo after", 1],
      ["echo $((1/0)); echo after", 1],
      ["return 5", 5],
      ["exec /nonexistent", 127],
    ] as const
    for (const [text, code] of cases) {
      const ran = await shell.run(text)
      expect([text, ran.code, ran.stdout]).toEqual([text, code, ""])
      expect(ran.facts.shell?.restarted).toBeUndefined()
      expect((await shell.run("echo ok")).stdout).toBe("ok\n")
    }
  })

  it("L48: `on_exit: close` ends with the shell", async () => {
    const shell = await openShell(test(), { onExit: "close" })
    const ran = await shell.run("echo last; exit 3")
    expect(ran).toMatchObject({ stdout: "last\n", code: 3 })
    expect(ran.facts.shell?.shellExited).toBe(true)
    expect(await test().shells.facts(shell.uid)).toMatchObject({ state: "closed", reason: "shell_exited" })
    await expect(shell.run("echo no")).rejects.toMatchObject({
      kind: "shell_closed",
      details: { reason: "shell_exited" },
    })
  })

  it("L52: a shell killed from outside while idle is restored at once", async () => {
    const shell = await openShell(test())
    const pid = Number((await shell.run("A=1; echo $$")).stdout)
    await sleepMs(400)
    process.kill(pid, "SIGKILL")
    await expect.poll(async () => (await test().shells.facts(shell.uid))?.generation, { timeout: 5000 }).toBe(1)
    const ran = await shell.run("echo $A")
    expect(ran.stdout).toBe("1\n")
    expect(ran.facts.shell?.restarted).toMatchObject({ reason: "killed_outside", snapshot: "idle" })
    expect((await shell.run("true")).facts.shell?.restarted).toBeUndefined()
  })

  it("nothing runs in an unexpected place when the directory went while the shell was dead", async () => {
    const shell = await openShell(test())
    const pid = Number((await shell.run("mkdir gone; cd gone; rmdir ../gone; echo $$")).stdout)
    process.kill(pid, "SIGKILL")
    await expect.poll(async () => (await test().shells.facts(shell.uid))?.generation, { timeout: 5000 }).toBe(1)
    await expect(shell.run("touch here")).rejects.toMatchObject({
      kind: "shell_cwd_lost",
      details: { cwd: test().root },
    })
    expect((await shell.run("pwd")).stdout).toBe(`${test().root}\n`)
  })

  it("background work of a dead shell lives on and is named", async () => {
    const shell = await openShell(test())
    const { facts } = await shell.run("sleep 100 &")
    const pid = facts.background[0]!.pid
    const ended = await shell.run("exit 1")
    expect(ended.facts.shell?.restarted?.lost).toContain(`pids ${pid}`)
    expect(await isAlive(pid)).toBe(true)
    await test().shells.close(shell.uid, { reason: "destroyed", background: "kill" })
    expect(await isAlive(pid)).toBe(false)
  })

  it("L60: sh goes on as bash does", async () => {
    const shell = await openShell(test(), { dialect: "sh" })
    const four = await shell.run("X=kept; exit 4")
    expect(four.code).toBe(4)
    expect(four.facts.shell?.restarted?.reason).toBe("exited")
    expect((await shell.run("echo $X")).stdout).toBe("kept\n")
    expect((await shell.run("if then")).code).toBe(2)
    expect((await shell.run("R=1; readonly R; R=2")).code).toBeGreaterThanOrEqual(1)
    const dot = await shell.run(". /nonexistent; echo after")
    expect([dot.code, dot.stdout]).toEqual([2, ""])
    expect((await shell.run("echo ok")).stdout).toBe("ok\n")
  })
}
