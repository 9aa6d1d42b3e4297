import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { type JobId, jobIdSchema } from "../kernel/ids.ts"
import { summaryWithin } from "./reachable.ts"
import { readDefinition } from "./read-definition.ts"
import { readJob, totalsOf } from "./reading.ts"
import { jobStatusOutputSchema, jobStatusView } from "./status-view.ts"

/** `job_status` (spec exec-and-jobs.md §7.4). */
export const jobStatusTool = defineTool({
  ...readDefinition,
  name: "job_status",
  title: "Look at a Job",
  description:
    "Shows the state of one Job without its output: status, outcome, times, totals, and processes that it left alive.",
  input: z.strictObject({ job_id: jobIdSchema.describe("The Job.") }),
  output: jobStatusOutputSchema,
  deadline: "short",
  surfaces: [],
  reduce: [
    { at: "background", kind: "list", min: 0 },
    { at: "survivors", kind: "list", min: 0 },
    { at: "outcome.then.survivors", kind: "list", min: 0 },
    { at: "late_outcome.then.survivors", kind: "list", min: 0 },
  ],
  verbatim: ["job_id", "session_id"],
  handler: ({ job_id }, call) => showStatus(call, job_id),
})

async function showStatus(call: Pick<Call, "ports" | "caller" | "now">, jobId: JobId) {
  const reading = await readJob(call, jobId)
  const { job, facts, project, runner } = reading
  const shell = await call.ports.store.read(async (tx) =>
    job.shellUid === undefined ? undefined : tx.shells.byUid(job.shellUid),
  )
  return jobStatusView(job, {
    facts,
    summary: facts?.summary ?? (await summaryWithin(runner, jobId)),
    totals: await totalsOf(reading),
    now: call.now(),
    ...(project === undefined ? {} : { project }),
    ...(shell === undefined ? {} : { shellId: shell.shellId }),
  })
}
