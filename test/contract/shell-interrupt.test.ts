import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, describe, expect, it } from "vitest"
import { systemProcessTable } from "../../adapters/runners/local/host/process-table.ts"
import { createProcessTree } from "../../adapters/runners/local/host/tree.ts"
import { createChildren } from "../../adapters/runners/local/shells/children.ts"
import { spareSignal } from "../../adapters/runners/local/shells/interrupt/abort-trap.ts"
import { climbLadder } from "../../adapters/runners/local/shells/interrupt/ladder.ts"
import { systemProcessLook } from "../../adapters/runners/local/shells/interrupt/process-look.ts"
import { noteProtected } from "../../adapters/runners/local/shells/interrupt/protect.ts"
import { createSendSignal } from "../../adapters/runners/local/shells/interrupt/send-signal.ts"
import type { InterruptPorts, LadderReport, LadderSignal } from "../../adapters/runners/local/shells/interrupt/types.ts"
import { createWedgeDetector } from "../../adapters/runners/local/shells/interrupt/wedge.ts"
import { type FifoShell, type FifoShellOptions, openFifoShell } from "../support/fifo-shell.ts"

const processes = systemProcessTable()
const ports: InterruptPorts = { processes, look: systemProcessLook(), send: createSendSignal(processes) }
const opened: FifoShell[] = []

async function open(options: FifoShellOptions = {}): Promise<FifoShell> {
  const shell = await openFifoShell(options)
  opened.push(shell)
  await shell.run("true")
  return shell
}

afterEach(async () => {
  for (const shell of opened.splice(0)) await shell.close()
})

const identity = (shell: FifoShell) => ({ pid: shell.pid, startTime: processes.read(shell.pid)?.startTime ?? -1 })

function childrenOf(shell: FifoShell): readonly number[] {
  const children = createChildren(shell.pid, processes)
  try {
    return children.look()
  } finally {
    children.close()
  }
}

interface Stopped {
  readonly report: LadderReport
  readonly status: number | undefined
  readonly tookMs: number
}

/** Runs a text, and stops it a while later. */
async function stop(
  shell: FifoShell,
  text: string,
  options: { afterMs?: number; canAbort?: boolean } = {},
): Promise<Stopped> {
  const spared = noteProtected(identity(shell), childrenOf(shell), processes)
  const token = shell.send(text)
  await sleep(options.afterMs ?? 300)
  const settled = new AbortController()
  const isOver = (): boolean => shell.statusOf(token) !== undefined || shell.process.exitCode !== null
  const over = (async () => {
    while (!settled.signal.aborted && !isOver()) await sleep(5)
    if (settled.signal.aborted) await new Promise(() => undefined)
  })()
  const begun = performance.now()
  const spec = { shell: identity(shell), protected: spared, canAbort: options.canAbort ?? true, over, isOver }
  const report = await climbLadder(spec, ports)
  const tookMs = performance.now() - begun
  settled.abort()
  return { report, status: shell.statusOf(token), tookMs }
}

const PATTERNS: readonly string[] = [
  "while :; do :; done; touch F",
  "bash -c 'trap \"\" INT TERM; sleep 30'; touch F",
  'trap "" INT TERM; sleep 30; touch F',
  "setsid sleep 30; touch F",
  "x=$(sleep 30); touch F",
  "sleep 30 | cat; touch F",
  "sleep 30; touch F",
  "for i in 1 2 3; do sleep 30; done; touch F",
  "(sleep 30; touch F); touch F",
  "f() { sleep 30; touch F; }; f; touch F",
  "trap 'echo mine' INT; sleep 30; touch F",
  "sleep 30 & wait; touch F",
  "set -eu; sleep 30; touch F",
  "eval 'sleep 30; touch F'; touch F",
  "kill -STOP $$; touch F",
  "python3 -c 'import signal,time; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(30)'; touch F",
  "read x < <(sleep 30); touch F",
  "alias kill='kill -9'; sleep 30; touch F",
]

