import { expect, it } from "vitest"
import { bytesOf, isAlive, openShell, type ShellsUnderTest, sleepMs, textOf } from "./shell-fixture.ts"

/** Every byte a command writes is kept and is that command's. */
export function shellOutputCases(test: () => ShellsUnderTest): void {
  it("L9: nothing is added and nothing taken", async () => {
    const shell = await openShell(test())
    expect((await shell.run(String.raw`printf '\n\nx\n\n'`)).stdout).toBe("\n\nx\n\n")
    expect((await shell.run("printf 'no nl'")).stdout).toBe("no nl")
  })

  it("L10: bytes that are no text stay what they are", async () => {
    const shell = await openShell(test())
    const ran = await shell.run(String.raw`printf 'a\0b'; printf '\xff\xfe'`)
    expect([...(await bytesOf(test().jobs, ran.jobId, "stdout"))]).toEqual([97, 0, 98, 255, 254])
  })

  it("L12: two streams keep their lines, merged ones their order", async () => {
    const shell = await openShell(test())
    const text = "for ((i = 1; i <= 20000; i++)); do echo o$i; echo e$i >&2; done"
    const split = await shell.run(text)
    expect(split.stdout.split("\n").length).toBe(20_001)
    expect(split.stderr.split("\n").length).toBe(20_001)
    const merged = await shell.run(text, { streams: "merged" })
    const expected = Array.from({ length: 20_000 }, (_, index) => `o${index + 1}\ne${index + 1}\n`).join("")
    expect(merged.stdout === expected).toBe(true)
    expect(merged.stderr).toBe("")
  })

  it("L13: the names of the streams can be opened", async () => {
    const shell = await openShell(test())
    const ran = await shell.run("echo x >/dev/stdout; echo y >/dev/stderr; echo z | tee /dev/stderr")
    expect(ran).toMatchObject({ stdout: "x\nz\n", stderr: "y\nz\n" })
  })

  it("L19: a flood is cut at its time, and the next result is clean", async () => {
    const shell = await openShell(test())
    const flood = await shell.run("yes", { timeoutMs: 1000 })
    expect(flood.facts.outcome).toMatchObject({ kind: "timed_out", after_ms: 1000 })
    expect((await shell.run("echo clean")).stdout).toBe("clean\n")
  })

  it("L20: ten million bytes without a newline", async () => {
    const shell = await openShell(test())
    const { facts } = await shell.run("head -c 10000000 /dev/zero")
    expect(facts.totals.stdout.bytes_total).toBe(10_000_000)
    expect((await shell.run("echo clean")).stdout).toBe("clean\n")
  })

  it("L32: late output is that of the command that started its writer", async () => {
    const shell = await openShell(test())
    const first = await shell.run("(sleep 1; echo LATE) & echo fg")
    expect(first.stdout).toBe("fg\n")
    expect(first.facts.background).toMatchObject([{ holdsOutput: true }])
    await expect.poll(() => textOf(test().jobs, first.jobId, "stdout"), { timeout: 5000 }).toBe("fg\nLATE\n")
    const second = await shell.run("echo second")
    expect(second.stdout).toBe("second\n")
    expect(second.facts.shell?.lateOutput).toEqual([{ jobId: first.jobId, bytes: 5 }])
    expect((await shell.run("echo third")).facts.shell?.lateOutput).toEqual([])
  })

  it("L33: background work is named and waited for by nobody", async () => {
    const shell = await openShell(test())
    const holding = await shell.run("sleep 60 & echo started")
    expect(holding).toMatchObject({ stdout: "started\n", code: 0 })
    expect(holding.ms).toBeLessThan(2000)
    expect(holding.facts.background).toMatchObject([{ command: "sleep 60", holdsOutput: true }])
    const quiet = await shell.run("sleep 61 </dev/null >/dev/null 2>&1 & echo a")
    expect(quiet.facts.background).toMatchObject([{ command: "sleep 61", holdsOutput: false }])
    const pids = [holding, quiet].map(({ facts }) => facts.background[0]!.pid)
    await test().shells.close(shell.uid, { reason: "destroyed", background: "kill" })
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false])
  })

  it("output of a process substitution that ends by itself belongs to the result", async () => {
    const shell = await openShell(test())
    expect((await shell.run("echo hi > >(cat)")).stdout).toBe("hi\n")
  })

  it("L46: a secret is masked before a byte is stored, also when it comes in parts", async () => {
    const shell = await openShell(test(), { secrets: [{ name: "KEY", value: "sk-ABCDEFGHIJ" }] })
    const ran = await shell.run(String.raw`printf 'sk-ABC'; sleep .2; printf '\033[31mDEFGHIJ\n'; echo plain`)
    expect(ran.stdout).not.toContain("sk-ABC")
    expect(ran.stdout).toContain("plain\n")
    expect(ran.facts.totals.stdout.masked).toBe(1)
    await shell.run("MY_TOKEN=hunter2hunter2")
    const learned = await shell.run("echo $MY_TOKEN")
    expect(learned.stdout).not.toContain("hunter2")
  })

  it("L11: a character written in two parts arrives whole", async () => {
    const shell = await openShell(test())
    const begun = await shell.begin(String.raw`printf 'a\xe2'; sleep .3; printf '\x82\xac z'`)
    await sleepMs(100)
    expect((await shell.end(begun)).stdout).toBe("a€ z")
  })
}
