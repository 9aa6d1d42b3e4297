import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type ChildRun, runChild } from "../../../adapters/runners/local/git/child.ts"

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const value = await read()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error("it never came")
}

describe("a child process of an observing tool", () => {
  let home: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "hf-child-"))
    await writeFile(join(home, "slow.sh"), "#!/bin/sh\nsleep 300 &\necho $! > pid\necho out\necho bad >&2\nwait\n", {
      mode: 0o755,
    })
  })
  afterEach(() => rm(home, { recursive: true, force: true }))

  const run = (changes: Partial<ChildRun> = {}) =>
    runChild({
      binary: join(home, "slow.sh"),
      args: [],
      cwd: home,
      env: { PATH: process.env["PATH"] ?? "" },
      timeoutMs: 60_000,
      onOutput: () => true,
      ...changes,
    })
  const grandchild = () =>
    eventually(async () => {
      const text = await readFile(join(home, "pid"), "utf8").catch(() => "")
      return text.endsWith("\n") ? Number(text) : undefined
    })
  const goneSoon = (pid: number) => eventually(async () => (isAlive(pid) ? undefined : true))

  it("is killed with its whole group when the call is cancelled", async () => {
    const controller = new AbortController()
    const ended = expect(run({ signal: controller.signal })).rejects.toMatchObject({ kind: "cancelled" })
    const pid = await grandchild()
    controller.abort("client_cancelled")
    await ended
    expect(await goneSoon(pid)).toBe(true)
  })

  it("ends as timed out when the process shuts down, or time is up", async () => {
    const controller = new AbortController()
    const ended = run({ signal: controller.signal })
    const pid = await grandchild()
    controller.abort("shutdown")
    expect(await ended).toMatchObject({ stopped: "timeout" })
    expect(await goneSoon(pid)).toBe(true)
    expect(await run({ timeoutMs: 0 })).toEqual({ exitCode: null, stopped: "timeout", stderrTail: "" })
  })

  it("is killed when its reader has enough, and a reader's fault is the answer", async () => {
    const end = await run({ onOutput: () => false })
    expect(end.stopped).toBe("reader")
    expect(await goneSoon(await grandchild())).toBe(true)
    const fault = new Error("reader")
    await expect(
      run({
        onOutput: () => {
          throw fault
        },
      }),
    ).rejects.toBe(fault)
    expect(await goneSoon(await grandchild())).toBe(true)
  })
})
