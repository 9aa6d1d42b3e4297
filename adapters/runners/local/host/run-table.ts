import { setTimeout as sleep } from "node:timers/promises"
import type { CancelledBy, StreamName } from "../../../../core/jobs/record.ts"
import type { RunFacts, SpoolPage } from "../../../../core/jobs/runner.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"
import { type Changes, createChanges } from "./changes.ts"

/** What a one-shot and a command in a live shell have in common once they are accepted. */
export interface HostedExecution {
  readonly spec: { readonly jobId: JobId }
  /** Anything that its facts show. */
  readonly changes: Changes
  /** The same without the mere growth of its output. */
  readonly turns: Changes
  /** Resolves when it has ended, also when it never started. */
  readonly ended: Promise<void>
  /** Resolves after the end, when nothing of it can bring bytes any more. */
  readonly quiet: Promise<void>
  /** A stop is under way. */
  isStopping(): boolean
  /** First cause wins; resolves when it has ended. */
  stop(cause: CancelledBy, graceMs: number): Promise<void>
  /** Leaves the processes to themselves: nothing is read or timed any more, and they hold no one up. */
  abandon(): void
  facts(queuePosition?: number): RunFacts
  read(stream: StreamName, range: { readonly from: number; readonly max: number }): SpoolPage
}

/** One execution that a host holds in memory. */
export interface Run {
  readonly execution: HostedExecution
  /** Takes it out of the line, if it waits there. */
  leave(): void
  queuePosition(): number | undefined
}

interface Entry {
  readonly run: Run
  acknowledged: boolean
  /** Bytes of output at that time. */
  acknowledgedBytes: number
  quiet: boolean
  /** When it last started or ended, in the order of this host. */
  milestone: number
  /** The same by the monotonic clock. */
  milestoneAt: number
}

/** The executions of a host, from their acceptance until nobody needs them any more. */
export interface RunTable {
  add(run: Run): void
  get(jobId: JobId): Run | undefined
  ids(): readonly JobId[]
  factsOf(run: Run): RunFacts
  /** Beginning of a command, also of one of the newest that were forgotten. */
  summaryOf(jobId: JobId): string | undefined
  /** Whether bytes of it can still come. */
  isActive(jobId: JobId): boolean
  /** What started or ended and is not acknowledged. */
  owed(): readonly RunFacts[]
  noteStarted(jobId: JobId): void
  acknowledge(jobId: JobId): void
  /**
   * Resolves with what started or ended after `since`, some milliseconds later: what is over and acknowledged by then is
   * nothing to tell anybody.
   */
  events(since: number, signal?: AbortSignal): Promise<{ readonly sequence: number; readonly jobIds: readonly JobId[] }>
}

/** Short of what a waiter may notice (spec exec-and-jobs.md §7.3). */
const GATHER_MS = 15
/** So many forgotten commands can still be named. */
const NAMED = 512

const bytesOf = ({ totals }: RunFacts): number => totals.stdout.bytes_total + totals.stderr.bytes_total

/** `forgotten` is called once for each execution that leaves the table. */
export function createRunTable(forgotten: (jobId: JobId) => void): RunTable {
  const entries = new Map<JobId, Entry>()
  const named = new Map<JobId, string>()
  const milestones = createChanges()
  let sequence = 0

  const factsOf = ({ execution, queuePosition }: Run): RunFacts => execution.facts(queuePosition())

  function note(jobId: JobId): void {
    const entry = entries.get(jobId)
    if (entry === undefined) return
    sequence += 1
    entry.milestone = sequence
    entry.milestoneAt = performance.now()
    milestones.notify()
  }

  function name(jobId: JobId, summary: string | undefined): void {
    if (summary === undefined) return
    named.set(jobId, summary)
    const [oldest] = named.keys()
    if (named.size > NAMED && oldest !== undefined) named.delete(oldest)
  }

  function forgetIfDone(jobId: JobId): void {
    const entry = entries.get(jobId)
    if (entry === undefined || !entry.acknowledged || !entry.quiet) return
    entries.delete(jobId)
    name(jobId, entry.run.execution.facts().summary)
    forgotten(jobId)
  }

  return {
    add(run) {
      const { jobId } = run.execution.spec
      const entry: Entry = {
        run,
        acknowledged: false,
        acknowledgedBytes: 0,
        quiet: false,
        milestone: 0,
        milestoneAt: 0,
      }
      entries.set(jobId, entry)
      void run.execution.ended.then(() => note(jobId))
      void run.execution.quiet.then(() => {
        entry.quiet = true
        // Totals that were acknowledged before late output came are not the last ones.
        if (entry.acknowledged && entry.acknowledgedBytes !== bytesOf(factsOf(run))) {
          entry.acknowledged = false
          note(jobId)
        }
        forgetIfDone(jobId)
      })
    },
    get: (jobId) => entries.get(jobId)?.run,
    ids: () => [...entries.keys()],
    factsOf,
    summaryOf: (jobId) => entries.get(jobId)?.run.execution.facts().summary ?? named.get(jobId),
    isActive: (jobId) => entries.get(jobId)?.quiet === false,
    owed: () => [...entries.values()].filter((entry) => !entry.acknowledged).map((entry) => factsOf(entry.run)),
    noteStarted: note,
    acknowledge(jobId) {
      const entry = entries.get(jobId)
      if (entry === undefined) return
      const facts = factsOf(entry.run)
      if (facts.state !== "ended") return
      entry.acknowledged = true
      entry.acknowledgedBytes = bytesOf(facts)
      forgetIfDone(jobId)
    },
    async events(since, signal) {
      for (;;) {
        const fresh = [...entries].filter(([, entry]) => entry.milestone > since)
        if (signal?.aborted === true) return { sequence, jobIds: fresh.map(([jobId]) => jobId) }
        const oldest = Math.min(...fresh.map(([, entry]) => entry.milestoneAt))
        const left = oldest + GATHER_MS - performance.now()
        if (left <= 0) return { sequence, jobIds: fresh.map(([jobId]) => jobId) }
        await (fresh.length === 0 ? milestones.next(signal) : pause(left, signal))
      }
    },
  }
}

/** Ends early when the signal aborts, which whoever waits looks at himself. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return sleep(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => undefined)
}