describe("the interrupt ladder", () => {
  it.each(PATTERNS)("L35: nothing behind %s runs, and the shell lives", async (text) => {
    const shell = await open()
    await shell.run("kept=1")
    const { report, status, tookMs } = await stop(shell, text)
    expect(report).toMatchObject({ end: "over", survivors: [] })
    expect(status).not.toBe(undefined)
    expect(tookMs).toBeLessThan(3000)
    expect(await shell.run("echo $kept")).toMatchObject({ status: 0, stdout: "1\n" })
    expect(existsSync(join(shell.directory, "F"))).toBe(false)
    expect(childrenOf(shell)).toHaveLength(text.includes("&") ? 1 : 0)
  })

  it("L34: older background work survives, the command's own goes", async () => {
    const shell = await open()
    await shell.run("sleep 100 &")
    const { report } = await stop(shell, "sleep 30; touch F")
    expect(report).toMatchObject({ end: "over", step: 1 })
    expect((await shell.run("jobs -r | wc -l; jobs -p")).stdout).toMatch(/^1\n\d+\n$/)
  })

  it("older work that lost its parent survives even the last step", async () => {
    const shell = await open()
    const older = Number((await shell.run("(sleep 100 >/dev/null 2>&1 & echo $!)")).stdout)
    await sleep(50)
    const { report } = await stop(shell, "sleep 30", { canAbort: false })
    expect(report).toMatchObject({ end: "killed", step: 4, survivors: [] })
    expect(processes.read(older)?.zombie).toBe(false)
    process.kill(older, "SIGKILL")
  })

  it.each(["trap '' STKFLT; sleep 30; touch F", "trap - STKFLT; sleep 30; touch F"])(
    "L35: where %s took the abort trap away, the shell goes first",
    async (text) => {
      const shell = await open()
      const { report, status, tookMs } = await stop(shell, text)
      expect(report).toMatchObject({ end: "killed", step: 4, survivors: [] })
      expect(await shell.exit).toEqual({ code: null, signal: "SIGKILL" })
      expect(status).toBe(undefined)
      expect(tookMs).toBeLessThan(1500)
      await sleep(100)
      expect(existsSync(join(shell.directory, "F"))).toBe(false)
    },
  )

  it("a shell that does not react is killed after the third step", async () => {
    const shell = await open()
    const { report, tookMs } = await stop(shell, "builtin() { :; }; while :; do :; done; touch F")
    expect(report).toMatchObject({ end: "killed", step: 4, survivors: [] })
    expect(tookMs).toBeGreaterThanOrEqual(2990)
    expect(existsSync(join(shell.directory, "F"))).toBe(false)
  })

  it("a plain sh ends before the rest and leaves a snapshot of that moment", async () => {
    const shell = await open({ dialect: "sh" })
    const { report } = await stop(shell, "new=1; sleep 30; touch F")
    expect(report).toMatchObject({ end: "over", step: 1 })
    expect(await shell.exit).toEqual({ code: 130, signal: null })
    expect((await shell.exitWrite())?.snapshot.variables).toContainEqual({
      name: "new",
      attributes: "",
      assignment: "new='1'",
    })
    expect(existsSync(join(shell.directory, "F"))).toBe(false)
  })

  it("no spare signal follows once the status is there", async () => {
    const shell = await open()
    const sent: LadderSignal[] = []
    const send = (_target: unknown, signal: LadderSignal): boolean => sent.push(signal) > 0
    const spec = { shell: identity(shell), protected: noteProtected(identity(shell), [], processes), canAbort: true }
    const over = sleep(700)
    const report = await climbLadder({ ...spec, over, isOver: () => true }, { ...ports, send })
    expect(report).toMatchObject({ end: "over", step: 2 })
    expect(sent).toEqual([])
  })

  it("L17: a process of the same pid and another start is not signalled", async () => {
    const shell = await open()
    const { pid, startTime } = identity(shell)
    expect(ports.send({ pid, startTime: startTime - 1 }, "SIGKILL")).toBe(false)
    expect(ports.send({ pid, startTime }, "SIGCONT")).toBe(true)
    expect(await shell.run("echo alive")).toMatchObject({ stdout: "alive\n" })
  })

  it("L17: the session of a recycled pid is a stranger's", async () => {
    const shell = await open()
    await shell.run("sleep 100 &")
    const { pid, startTime } = identity(shell)
    const marker = "HOLDFAST_SHELL=none"
    const members = (main: { readonly pid: number; readonly startTime: number }) =>
      createProcessTree({ marker, main }, processes).members()
    expect(members({ pid, startTime: startTime - 1 })).toEqual([])
    expect(members({ pid, startTime })).toHaveLength(2)
  })

  it("1,000 spare signals at random moments of short commands and while idle end no shell", async () => {
    const shell = await open()
    const texts = [
      ":",
      "true; true",
      "/bin/true",
      "x=$(echo y); :",
      "for i in 1 2 3; do :; done",
      "echo a | cat",
      "set -eu; :; set +eu",
    ]
    const target = identity(shell)
    let sent = 0
    const signals = (async () => {
      for (; sent < 1000; sent += 1) {
        if (!ports.send(target, spareSignal())) return
        await sleep(Math.random() * 4)
      }
    })()
    let ran = 0
    for (; sent < 1000 && shell.process.exitCode === null; ran += 1) {
      if ((await shell.run(texts[ran % texts.length] ?? ":")).status === undefined) break
      if (ran % 10 === 0) await sleep(Math.random() * 20)
    }
    await signals
    expect(sent).toBe(1000)
    expect(ran).toBeGreaterThan(50)
    expect(await shell.run("echo alive $$")).toMatchObject({ status: 0, stdout: `alive ${shell.pid}\n` })
  }, 60_000)
})

