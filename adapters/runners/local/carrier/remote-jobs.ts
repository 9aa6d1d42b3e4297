import type { JobRunner, RunFacts, StartSpec, WatchedFacts } from "../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { InstanceId, JobId } from "../../../../core/kernel/ids.ts"
import type { HostClient } from "./client.ts"
import { ConnectionLost } from "./connection.ts"
import type { Reached } from "./contact.ts"
import type { KnownEnds } from "./known-ends.ts"
import type { Provision } from "./provision.ts"
import { type ToldAhead, takeAhead } from "./told-ahead.ts"
import type { ToldRun } from "./told-run.ts"

/** The `JobRunner` of a host in another process, and what this server started there. */
export interface RemoteJobs extends JobRunner {
  /** Jobs that were started by this server and are not acknowledged. */
  started(): readonly JobId[]
}

/**
 * The port over a socket. What waits goes on waiting at the next host when one dies; a start is repeated only where no journal
 * says that it was accepted (spec exec-and-jobs.md §6.1).
 */
export function createRemoteJobs(client: HostClient, provision: Provision, ends: KnownEnds): RemoteJobs {
  /** The newest facts of what this server started, for the time in which no host can be asked. */
  const newest = new Map<JobId, RunFacts>()
  /** Of these, what the host did not name when it was asked last: another server has told it that it may forget them. */
  const absent = new Set<JobId>()
  /** The host whose count of events the caller follows. */
  let followed = ""

  function note(jobId: JobId, facts: RunFacts): RunFacts {
    newest.set(jobId, facts)
    return facts
  }

  /** Asks one host after the other until one has answered; before each but the first it must be sure that nothing was started. */
  async function startOnce(
    jobId: JobId,
    begin: (host: Reached) => Promise<RunFacts>,
    ownHostId?: InstanceId,
  ): Promise<RunFacts> {
    let tried: string | undefined
    for (;;) {
      const host = await client.host().catch((error: unknown) => {
        // Nobody can be asked what the host that died had begun.
        throw tried === undefined ? error : startUnknown(jobId)
      })
      try {
        if (tried !== undefined && tried !== host.hostId) {
          const known = await client.askOnce<RunFacts | undefined>(host, "jobs.facts", [jobId])
          if (known !== undefined) return known
          if (await client.wasAccepted(host, ownHostId ?? tried, jobId)) throw startUnknown(jobId)
        }
        tried = host.hostId
        return await begin(host)
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error
      }
    }
  }

  async function watch(...[jobId, options]: Parameters<JobRunner["watch"]>): Promise<WatchedFacts | undefined> {
    const { from, signal, ...rest } = options
    const { until } = rest
    const known = until === "change" ? undefined : ends.of(jobId)
    if (known !== undefined) return known
    // The next host counts its revisions anew.
    const argsFor = (_host: Reached, isNew: boolean) => [
      jobId,
      { ...rest, from: isNew ? 0 : from, ...(signal === undefined ? {} : { signal }) },
    ]
    const asked = client.askPatiently<ToldAhead | undefined>("jobs.watch", argsFor, signal)
    const told = await orAborted(asked, signal, () => newest.get(jobId))
    if (told === undefined) return undefined
    const { ahead, ...run } = takeAhead(told)
    const facts = ends.note(run)
    if (newest.has(jobId)) note(jobId, facts)
    return ahead === undefined ? facts : { ...facts, ahead }
  }

  /** One that is missing twice was not just being started. */
  function forgetSettled(held: ReadonlySet<JobId>): void {
    for (const jobId of newest.keys()) {
      if (held.has(jobId)) absent.delete(jobId)
      else if (absent.delete(jobId)) newest.delete(jobId)
      else absent.add(jobId)
    }
  }

  return {
    get hostId() {
      return client.contact.hostId
    },
    started: () => [...newest.keys()],
    admit: (spec) => client.ask("jobs.admit", () => [provided(spec, provision)]),
    async start(spec) {
      const told = await startOnce(spec.jobId, (host) => {
        provision.secretsTo(host)
        return client.askOnce<ToldRun>(host, "jobs.start", [provided(spec, provision)])
      })
      return note(spec.jobId, ends.note(told))
    },
    // A detached Job is nobody's to end as this server goes.
    startDetached(spec, hostId) {
      const begin = (host: Reached): Promise<RunFacts> => {
        provision.secretsTo(host)
        return client.askOnce(host, "jobs.startDetached", [provided(spec, provision), hostId])
      }
      return startOnce(spec.jobId, begin, hostId)
    },
    watch,
    facts: (jobId) => client.askKnown<RunFacts | undefined>("jobs.facts", () => [jobId], undefined),
    // A host of an older build does not tell it.
    summary: (jobId) =>
      client.askKnown<string | undefined>("jobs.summary", () => [jobId], undefined).catch(() => undefined),
    read: async (...args) => ends.page(...args) ?? client.ask("jobs.read", () => args),
    stop: (...args) => client.ask("jobs.stop", () => args),
    endOrphan: (...args) => client.ask("jobs.endOrphan", () => args),
    async inventory() {
      const runs = await client.askKnown<readonly RunFacts[]>("jobs.inventory", () => [], [])
      forgetSettled(new Set(runs.map(({ jobId }) => jobId)))
      return runs
    },
    async events({ since, signal }) {
      const nothing = { sequence: since, jobIds: [] }
      const host = await client.appears(signal)
      if (host === undefined) return nothing
      const from = host.hostId === followed ? since : 0
      followed = host.hostId
      try {
        return await client.askOnce(host, "jobs.events", [{ since: from, ...(signal === undefined ? {} : { signal }) }])
      } catch (error) {
        if (error instanceof ConnectionLost) return nothing
        throw error
      }
    },
    async ack(jobIds) {
      for (const jobId of jobIds) {
        newest.delete(jobId)
        absent.delete(jobId)
      }
      ends.forget(jobIds)
      // What the host does not hear of it tells again.
      client.tell("jobs.ack", [jobIds])
    },
    recall: (...args) => client.ask("jobs.recall", () => args),
    sweep: (known) => client.askKnown<readonly JobId[]>("jobs.sweep", () => [known], []),
    capabilities: () => client.ask("jobs.capabilities", () => []),
  }
}

/** Another machine has its own PATH and HOME. */
function provided<S extends Pick<StartSpec, "env" | "reach">>(spec: S, provision: Provision): S {
  return spec.reach !== undefined ? spec : { ...spec, env: provision.environment(spec.env) }
}

/** Who stops waiting while no host can be asked gets what was known last. */
export function orAborted<T>(asked: Promise<T>, signal: AbortSignal | undefined, last: () => T): Promise<T> {
  if (signal === undefined) return asked
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      const timer = setTimeout(() => {
        const known = last()
        if (known !== undefined) resolve(known)
      }, ANSWER_WITHIN_MS)
      void asked.finally(() => clearTimeout(timer)).catch(() => undefined)
    }
    asked.then(resolve, reject)
    if (signal.aborted) giveUp()
    else signal.addEventListener("abort", giveUp, { once: true })
    void asked.finally(() => signal.removeEventListener("abort", giveUp)).catch(() => undefined)
  })
}

/** A living host answers an abort at once. */
const ANSWER_WITHIN_MS = 250

function startUnknown(jobId: JobId): ToolError<"outcome_unknown"> {
  return new ToolError(
    "outcome_unknown",
    "The Runner host died as it started this command; it may have run. Look at its effects before it is run again.",
    { details: { reason: "supervisor_lost", job_id: jobId }, executionState: "outcome_unknown" },
  )
}
