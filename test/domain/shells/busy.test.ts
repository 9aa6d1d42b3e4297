import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createHarness, type Harness } from "../../support/harness.ts"
import { type BoundShell, boundShell, freeShell } from "./shell-under-test.ts"

let harness: Harness
let bound: BoundShell
beforeAll(async () => {
  harness = await createHarness()
  bound = await boundShell(harness, "alpha")
})
afterAll(() => harness[Symbol.asyncDispose]())

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe("L37: one command at a time", () => {
  it("a second one of a free shell waits, and says how long", async () => {
    const shell = await freeShell(harness)
    const [first, second] = await Promise.all([shell.run("sleep 0.4; echo one"), shell.run("echo two")])
    expect(first).toMatchObject({ stdout: "one" })
    expect(second).toMatchObject({ stdout: "two", queued_ms: expect.any(Number) })
    expect(Number(second.queued_ms)).toBeGreaterThan(0)
    expect(first.queued_ms).toBeUndefined()
  })

  it("a second one of a bound shell is told which runs", async () => {
    const first = bound.run("sleep 1; echo one")
    await pause(300)
    const error = await bound.fails("echo two")
    expect(error).toMatchObject({ kind: "shell_busy", recovery: "retry_later", execution_state: "not_started" })
    const { job_id } = await first
    expect(error.details).toMatchObject({ job_id, waiting: 0, running_ms: expect.any(Number) })
  })

  it("of 18 at once one is refused: 16 wait", async () => {
    const shell = await freeShell(harness)
    const answers = await Promise.all(Array.from({ length: 18 }, (_, i) => shell.call(`sleep 0.05; echo ${i}`)))
    const failed = answers.flatMap(({ result }) => (result.success ? [] : [result.error.kind]))
    expect(failed).toEqual(["shell_busy"])
    const outputs = answers.flatMap(({ result }) => (result.success ? [Reflect.get(result.output, "stdout")] : []))
    expect(new Set(outputs).size).toBe(17)
  })

  it("waiters are served in their order", async () => {
    const shell = await freeShell(harness)
    const all = [shell.run("sleep 0.3; ORDER=0")]
    for (let i = 1; i <= 5; i += 1) {
      await pause(20)
      all.push(shell.run(`ORDER=$ORDER-${i}`))
    }
    await Promise.all(all)
    expect(await shell.run("echo $ORDER")).toMatchObject({ stdout: "0-1-2-3-4-5" })
  })

  it("a waiter whose time is over was not started", async () => {
    const shell = await freeShell(harness)
    const first = shell.run("sleep 2.5")
    await pause(100)
    const error = await shell.fails("echo late", {}, { deadlineMs: 3000 })
    expect(error).toMatchObject({ kind: "shell_busy", execution_state: "not_started" })
    await first
  })
})

it("L49: a command that outlives its call goes on in the shell and keeps what it made", async () => {
  const shell = await freeShell(harness)
  const begun = performance.now()
  const handed = await shell.run("sleep 6; X=set", { timeout_secs: 60 }, { deadlineMs: 5000 })
  const took = performance.now() - begun
  expect(took).toBeGreaterThanOrEqual(2900)
  expect(took).toBeLessThan(4500)
  expect(handed).toMatchObject({ exit_code: null, execution_state: "running", promoted_to_job: true })
  expect(handed.observation_token).toMatch(/^jo1_/)
  const error = await shell.fails("echo now", { when_busy: "fail" })
  expect(error).toMatchObject({ kind: "shell_busy", details: { job_id: handed.job_id } })
  const seen = await harness.ok("job_log", {
    job_id: handed.job_id,
    after_observation_token: handed.observation_token,
    wait_secs: 10,
    wake_on: "terminal",
  })
  expect(seen).toMatchObject({ terminal: true, status: "completed", exit_code: 0 })
  expect(await shell.run("echo $X")).toMatchObject({ stdout: "set" })
})

it("L50: detach gives the running command its process and goes on in a new one", async () => {
  const shell = await freeShell(harness)
  const handed = await shell.run("sleep 3; exit 0", { sync_wait_secs: 0 })
  const output = await shell.run("echo $$", { when_busy: "detach" })
  expect(output).toMatchObject({ exit_code: 0, shell_restarted: { reason: "detached" } })
  const { sessions } = await harness.ok("session_list")
  expect(sessions).toContainEqual(expect.objectContaining({ session_id: shell.id, generation: 1, busy: false }))
  const seen = await harness.ok("observe_jobs", {
    items: [{ job_id: handed.job_id }],
    wait_secs: 8,
    wake_on: "terminal",
  })
  expect(seen).toMatchObject({ results: [{ terminal: true, exit_code: 0 }] })
})

it("sync_wait_secs 0 hands over at once", async () => {
  const shell = await freeShell(harness)
  const handed = await shell.run("sleep 1; echo done", { sync_wait_secs: 0 })
  expect(handed).toMatchObject({ execution_state: "running", promoted_to_job: true })
  await shell.run("true")
  expect(await harness.ok("job_log", { job_id: handed.job_id })).toMatchObject({ stdout: { text: "done\n" } })
})

it("a caller who cancels while waiting started nothing", async () => {
  const shell = await freeShell(harness)
  const first = shell.run("sleep 1")
  await pause(100)
  const leaving = new AbortController()
  const second = shell.fails("touch STARTED", {}, { signal: leaving.signal })
  await pause(100)
  leaving.abort()
  expect(await second).toMatchObject({ kind: "cancelled", execution_state: "not_started", details: { by: "caller" } })
  await first
  expect(await shell.run("ls STARTED")).toMatchObject({ exit_code: 2 })
})