describe("wedge detection", () => {
  async function watch(
    shell: FifoShell,
    text: string,
    look = ports.look,
  ): Promise<{ answers: readonly string[]; tookMs: number }> {
    const spared = noteProtected(identity(shell), childrenOf(shell), processes)
    const { dev, ino } = statSync(join(shell.directory, "in"))
    const token = shell.send(text)
    const subject = {
      shell: identity(shell),
      input: { dev, ino },
      protected: spared,
      children: () => childrenOf(shell),
    }
    const detector = createWedgeDetector(subject, { look, processes })
    const answers: string[] = []
    const begun = performance.now()
    while (shell.statusOf(token) === undefined && answers.at(-1) !== "wedged" && performance.now() - begun < 6000) {
      await sleep(100)
      if (shell.statusOf(token) === undefined) answers.push(detector.sample())
    }
    return { answers, tookMs: performance.now() - begun }
  }

  const WEDGED = ["ulimit -n 3", "shopt -s extdebug; trap 'false' DEBUG", "set -r", "ulimit -n 3; sleep 0.3 | cat"]

  it.each(WEDGED)("L26: a shell after %s is known to wait for ever, within 1 s", async (text) => {
    const { answers, tookMs } = await watch(await open(), text)
    expect(answers.at(-1)).toBe("wedged")
    expect(tookMs).toBeLessThan(1500)
  })

  it("L26: where its system call may not be read, within some seconds", async () => {
    const blind = { ...ports.look, readsInput: () => undefined }
    const { answers, tookMs } = await watch(await open(), "ulimit -n 3", blind)
    expect(answers.at(-1)).toBe("wedged")
    expect(tookMs).toBeGreaterThan(1900)
  })

  const WORKING = [
    "sleep 1",
    "end=$((SECONDS+2)); while ((SECONDS < end)); do :; done",
    "sleep 1 | cat",
    "read -t 1 x < <(sleep 2)",
    "sleep 1 & wait",
  ]

  it.each(WORKING.flatMap((text) => [[text, true] as const, [text, false] as const]))(
    "%s is no wedge (system calls read: %s)",
    async (text, sees) => {
      const look = sees ? ports.look : { ...ports.look, readsInput: () => undefined }
      const { answers } = await watch(await open(), text, look)
      expect(answers.length).toBeGreaterThan(5)
      expect(answers).not.toContain("wedged")
    },
  )
})
