import { changeJob } from "./commit.ts"
import { evenWithoutStore } from "./even-without-store.ts"
import type { StartedCall } from "./execute.ts"
import type { StartOutput } from "./output-schema.ts"
import type { Job } from "./record.ts"
import type { RunFacts } from "./runner.ts"
import { settleJob } from "./settle.ts"
import { startOutput } from "./start-output.ts"
import { asHandedOver, asRunning } from "./states.ts"
import { encodeObservation } from "./tokens.ts"

/** The call stops waiting; the same execution goes on under its id (spec exec-and-jobs.md §1). */
export async function handOver(started: StartedCall, facts: RunFacts): Promise<StartOutput> {
  const { call, runner, job } = started
  const { startedAt } = facts
  const live = (row: Job): Job => asHandedOver(startedAt === undefined ? row : (asRunning(row, startedAt) ?? row))
  const { output, offsets } = await startOutput(started, live(job), facts)
  const key = await call.ports.store.instanceKey()
  const committed = await evenWithoutStore(() =>
    call.commit(async (tx) => {
      const row = await changeJob(tx, job.jobId, live)
      const revision = row?.job.revision ?? job.revision
      return { ...output, observation_token: encodeObservation(key, { jobId: job.jobId, revision, offsets }) }
    }),
  )
  call.ports.signals.notify(`job:${job.jobId}`)
  // It may have ended while the hand-over was committed, when nobody knew that its end has to be told.
  const later = await runner.facts(job.jobId)
  if (later?.state === "ended") await settleJob(call.ports, runner, job.jobId)
  return committed ?? output
}
