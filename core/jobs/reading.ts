import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import type { JobId } from "../kernel/ids.ts"
import type { Project } from "../projects/record.ts"
import { findJob } from "./access.ts"
import { endsInNewline } from "./line-scan.ts"
import { factsWithin } from "./reachable.ts"
import type { Job, StreamName, StreamTotals } from "./record.ts"
import type { JobRunner, RunFacts, SpoolPage } from "./runner.ts"
import { settleJob } from "./settle.ts"
import { asSeen, isTerminal } from "./states.ts"

/** A Job as it stands now: its row, and what its host knows while it holds it. */
export interface JobReading {
  readonly job: Job
  /** Where it ran, if it had one. */
  readonly project: Project | undefined
  readonly facts: RunFacts | undefined
  /** Its host could be asked. */
  readonly reachable: boolean
  readonly runner: JobRunner
}

/** Throws `job_not_found`, `runner_unavailable`. An end that the host knows and the row does not is committed first. */
export async function readJob(call: Pick<Call, "ports" | "caller">, jobId: JobId): Promise<JobReading> {
  const { ports, caller } = call
  const { job, project } = await ports.store.read((tx) => findJob(tx, jobId, caller))
  const runner = ports.runners.get(project?.clientId ?? "local")?.jobs
  if (runner === undefined) {
    throw new ToolError("runner_unavailable", "The Runner of this Job is not reachable. Try again later.")
  }
  const { facts, reachable } = await factsWithin(runner, jobId)
  const known = { project, facts, reachable, runner }
  if (facts === undefined && reachable && !isTerminal(job.status)) {
    // Its host may have forgotten it since: the end was committed after the row was read.
    return { ...known, ...(await ports.store.read((tx) => findJob(tx, jobId, caller))) }
  }
  const isNews = job.handedOver && (facts?.state === "ended" || job.status === "recovering")
  if (facts === undefined || isTerminal(job.status)) return { ...known, job }
  // That it runs by now is told before its row says so.
  if (!isNews) return { ...known, job: asSeen(job, facts) ?? job }
  return { ...known, job: (await settleJob(ports, runner, jobId)) ?? job }
}

/** One stream's stored bytes, to be read by offset. */
export interface StreamSource {
  readonly stream: StreamName
  /** Logical length now. */
  readonly total: number
  readonly retained: SpoolPage["retained"]
  /** Newlines in all of it, also in what was dropped; absent where nobody counted them. */
  readonly newlines?: number
  read(range: { readonly from: number; readonly max: number }): Promise<SpoolPage>
}

const EMPTY: SpoolPage = { bytes: new Uint8Array(), from: 0, total: 0, retained: [] }

/** A stream of a Job; a stream that never had a byte is empty. */
export async function streamOf({ job, runner }: JobReading, stream: StreamName): Promise<StreamSource> {
  const source = await sourceOf(runner, job.jobId, stream)
  const totals = job.output?.[stream]
  // Masking may have taken newlines away; the row counts what was written.
  const isKnown = source.newlines !== undefined || totals === undefined || totals.masked > 0
  if (isKnown || totals.bytes_total !== source.total) return source
  return { ...source, newlines: totals.lines_total - ((await endsInNewline(source)) ? 0 : 1) }
}

/** A stream by its Job's id. */
export async function sourceOf(runner: JobRunner, jobId: JobId, stream: StreamName): Promise<StreamSource> {
  const read = async (range: { readonly from: number; readonly max: number }): Promise<SpoolPage> =>
    (await runner.read(jobId, stream, range)) ?? EMPTY
  const { total, retained, newlines } = await read({ from: 0, max: 0 })
  return { stream, total, retained, ...(newlines === undefined ? {} : { newlines }), read }
}

/**
 * Throws `output_evicted` when the Job had output and nothing of it is left (spec exec-and-jobs.md §7.1); notes it in the
 * row if that was not known yet.
 */
export async function requireOutput(call: Pick<Call, "ports">, { job, runner }: JobReading): Promise<void> {
  if (job.outputState === "available") {
    if (!isTerminal(job.status) || !(await isGone(job, runner))) return
    await call.ports.store.write((tx) => tx.jobs.evictOutput(job.jobId))
  }
  throw new ToolError("output_evicted", "The output of this Job is no longer kept; its outcome and totals still are.", {
    details: { finished_at: job.finishedAt ?? job.createdAt },
    output: {
      job_id: job.jobId,
      status: job.status,
      terminal: true,
      output_state: "evicted",
      ...(job.output === undefined ? {} : { totals: job.output }),
    },
  })
}

async function isGone(job: Job, runner: JobRunner): Promise<boolean> {
  const { output } = job
  if (output === undefined) return false
  for (const stream of ["stdout", "stderr"] as const) {
    const { bytes_total, dropped_bytes } = output[stream]
    // Where nothing could be stored (a full disk) nothing was evicted either.
    if (bytes_total === 0 || dropped_bytes >= bytes_total) continue
    const page = await runner.read(job.jobId, stream, { from: 0, max: 0 })
    if (page === undefined || page.retained.length === 0) return true
  }
  return false
}

/** What a stream has written so far: as its host counts, as the row says, else as far as stored bytes tell. */
export function streamTotals({ job, facts }: JobReading, source: StreamSource): StreamTotals {
  return facts?.totals[source.stream] ?? job.output?.[source.stream] ?? storedTotals(source)
}

/** Both streams. */
export async function totalsOf(reading: JobReading): Promise<Readonly<Record<StreamName, StreamTotals>>> {
  const known = reading.facts?.totals ?? reading.job.output
  if (known !== undefined) return known
  const stdout = storedTotals(await streamOf(reading, "stdout"))
  return { stdout, stderr: storedTotals(await streamOf(reading, "stderr")) }
}

/** A running Job of another server: its host alone knows the totals. */
function storedTotals({ total, retained }: StreamSource): StreamTotals {
  const kept = retained.reduce((sum, range) => sum + range.to - range.from, 0)
  return { bytes_total: total, lines_total: 0, dropped_bytes: total - kept, masked: 0 }
}
