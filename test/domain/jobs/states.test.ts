import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { exitOf, failureOf } from "../../../core/jobs/outcome.ts"
import type { Job, Outcome } from "../../../core/jobs/record.ts"
import {
  asEnded,
  asHandedOver,
  asRunning,
  asStopRequested,
  isTerminal,
  type JobEnd,
} from "../../../core/jobs/states.ts"
import { createIds } from "../../../core/kernel/ids.ts"

const ids = createIds()
const nothing = { bytes_total: 0, lines_total: 0, dropped_bytes: 0, masked: 0 }
const totals = { stdout: nothing, stderr: nothing }

const queued: Job = {
  jobId: ids.job(),
  kind: "shell",
  tool: "run_shell",
  ownerFingerprint: "f",
  principalId: "local",
  callId: ids.call(),
  invocationId: ids.invocation(),
  target: "local",
  status: "queued",
  executionState: "not_started",
  handedOver: false,
  timeoutMs: 1000,
  createdAt: 0,
  recovered: false,
  outputGap: false,
  outputState: "available",
  revision: 1,
}

const endWith = (outcome: Outcome | undefined, startedAt?: number): JobEnd => ({
  ...(outcome === undefined ? {} : { outcome }),
  ...(startedAt === undefined ? {} : { startedAt }),
  finishedAt: 9,
  totals,
  outputGap: false,
})
const then = { survivors: [] }

describe("Jobs move only forward", () => {
  const outcome = fc.constantFrom<(Outcome | undefined)[]>(
    undefined,
    { kind: "exited", exit_code: 0 },
    { kind: "exited", exit_code: 7 },
    { kind: "signaled", signal: "SIGKILL" },
    { kind: "timed_out", after_ms: 1, then },
    { kind: "cancelled", by: "stop_job", then },
    { kind: "cancelled", by: "caller", then },
    { kind: "lost", reason: "never_started" },
    { kind: "unknown", reason: "supervisor_lost" },
  )
  const step = fc.oneof(
    fc.constant((job: Job) => asRunning(job, 5)),
    fc.constant((job: Job) => asStopRequested(job, "stop_job", 6)),
    fc.constant((job: Job) => asHandedOver(job)),
    outcome.map((value) => (job: Job) => asEnded(job, endWith(value, 5))),
  )

  it("J2: the first terminal state is final, whatever is reported afterwards", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let job = queued
        let final: Job | undefined
        for (const apply of steps) {
          job = apply(job) ?? job
          if (final !== undefined) expect([job.status, job.outcome]).toEqual([final.status, final.outcome])
          else if (isTerminal(job.status)) final = job
        }
      }),
    )
  })

  it("J4: completed is said only of exit status 0", () => {
    fc.assert(
      fc.property(outcome, (value) => {
        const job = asEnded(queued, endWith(value, 5))
        expect(job?.status === "completed").toBe(value?.kind === "exited" && value.exit_code === 0)
        expect(exitOf(value).exit_code === 0).toBe(job?.status === "completed")
      }),
    )
  })

  it.each<[Outcome | undefined, number | undefined, string, string, string | undefined]>([
    [{ kind: "exited", exit_code: 0 }, 5, "completed", "completed", undefined],
    [{ kind: "exited", exit_code: 2 }, 5, "failed", "completed", "process_exit"],
    [{ kind: "signaled", signal: "SIGSEGV" }, 5, "failed", "completed", "process_exit"],
    [{ kind: "timed_out", after_ms: 4000, then }, 5, "timed_out", "timed_out", "timed_out"],
    [{ kind: "cancelled", by: "stop_job", then }, 5, "stopped", "cancelled", "cancelled"],
    [{ kind: "cancelled", by: "shutdown", then }, 5, "cancelled", "cancelled", "cancelled"],
    [{ kind: "cancelled", by: "stop_job", then }, undefined, "stopped", "not_started", "cancelled"],
    [{ kind: "lost", reason: "machine_restarted" }, 5, "lost", "outcome_unknown", "outcome_unknown"],
    [{ kind: "lost", reason: "never_started" }, undefined, "lost", "not_started", "outcome_unknown"],
    [{ kind: "unknown", reason: "supervisor_lost" }, 5, "lost", "outcome_unknown", "outcome_unknown"],
    [undefined, undefined, "failed", "not_started", undefined],
  ])("outcome %o started %s is %s, %s, kind %s", (value, startedAt, status, executionState, kind) => {
    const job = asEnded(queued, endWith(value, startedAt))
    expect(job).toMatchObject({ status, executionState })
    expect(failureOf(job ?? queued, {})?.kind).toBe(kind)
  })

  it("never says that something is gone while it lives", () => {
    const survivors = [{ pid: 1, started_at: 2, command: "x" }]
    const then = { survivors }
    const job = asEnded(queued, endWith({ kind: "timed_out", after_ms: 1000, then }, 5))
    const failure = failureOf(job ?? queued, {})
    expect(failure?.message).toContain("1 of its processes still live")
    expect(failure?.details).toEqual({ after_ms: 1000, survivors })
  })
})
