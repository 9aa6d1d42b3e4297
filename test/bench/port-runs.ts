import type { JobId } from "../../core/kernel/ids.ts"
import type { BenchHost } from "./hosts.ts"
import { loadIds } from "./product.ts"

/** One program started again and again at the port, without a server round it. */
export interface PortRuns {
  /** Resolves when it runs. */
  start(): Promise<JobId>
  /** Waits for its end and acknowledges it. */
  finish(jobId: JobId): Promise<void>
  /** Both. */
  run(): Promise<void>
}

/** Runs of `true` below a directory. */
export async function portRuns({ jobs }: Pick<BenchHost, "jobs">, root: string): Promise<PortRuns> {
  const ids = (await loadIds()).createIds()
  const command = { kind: "process", executable: "true", args: [] } as const
  const plain = { root, cwd: ".", command, env: [], timeoutMs: 60_000, background: "end", secrets: [] } as const

  async function start(): Promise<JobId> {
    const jobId = ids.job()
    await jobs.start({ jobId, ...plain })
    return jobId
  }

  async function finish(jobId: JobId): Promise<void> {
    const facts = await jobs.watch(jobId, { from: 0, until: "end" })
    if (facts?.outcome?.kind !== "exited") throw new Error(`A command did not end well: ${JSON.stringify(facts)}`)
    await jobs.ack([jobId])
  }

  return {
    start,
    finish,
    async run() {
      await finish(await start())
    },
  }
}
