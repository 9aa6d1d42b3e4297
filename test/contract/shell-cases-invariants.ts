import { randomBytes, randomInt } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { bytesOf, openShell, type ShellsUnderTest } from "./shell-fixture.ts"

const ROUNDS = 30

/** Any byte but NUL, which no text of a shell can hold, and the quote that ends it. */
const plainBytes = (size: number): Buffer =>
  Buffer.from([...randomBytes(size)].map((byte) => (byte === 0 || byte === 39 ? 120 : byte)))

/** Commands that write these bytes into a stream, cut at random, some of them through a process of their own. */
function writer(bytes: Buffer, file: string, redirect: string): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = Math.min(bytes.length - at, randomInt(1, 3000))
    parts.push(`tail -c +${at + 1} ${file} | head -c ${size} ${redirect}`)
    at += size
  }
  return parts.join("; ")
}

const carriers = (marker: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(marker)
    } catch {
      return false
    }
  })

/** What holds for any text, any output and any number of commands (spec shells.md §16). */
export function shellInvariantCases(test: () => ShellsUnderTest): void {
  it("S1: random texts reach the shell byte for byte", async () => {
    const shell = await openShell(test(), { env: [{ name: "LC_ALL", value: "C" }] })
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = plainBytes(randomInt(1, 4000)).toString("utf8").replaceAll("'", "x")
      const ran = await shell.run(`printf %s '${text}'`)
      expect(ran.stdout === text).toBe(true)
    }
  })

  it("S2, S3: what is written in random pieces is kept whole, in order, and where it belongs", async () => {
    const shells = await Promise.all([openShell(test()), openShell(test())])
    await Promise.all(
      shells.map(async (shell, index) => {
        const file = join(test().root, `bytes-${index}`)
        for (let round = 0; round < 5; round += 1) {
          const [out, err] = [randomBytes(randomInt(1, 20_000)), randomBytes(randomInt(1, 20_000))]
          await writeFile(`${file}.o`, out)
          await writeFile(`${file}.e`, err)
          const text = `${writer(out, `${file}.o`, "")}; ${writer(err, `${file}.e`, ">&2")}`
          const ran = await shell.run(text)
          expect((await bytesOf(test().jobs, ran.jobId, "stdout")).equals(out)).toBe(true)
          expect((await bytesOf(test().jobs, ran.jobId, "stderr")).equals(err)).toBe(true)
        }
      }),
    )
  })

  it("S7: never two commands at a time", async () => {
    const shell = await openShell(test())
    await Promise.all(
      Array.from({ length: 12 }, () => shell.run("echo begin >>log; sleep 0.0$((RANDOM % 3)); echo end >>log")),
    )
    const { stdout } = await shell.run("cat log")
    expect(stdout).toBe("begin\nend\n".repeat(12))
  })

  it("S10: a shell leaves no process and no descriptor", async () => {
    const round = async (): Promise<string> => {
      const shell = await openShell(test())
      for (let index = 0; index < 5; index += 1) await shell.run("sleep 0.01 & true")
      await shell.run("sleep 100 & exit 1")
      await shell.run("setsid sleep 101 & setsid nohup sleep 102 >/dev/null 2>&1 &")
      await test().shells.close(shell.uid, { reason: "destroyed", background: "kill" })
      await test().shells.ack([shell.uid])
      return shell.uid
    }
    await round()
    const before = readdirSync("/proc/self/fd").length
    const uids = await Promise.all([round(), round(), round()])
    for (const uid of uids) expect(carriers(`HOLDFAST_SHELL=${uid}`)).toEqual([])
    await expect
      .poll(() => Math.abs(readdirSync("/proc/self/fd").length - before), { timeout: 5000 })
      .toBeLessThanOrEqual(8)
  })
}
