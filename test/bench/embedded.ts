import { local } from "../support/callers.ts"
import type { Place } from "./place.ts"
import { loadHoldfast } from "./product.ts"
import type { Bench } from "./scope.ts"
import { benchTools } from "./tools.ts"

/** The product in this process with one Project, called at its kernel. */
export interface Embedded {
  /** Slug. */
  readonly project: string
  /** Resolves with the output; throws what the call failed with. */
  call(tool: string, input: object): Promise<Readonly<Record<string, unknown>>>
  /** Runs a command as a Job; its id, once it has ended. */
  job(command: string): Promise<string>
  close(): Promise<void>
}

const PROJECT = "bench"

/** Starts one on a data directory of this name; it goes with the group unless it was closed. */
export async function startEmbedded(bench: Bench, place: Place, name: string): Promise<Embedded> {
  const { createHoldfast } = await loadHoldfast()
  const holdfast = await createHoldfast({
    dataDir: place.dataDir(name),
    projects: [{ path: place.directory, project: PROJECT }],
    tools: benchTools,
    env: process.env,
  })
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= holdfast.close()
    return closed
  }
  bench.undo(close)

  async function call(tool: string, input: object): Promise<Readonly<Record<string, unknown>>> {
    const request = { id: "bench", deadlineMs: 60_000 }
    const { result } = await holdfast.kernel.call({ tool, input, caller: local, door: "embedded", request })
    if (!result.success) throw new Error(result.error.message)
    return { ...result.output }
  }

  return {
    project: PROJECT,
    call,
    async job(command) {
      const { job_id } = await call("run_job", { project: PROJECT, command })
      for (;;) {
        const items = [{ job_id }]
        await call("observe_jobs", { items, wait_secs: 30, wake_on: "terminal" })
        const { terminal, status } = await call("job_status", { job_id })
        if (terminal === true && status === "completed") return String(job_id)
        if (terminal === true) throw new Error(`A Job ended as ${String(status)}.`)
      }
    },
    close,
  }
}
