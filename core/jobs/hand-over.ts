import { auditHandOver } from "../shells/audit-log/one-shots.ts"
import { concludeHandOver } from "./conclude.ts"
import type { StartedCall } from "./execute.ts"
import type { StartOutput } from "./output-schema.ts"
import type { Job } from "./record.ts"
import type { RunFacts } from "./runner.ts"
import { startOutput } from "./start-output.ts"
import { asHandedOver, asRunning } from "./states.ts"
import { encodeObservation } from "./tokens.ts"

/** The call stops waiting; the same execution goes on under its id (spec exec-and-jobs.md §1). */
export async function handOver(started: StartedCall, facts: RunFacts): Promise<StartOutput> {
  const { call, runner, job } = started
  const { startedAt } = facts
  const live = (row: Job): Job => asHandedOver(startedAt === undefined ? row : (asRunning(row, startedAt) ?? row))
  const { output, offsets } = await startOutput(started, live(job), facts)
  auditHandOver(started, facts, output)
  const key = await call.ports.store.instanceKey()
  return concludeHandOver(
    { call, runner, job },
    {
      live,
      output: (revision) =>
        revision === undefined
          ? output
          : { ...output, observation_token: encodeObservation(key, { jobId: job.jobId, revision, offsets }) },
    },
  )
}
