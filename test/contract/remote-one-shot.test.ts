import { existsSync, readdirSync } from "node:fs"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import type { StreamName } from "../../core/jobs/record.ts"
import type { RunFacts, StartSpec } from "../../core/jobs/runner.ts"
import { openRemoteHost, type RemoteUnderTest, reachOf, settingsFor } from "./remote-fixture.ts"
import { startSshd, type TestSshd } from "./remote-sshd.ts"
import { ids, isAlive, sleepMs } from "./shell-fixture.ts"

let sshd: TestSshd
let test: RemoteUnderTest

beforeAll(async () => {
  sshd = await startSshd()
  test = await openRemoteHost(settingsFor(sshd))
})

afterAll(async () => {
  await test.close()
  await sshd.close()
})

afterEach(async () => {
  for (let tries = 0; tries < 50 && relays().length > 0; tries += 1) await sleepMs(100)
  expect(relays()).toEqual([])
})

/** Directories of one-shots on the target, which is this machine. */
const relays = (): readonly string[] => readdirSync("/tmp").filter((name) => name.startsWith(".hf-wc_job_"))

const specOf = (text: string, more: Partial<StartSpec> = {}): StartSpec => ({
  jobId: ids.job(),
  root: test.root,
  cwd: "",
  reach: reachOf(sshd),
  command: { kind: "shell", text },
  env: [],
  timeoutMs: 60_000,
  background: "end",
  secrets: [],
  ...more,
})

const textOf = async (jobId: StartSpec["jobId"], stream: StreamName): Promise<string> =>
  Buffer.from((await test.jobs.read(jobId, stream, { from: 0, max: 1_000_000 }))?.bytes ?? []).toString("utf8")

interface Ran {
  readonly facts: RunFacts
  readonly stdout: string
  readonly stderr: string
}

async function endOf(jobId: StartSpec["jobId"]): Promise<Ran> {
  const facts = await test.jobs.watch(jobId, { from: 0, until: "end" })
  if (facts === undefined) throw new Error("unknown Job")
  return { facts, stdout: await textOf(jobId, "stdout"), stderr: await textOf(jobId, "stderr") }
}

async function run(text: string, more: Partial<StartSpec> = {}): Promise<Ran> {
  const spec = specOf(text, more)
  await test.jobs.start(spec)
  return endOf(spec.jobId)
}

it("J25: shell text runs on the target, with its own streams, directory, input and environment", async () => {
  const ran = await run('test -n "$SSH_CONNECTION" && pwd; cat; echo "$A" >&2; exit 7', {
    cwd: "/usr",
    stdin: "given",
    env: [{ name: "A", value: "it's" }],
  })
  expect(ran).toMatchObject({ stdout: "/usr\ngiven", stderr: "it's\n" })
  expect(ran.facts.outcome).toEqual({ kind: "exited", exit_code: 7 })
})

it("J3: what the kernel said of the far process is told, not derived", async () => {
  expect((await run("exit 300")).facts.outcome).toEqual({ kind: "exited", exit_code: 44 })
  expect((await run("exit 137")).facts.outcome).toEqual({ kind: "exited", exit_code: 137 })
  expect((await run("kill -9 $$")).facts.outcome).toEqual({ kind: "signaled", signal: "SIGKILL" })
  expect((await run("kill -TERM $$")).facts.outcome).toEqual({ kind: "signaled", signal: "SIGTERM" })
  expect(
    await run("cat <<X\na\tb\nX\n", { command: { kind: "shell", shell: "sh", text: "cat <<X\na\tb\nX\n" } }),
  ).toMatchObject({
    stdout: "a\tb\n",
  })
})

it("no state goes from one to the next, and a directory that is not there refuses", async () => {
  await run("cd /usr; export B=1")
  expect((await run("echo [$B]")).stdout).toBe("[]\n")
  const spec = specOf("echo no", { cwd: "/nowhere/at/all" })
  await expect(test.jobs.start(spec)).rejects.toMatchObject({ kind: "cwd_invalid", details: { reason: "missing" } })
  expect((await test.jobs.facts(spec.jobId))?.refused).toMatchObject({ kind: "cwd_invalid" })
})

it("a timeout and a stop end the whole far tree", async () => {
  const text = "setsid sleep 300 & echo $!; trap '' TERM; sleep 301; touch F"
  const late = await run(text, { cwd: test.root, timeoutMs: 1500 })
  expect(late.facts).toMatchObject({ outcome: { kind: "timed_out", after_ms: 1500 }, survivors: [] })
  expect(await isAlive(Number(late.stdout))).toBe(false)
  const spec = specOf(text, { cwd: test.root })
  await test.jobs.start(spec)
  for (let tries = 0; tries < 50 && (await textOf(spec.jobId, "stdout")) === ""; tries += 1) await sleepMs(100)
  const stopped = await test.jobs.stop(spec.jobId, { cause: "stop_job", graceMs: 200 })
  expect(stopped?.outcome).toMatchObject({ kind: "cancelled", by: "stop_job" })
  expect(await isAlive(Number(await textOf(spec.jobId, "stdout")))).toBe(false)
  expect(existsSync(`${test.root}/F`)).toBe(false)
})

it("J7: what is left behind is ended, or kept and named until it is stopped", async () => {
  const ended = await run("sleep 60 & echo $!")
  expect(ended.facts).toMatchObject({ outcome: { kind: "exited", exit_code: 0 }, endedBackground: [{}] })
  expect(await isAlive(Number(ended.stdout))).toBe(false)
  const spec = specOf("(sleep 2; echo LATE; sleep 60) & echo fg", { background: "keep" })
  await test.jobs.start(spec)
  const kept = await endOf(spec.jobId)
  expect(kept).toMatchObject({ stdout: "fg\n", facts: { background: [{}], outputOpen: true } })
  for (let tries = 0; tries < 60 && !(await textOf(spec.jobId, "stdout")).includes("LATE"); tries += 1)
    await sleepMs(100)
  expect(await textOf(spec.jobId, "stdout")).toBe("fg\nLATE\n")
  const stopped = await test.jobs.stop(spec.jobId, { cause: "stop_job", graceMs: 200 })
  expect(stopped).toMatchObject({ outcome: { kind: "exited", exit_code: 0 }, background: [] })
})

it("a cut link costs nothing: until it stands the Job is out of reach, then the truth is told", async () => {
  const spec = specOf("for i in 1 2 3 4 5 6; do echo $i; sleep 1; done; exit 3")
  await test.jobs.start(spec)
  sshd.cut()
  const facts = await test.jobs.watch(spec.jobId, { from: 0, until: "answer" })
  sshd.mend()
  expect(facts).toMatchObject({ state: "running" })
  expect(facts?.recoveringSince).toBeGreaterThan(0)
  const end = await endOf(spec.jobId)
  expect(end).toMatchObject({ stdout: "1\n2\n3\n4\n5\n6\n", facts: { outcome: { kind: "exited", exit_code: 3 } } })
  expect(end.facts.recoveringSince).toBeUndefined()
})

it("3 MB in two streams arrive whole", async () => {
  const ran = await run("head -c 3000000 /dev/zero | tr '\\0' x; head -c 200000 /dev/zero | tr '\\0' y >&2")
  expect(ran.facts.totals).toMatchObject({ stdout: { bytes_total: 3_000_000 }, stderr: { bytes_total: 200_000 } })
})
