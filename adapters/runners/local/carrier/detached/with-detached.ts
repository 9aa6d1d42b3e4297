import { requireDetachedRoom } from "../../../../../core/jobs/detached-room.ts"
import type { JobRunner, RunFacts } from "../../../../../core/jobs/runner.ts"
import { isToolError, ToolError } from "../../../../../core/kernel/error.ts"
import type { JobId } from "../../../../../core/kernel/ids.ts"
import type { PortCall } from "../calls.ts"
import { ConnectionLost } from "../connection.ts"
import { type ToldAhead, takeAhead } from "../told-ahead.ts"
import type { DetachedHost, DetachedHosts } from "./detached-hosts.ts"
import { createMilestones } from "./milestones.ts"

/** The Jobs of a shared host and of the hosts that were made for single Jobs, as one port. */
export interface JobsWithDetached extends JobRunner {
  /** Meets the hosts of single Jobs that an earlier shared host left. */
  meet(): Promise<void>
}

/** Calls about a detached Job go to its host; everything else to the host's own port. */
export function withDetached(own: JobRunner, hosts: DetachedHosts, report: (error: unknown) => void): JobsWithDetached {
  const placed = new Map<JobId, DetachedHost>()
  const milestones = createMilestones()
  let making = 0
  let isFollowing = false

  function place(jobId: JobId, host: DetachedHost): void {
    placed.set(jobId, host)
    follow((since) => host.connection.call<Happened>("jobs.events" satisfies PortCall, [{ since }]))
    void host.connection.closed.then(() => placed.delete(jobId))
  }

  /** Until its host is gone. */
  function follow(next: (since: number) => Promise<Happened>): void {
    const loop = async (): Promise<void> => {
      for (let since = 0; ; ) {
        const { sequence, jobIds } = await next(since)
        since = sequence
        milestones.note(jobIds)
      }
    }
    loop().catch((error: unknown) => {
      if (!(error instanceof ConnectionLost)) report(error)
    })
  }

  /** Asks the Job's own host where it has one; when that has gone, the shared host knows what it left. */
  async function ask<T>(
    jobId: JobId,
    method: PortCall,
    args: readonly unknown[],
    shared: () => Promise<T>,
  ): Promise<T> {
    const host = placed.get(jobId)
    if (host === undefined) return shared()
    try {
      return await host.connection.call<T>(method, args)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
      placed.delete(jobId)
      return shared()
    }
  }

  /** A host whose Job is told and forgotten is let go, and so goes. */
  async function acknowledge(jobId: JobId): Promise<void> {
    const host = placed.get(jobId)
    if (host === undefined) return
    await ask<void>(jobId, "jobs.ack", [[jobId]], async () => undefined)
    const left = await ask<RunFacts | undefined>(jobId, "jobs.facts", [jobId], async () => undefined)
    if (left === undefined) host.connection.close()
  }

  return {
    ...own,
    async meet() {
      for (const { host, jobIds } of await hosts.find()) for (const jobId of jobIds) place(jobId, host)
    },
    async startDetached(spec, hostId) {
      const known = await ask(spec.jobId, "jobs.facts", [spec.jobId], () => own.facts(spec.jobId))
      if (known !== undefined) return known
      requireDetachedRoom(placed.size + making)
      making += 1
      try {
        const host = await hosts.make(hostId).catch(refuse)
        place(spec.jobId, host)
        return await host.connection.call<RunFacts>("jobs.start" satisfies PortCall, [spec])
      } catch (error) {
        if (isToolError(error)) placed.delete(spec.jobId)
        throw error instanceof ConnectionLost ? startUnknown(spec.jobId) : error
      } finally {
        making -= 1
      }
    },
    async watch(jobId, options) {
      const shared = (): Promise<ToldAhead | undefined> => own.watch(jobId, options)
      const told = await ask(jobId, "jobs.watch", [jobId, options], shared)
      return told && takeAhead(told)
    },
    facts: (jobId) => ask(jobId, "jobs.facts", [jobId], () => own.facts(jobId)),
    summary: (jobId) => ask(jobId, "jobs.summary", [jobId], () => own.summary(jobId)),
    read: (...args) => ask(args[0], "jobs.read", args, () => own.read(...args)),
    stop: (...args) => ask(args[0], "jobs.stop", args, () => own.stop(...args)),
    async inventory() {
      const far = [...placed.keys()].map((jobId) =>
        ask<RunFacts | undefined>(jobId, "jobs.facts", [jobId], async () => undefined),
      )
      const [near, ...others] = await Promise.all([own.inventory(), ...far])
      return [...near, ...others.filter((facts) => facts !== undefined)]
    },
    events({ since, signal }) {
      if (!isFollowing) follow((from) => own.events({ since: from }))
      isFollowing = true
      return milestones.after(since, signal)
    },
    async ack(jobIds) {
      milestones.forget(jobIds)
      // At once: who asks next is told what is still owed.
      await Promise.all([own.ack(jobIds), ...jobIds.map(acknowledge)])
    },
  }
}

interface Happened {
  readonly sequence: number
  readonly jobIds: readonly JobId[]
}

function refuse(error: unknown): never {
  throw new ToolError("spawn_failed", "A host of its own for this Job could not be started. Try again later.", {
    details: { code: "host" },
    executionState: "not_started",
    cause: error,
  })
}

function startUnknown(jobId: JobId): ToolError<"outcome_unknown"> {
  return new ToolError(
    "outcome_unknown",
    "The Job's own host died as it was started; it may have run. Look at its effects before it is run again.",
    { details: { reason: "supervisor_lost", job_id: jobId }, executionState: "outcome_unknown" },
  )
}
