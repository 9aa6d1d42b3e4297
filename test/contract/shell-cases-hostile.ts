import { expect, it } from "vitest"
import { openShell, type ShellsUnderTest, sleepMs } from "./shell-fixture.ts"

/** Nothing a command does to its shell costs the user the shell. */
export function shellHostileCases(test: () => ShellsUnderTest): void {
  it.each([
    ["trap 'exit 9' DEBUG", 9],
    ["exec 1>&-", 0],
    ["unset PATH", 0],
    ["printf(){ :; }; builtin(){ :; }", 0],
    ["enable -n printf", 0],
    ["readonly PS1", 0],
    ["set -n", 0],
    ["IFS=/", 0],
    ["set -C", 0],
    ["set -k", 0],
    ["exec 2>&1", 0],
    ["PROMPT_COMMAND='echo noise'", 0],
  ])("L25: %s", async (text, code) => {
    const shell = await openShell(test())
    const first = await shell.run(text)
    expect([first.code, first.stdout, first.stderr]).toEqual([code, "", ""])
    const second = await shell.run("echo alive")
    expect([second.stdout, second.stderr, second.code]).toEqual(["alive\n", "", 0])
    expect(second.ms).toBeLessThan(3000)
  })

  it("L25: alias echo=false", async () => {
    const shell = await openShell(test())
    await shell.run("alias echo=false")
    expect(await shell.run("echo alive")).toMatchObject({ stdout: "", code: 1 })
  })

  it("L26: a shell without descriptors is replaced and says so", async () => {
    const shell = await openShell(test())
    const first = await shell.run("echo before; ulimit -n 3")
    expect(first.facts.outcome).toMatchObject({ kind: "unknown" })
    expect(first.stdout).toBe("before\n")
    expect(first.ms).toBeLessThan(5000)
    expect(first.facts.shell?.restarted?.reason).toBe("wedged")
    expect(await shell.run("echo alive")).toMatchObject({ stdout: "alive\n", code: 0 })
  })

  it.each([["ulimit -n 6"], [".(){ echo F; }"], ["alias .=false"], ["enable -n ."], ["set -r"]])(
    "L26a: %s",
    async (text) => {
      const shell = await openShell(test())
      const first = await shell.run(text)
      const second = await shell.run("echo alive")
      expect(second).toMatchObject({ stdout: "alive\n", code: 0 })
      const restarted = first.facts.shell?.restarted ?? second.facts.shell?.restarted
      expect(restarted?.reason).toBe("wedged")
      expect((await shell.run("echo again")).stdout).toBe("again\n")
    },
  )

  it("L26b: a file size limit of zero", async () => {
    const shell = await openShell(test())
    const first = await shell.run("ulimit -f 0; exit 3")
    expect(first.code).toBe(3)
    expect(first.facts.shell?.restarted?.reason).toBe("exited")
    const other = await openShell(test())
    await other.run("ulimit -f 0")
    await sleepMs(400)
    const alive = await other.run("echo alive")
    expect(alive.stdout).toBe("alive\n")
    expect(alive.facts.shell?.restarted).toBeUndefined()
  })

  it("L26c: a readonly TMOUT", async () => {
    const shell = await openShell(test())
    await shell.run("readonly TMOUT=1")
    await sleepMs(2500)
    const alive = await shell.run("echo alive")
    expect(alive.stdout).toBe("alive\n")
    expect(alive.facts.shell?.generation).toBeLessThanOrEqual(1)
  })

  it("L28: a command that writes into every descriptor it finds", async () => {
    const shell = await openShell(test())
    const ran = await shell.run("for f in 3 4 5 6 7 8 9 10 11; do echo EVIL >&$f; done 2>/dev/null; true")
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, "", ""])
    expect(await shell.run("echo right")).toMatchObject({ stdout: "right\n", stderr: "" })
  })

  it("L29: the directory is the kernel's, whatever its name and whatever PWD says", async () => {
    const shell = await openShell(test())
    const made = await shell.run(String.raw`d=$(printf '%s/a\037b\nc' "$PWD"); mkdir -p "$d"; cd "$d"`)
    expect(made.facts.shell?.cwd).toBe(`${test().root}/a\u001fb\nc`)
    expect((await shell.run("PWD=/spoof")).facts.shell?.cwd).toBe(`${test().root}/a\u001fb\nc`)
  })

  it("what a shell says beside its commands is read, and is no output", async () => {
    const shell = await openShell(test())
    await shell.run("trap 'printf %030000d 0; printf %030000d 0 >&2' DEBUG")
    // No sourced text inherits the trap, which speaks several times between two of them: more than a pipe holds.
    for (let n = 0; n < 8; n += 1) {
      const ran = await shell.run(":", { timeoutMs: 10_000 })
      expect(ran).toMatchObject({ code: 0, stdout: "", stderr: "" })
      expect(ran.facts.shell?.restarted).toBeUndefined()
    }
  })

  it("pipes that a command removes are missed by no other one", async () => {
    const [shell, other] = [await openShell(test()), await openShell(test())]
    const names = "o=$(readlink /proc/$$/fd/1); e=$(readlink /proc/$$/fd/2); [ -p $o ] && [ -p $e ] && rm -f $o $e"
    expect(await shell.run(`${names}; echo mine; (exit 4)`)).toMatchObject({ stdout: "mine\n", code: 4 })
    for (let n = 0; n < 3; n += 1)
      expect(await other.run("echo out; echo err >&2; (exit 5)")).toMatchObject({
        stdout: "out\n",
        stderr: "err\n",
        code: 5,
      })
  })

  it("L30: a directory that is gone", async () => {
    const shell = await openShell(test())
    await shell.run("mkdir x; cd x")
    const gone = await shell.run("rmdir ../x")
    expect(gone.code).toBe(0)
    expect(gone.facts.shell).toMatchObject({ cwdDeleted: true, cwd: `${test().root}/x` })
    const back = await shell.run("cd / && echo back")
    expect(back.stdout).toBe("back\n")
    expect(back.facts.shell).toMatchObject({ cwdDeleted: false, cwd: "/" })
  })

  it("L31: a `cd` counts although what followed failed", async () => {
    const shell = await openShell(test())
    await shell.run("cd /tmp && false")
    expect((await shell.run("pwd")).stdout).toBe("/tmp\n")
    expect((await shell.run("pwd", { resetCwd: true })).stdout).toBe(`${test().root}\n`)
  })

  it("L45: children see nothing of the server's environment", async () => {
    const shell = await openShell(test())
    const ran = await shell.run("env; tr '\\0' '\\n' </proc/$$/environ; locale 2>/dev/null | grep -i utf")
    expect(ran.stdout).not.toContain("SERVER_SECRET")
    expect(ran.stdout).toMatch(/^HOLDFAST_SHELL=[a-z2-7]{26}$/m)
    expect((await shell.run(`echo ${"日本語".repeat(2000)} | wc -m`)).stdout.trim()).toBe("6001")
  })
}
