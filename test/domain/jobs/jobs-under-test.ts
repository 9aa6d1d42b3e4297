import { z } from "zod"
import { jobIdSchema } from "../../../core/kernel/ids.ts"
import { type CallOptions, createHarness, type Harness, type HarnessOptions } from "../../support/harness.ts"

const startSchema = z.looseObject({
  job_id: jobIdSchema,
  status: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.number().nullable(),
})

/** A start's answer, success or not. */
export interface Started {
  readonly kind: string | undefined
  readonly state: string | undefined
  readonly output: z.infer<typeof startSchema>
}

/** A kernel with one Project `demo`. */
export interface JobsUnderTest extends AsyncDisposable {
  readonly harness: Harness
  readonly root: string
  /** Calls run_shell in `demo`; the answer must be that of a command that was started. */
  shell(command: string, more?: object, how?: CallOptions): Promise<Started>
  /** Calls any starting tool in `demo`; as `shell`. */
  start(tool: string, input: object, how?: CallOptions): Promise<Started>
}

/** Opens it; dispose of it with `await using`. */
export async function openJobs(options: HarnessOptions = {}): Promise<JobsUnderTest> {
  const harness = await createHarness(options)
  const { root } =
    options.beside === undefined ? await harness.project("demo") : { root: `${options.beside.home}/demo` }
  const start: JobsUnderTest["start"] = async (tool, input, how = {}) => {
    const { result } = await harness.call(tool, { project: "demo", ...input }, how)
    const error = result.success ? undefined : result.error
    const output = startSchema.safeParse(result.output)
    if (!output.success) throw new Error(`not a started command: ${JSON.stringify(result)}`)
    return { kind: error?.kind, state: error?.execution_state, output: output.data }
  }
  return {
    harness,
    root,
    start,
    shell: (command, more = {}, how = {}) => start("run_shell", { command, ...more }, how),
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  }
}

/** Waits until a Job is terminal; its last answer of job_log. */
export async function untilEnded(harness: Harness, jobId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const items = [{ job_id: jobId }]
    const { results } = await harness.ok("observe_jobs", { items, wait_secs: 30, wake_on: "terminal" })
    const [one] = z.array(z.looseObject({ terminal: z.boolean() })).parse(results)
    if (one?.terminal === true) return one
  }
}

/** Whether a process lives; a zombie does not. */
export { isRunning } from "../../contract/job-runner.ts"
