import { readFile } from "node:fs/promises"
import type { JobRunner, RunFacts } from "../../core/jobs/runner.ts"
import { createIds, type JobId, type ShellUid } from "../../core/kernel/ids.ts"
import type { ShellCommandSpec, ShellRunner, ShellSpec } from "../../core/shells/runner.ts"

/** Both halves of a Runner over real processes. */
export interface ShellsUnderTest {
  readonly jobs: JobRunner
  readonly shells: ShellRunner
  /** A fresh directory of the test's own, its real path. */
  readonly root: string
  close(): Promise<void>
}

/** What came of one command. */
export interface Ran {
  readonly jobId: JobId
  readonly facts: RunFacts
  readonly stdout: string
  readonly stderr: string
  /** Of an outcome `exited`. */
  readonly code: number | undefined
  readonly ms: number
}

/** One live shell, as a test speaks to it. */
export interface TestShell {
  readonly uid: ShellUid
  /** Claims, runs, waits for the end, reads both streams. */
  run(text: string, more?: RunOptions): Promise<Ran>
  /** Claims and starts. */
  begin(text: string, more?: RunOptions): Promise<JobId>
  /** Waits for the end of what was begun. */
  end(jobId: JobId): Promise<Ran>
  pid(): Promise<number>
}

export type RunOptions = Partial<ShellCommandSpec> & { readonly whenBusy?: "wait" | "fail" | "detach" }

export const ids = createIds()

/** A spec with the defaults that a tool would fill in. */
export function shellSpec(test: Pick<ShellsUnderTest, "root">, more: Partial<ShellSpec> = {}): ShellSpec {
  return {
    shellUid: ids.shellUid(),
    reach: { kind: "local" },
    dialect: "bash",
    exact: true,
    cwd: test.root,
    env: [],
    onExit: "restore",
    idleTtlMs: 0,
    backgroundTtlMs: 28_800_000,
    secrets: [],
    ...more,
  }
}

/** Opens one. */
export async function openShell(test: ShellsUnderTest, more: Partial<ShellSpec> = {}): Promise<TestShell> {
  const spec = shellSpec(test, more)
  await test.shells.open(spec)
  return shellOf(test, spec.shellUid)
}

/** Speaks to one that is open. */
export function shellOf(test: ShellsUnderTest, uid: ShellUid): TestShell {
  const begin = async (text: string, { whenBusy = "wait", ...more }: RunOptions = {}): Promise<JobId> => {
    const { claimId } = await test.shells.claim(uid, { whenBusy })
    const jobId = ids.job()
    await test.shells.exec({
      jobId,
      claimId,
      shellUid: uid,
      text,
      streams: "split",
      tty: false,
      env: [],
      resetCwd: false,
      timeoutMs: 60_000,
      secrets: [],
      ...more,
    })
    return jobId
  }
  const end = async (jobId: JobId, since = performance.now()): Promise<Ran> => {
    const facts = await test.jobs.watch(jobId, { from: 0, until: "end" })
    if (facts === undefined) throw new Error("the runner forgot a Job that nobody acknowledged")
    const ms = performance.now() - since
    const code = facts.outcome?.kind === "exited" ? facts.outcome.exit_code : undefined
    const stdout = await textOf(test.jobs, jobId, "stdout")
    return { jobId, facts, stdout, stderr: await textOf(test.jobs, jobId, "stderr"), code, ms }
  }
  return {
    uid,
    begin,
    end,
    async run(text, more) {
      const since = performance.now()
      return end(await begin(text, more), since)
    },
    async pid() {
      return Number((await end(await begin("echo $$"))).stdout)
    },
  }
}

/** All retained bytes of a stream. */
export async function bytesOf(jobs: JobRunner, jobId: JobId, stream: "stdout" | "stderr"): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let from = 0
  for (;;) {
    const page = await jobs.read(jobId, stream, { from, max: 1_048_576 })
    if (page === undefined || page.bytes.length === 0) return Buffer.concat(chunks)
    chunks.push(page.bytes)
    from = page.from + page.bytes.length
  }
}

/** The same as text. */
export const textOf = async (jobs: JobRunner, jobId: JobId, stream: "stdout" | "stderr"): Promise<string> =>
  (await bytesOf(jobs, jobId, stream)).toString()

/** Whether a process lives; a zombie does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined)
  return stat !== undefined && !/\) [ZX] /.test(stat)
}

export const sleepMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
