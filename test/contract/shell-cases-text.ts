import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { openShell, type ShellsUnderTest } from "./shell-fixture.ts"

/** Random valid Unicode of this many bytes: every code point but NUL, surrogates and newline. */
function randomText(bytes: number): string {
  let text = ""
  let left = bytes
  while (left > 0) {
    const limits = [0x7f, 0x7ff, 0xffff, 0x10ffff] as const
    const limit = limits[Math.floor(Math.random() * Math.min(4, left))] ?? 0x7f
    const code = 1 + Math.floor(Math.random() * limit)
    if (code === 10 || (code >= 0xd800 && code <= 0xdfff)) continue
    const char = String.fromCodePoint(code)
    if (Buffer.byteLength(char) > left) continue
    text += char
    left -= Buffer.byteLength(char)
  }
  return text
}

/** The bytes the shell sees are the bytes sent. */
export function shellTextCases(test: () => ShellsUnderTest): void {
  it("L1: directory and variables stay from command to command", async () => {
    const shell = await openShell(test())
    const first = await shell.run("mkdir -p srv/app && cd srv/app && export ENV=prod")
    expect(first.facts).toMatchObject({ outcome: { kind: "exited", exit_code: 0 }, shell: { generation: 0 } })
    const second = await shell.run("pwd")
    expect(second.stdout).toBe(`${test().root}/srv/app\n`)
    expect(second.facts.shell?.cwd).toBe(`${test().root}/srv/app`)
    expect((await shell.run("echo $ENV")).stdout).toBe("prod\n")
  })

  it("L2: status and both streams of a function", async () => {
    const shell = await openShell(test())
    const ran = await shell.run("echo e >&2; exit_test(){ return 3; }; exit_test")
    expect(ran).toMatchObject({ stdout: "", stderr: "e\n", code: 3 })
  })

  it("L5: comments, trailing ampersands and broken syntax reach the shell as sent", async () => {
    const shell = await openShell(test())
    expect(await shell.run("echo hi # c")).toMatchObject({ stdout: "hi\n", code: 0 })
    expect(await shell.run("sleep 0.01 &")).toMatchObject({ code: 0 })
    for (const text of ["if then", "echo 'abc", "}"]) {
      const broken = await shell.run(text)
      expect(broken.code).toBe(2)
      expect((await shell.run("echo ok")).stdout).toBe("ok\n")
      if (text === "if then") expect(broken.stderr).toContain("syntax error")
    }
  })

  it("L6: TABs, unterminated heredocs, a trailing backslash and `!` are not touched", async () => {
    const shell = await openShell(test())
    expect((await shell.run("cat <<X\na\tb\nX")).stdout).toBe("a\tb\n")
    const open = await shell.run("cat <<X\nabc")
    expect(open).toMatchObject({ stdout: "abc\n", code: 0 })
    expect(open.stderr).toContain("here-document")
    expect((await shell.run("echo a \\")).stdout).toBe("a \\\n")
    expect((await shell.run('echo "a!b"')).stdout).toBe("a!b\n")
  })

  it("L7: random Unicode of any size arrives byte for byte", async () => {
    const shell = await openShell(test())
    for (const size of [512, 513, 4096, 65_535, 65_536, 1_000_000]) {
      const text = randomText(size)
      const { stdout } = await shell.run(`sha256sum <<'E'\n${text}\nE`)
      expect(stdout.slice(0, 64)).toBe(createHash("sha256").update(`${text}\n`).digest("hex"))
    }
  })

  it("L8: blank text is answered at once", async () => {
    const shell = await openShell(test())
    expect(await shell.run("  \n")).toMatchObject({ stdout: "", stderr: "", code: 0 })
    expect(await shell.run("")).toMatchObject({ stdout: "", stderr: "", code: 0 })
  })

  it("L27: `set -x` shows the text alone", async () => {
    const shell = await openShell(test())
    expect(await shell.run("set -x; echo a")).toMatchObject({ stdout: "a\n", stderr: "++ echo a\n" })
    expect((await shell.run("true")).stdout).toBe("")
  })

  it("L36: input is empty, the terminal is none, and stdin text comes whole", async () => {
    const shell = await openShell(test())
    expect((await shell.run("cat; echo rc=$?")).stdout).toBe("rc=0\n")
    const tty = await shell.run("read x </dev/tty")
    expect(tty.code).toBeGreaterThan(0)
    expect(tty.ms).toBeLessThan(2000)
    expect((await shell.run("tty")).stdout).toBe("not a tty\n")
    expect((await shell.run("wc -l", { stdin: "a\nb" })).stdout.trim()).toBe("1")
    expect((await shell.run("cat", { stdin: "日本" })).stdout).toBe("日本")
    const commit = await shell.run("git init -q r && cd r && touch f && git add f && git commit; cd ..")
    expect(commit.stderr).toContain("false")
  })

  it("variables of one command do not stay, whatever they are", async () => {
    const shell = await openShell(test())
    const env = [{ name: "MINE", value: 'it\'s\n"x" $y' }]
    expect((await shell.run('printf "%s" "$MINE"; env | grep -c ^MINE=', { env })).stdout).toBe(`${env[0]?.value}1\n`)
    expect((await shell.run('echo "[$MINE]"; return 3', { env: [] })).stdout).toBe("[]\n")
    expect((await shell.run("set -o posix; true", { env })).code).toBe(0)
    expect((await shell.run('echo "[$MINE]"')).stdout).toBe("[]\n")
  })

  it("a command under a terminal of its own", async () => {
    const shell = await openShell(test())
    if (!(await test().shells.capabilities()).tty) return
    const ran = await shell.run("tty >/dev/null && echo yes; stty size; echo e >&2; exit 4", { tty: true })
    expect(ran).toMatchObject({ stdout: "yes\r\n40 120\r\ne\r\n", stderr: "", code: 4 })
    expect((await shell.run("echo after")).stdout).toBe("after\n")
  })
}
