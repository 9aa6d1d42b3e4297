import { describe, expect, it } from "vitest"
import type { Job } from "../../core/jobs/record.ts"
import { TERMINAL_STATUSES } from "../../core/jobs/record.ts"
import type { JobFilter, JobPosition } from "../../core/jobs/store.ts"
import type { Current } from "./store.ts"
import { aJob, ids, OWNER } from "./store-fixtures.ts"

/** The member of an outcome, spelled so that the literal does not look like a promise. */
const THEN = "then"

/** Job rows (spec exec-and-jobs.md §5). */
export function jobContract(current: Current): void {
  describe("jobs", () => {
    const insert = async (...jobs: readonly Job[]): Promise<void> => {
      await current().store.write(async (tx) => {
        for (const job of jobs) await tx.jobs.insert(job)
      })
    }
    const byId = (job: Job) => current().store.read((tx) => tx.jobs.byId(job.jobId))
    const totals = { bytes_total: 9, lines_total: 2, dropped_bytes: 1, masked: 0 }
    const survivors = [{ pid: 7, started_at: 3, command: "sleep" }]

    it("gives back what was stored", async () => {
      const full = aJob({
        projectPk: ids.projectPk(),
        sessionId: ids.session(),
        idempotencyKey: "k",
        inputDigest: "d",
        purpose: "build",
        expectation: { result: "observe", exitCodes: [0, 255], assertion: "login works" },
        target: "ssh",
        resource: "box",
        cwd: "pkg",
        status: "cancelled",
        executionState: "cancelled",
        outcome: { kind: "cancelled", by: "stop_job", [THEN]: { signal: "SIGTERM", survivors } },
        lateOutcome: { kind: "exited", exit_code: 3 },
        handedOver: true,
        finishedAt: 200,
        stopRequestedAt: 190,
        stopCause: "stop_job",
        recovered: true,
        outputGap: true,
        output: { stdout: totals, stderr: { ...totals, masked: 4 } },
        revision: 7,
      })
      const plain = aJob({ status: "queued", executionState: "not_started" })
      await insert(full, plain)
      expect(await byId(full)).toEqual(full)
      expect(await byId(plain)).toEqual(plain)
      expect(await byId(aJob())).toBeUndefined()
    })

    it("gives back the shell that a command ran in, and is no command without one", async () => {
      const command = aJob({ kind: "shell_command", shellUid: ids.shellUid(), target: "docker" })
      await insert(command, aJob({ kind: "detached" }))
      expect(await byId(command)).toEqual(command)
      await expect(insert(aJob({ kind: "shell_command" }))).rejects.toThrow()
    })

    it("gives back every outcome", async () => {
      const outcomes: readonly NonNullable<Job["outcome"]>[] = [
        { kind: "exited", exit_code: 0 },
        { kind: "signaled", signal: "SIGSEGV", core_dumped: true },
        { kind: "timed_out", after_ms: 5, [THEN]: { exit_code: 1, survivors: [] } },
        { kind: "cancelled", by: "shutdown", [THEN]: { survivors } },
        { kind: "lost", reason: "supervisor_lost" },
        { kind: "unknown", reason: "supervisor_lost" },
      ]
      for (const outcome of outcomes) {
        const job = aJob({ outcome })
        await insert(job)
        expect(await byId(job)).toEqual(job)
      }
    })

    it("updates the expected revision once, and never a Job that has ended", async () => {
      const job = aJob()
      await insert(job)
      const { store } = current()
      const stopping: Job = { ...job, status: "stop_requested" }
      expect(await store.write((tx) => tx.jobs.update(stopping, job))).toBe(true)
      expect(await store.write((tx) => tx.jobs.update(job, job))).toBe(false)
      expect(await byId(job)).toEqual({ ...stopping, revision: 2 })
      for (const status of TERMINAL_STATUSES) {
        const ended = aJob({ status, finishedAt: 5 })
        await insert(ended)
        expect(await store.write((tx) => tx.jobs.update({ ...ended, status: "running" }, ended))).toBe(false)
        expect(await byId(ended)).toEqual(ended)
      }
    })

    it("tells the active ones by host, Project and Session, and counts them by kind too", async () => {
      const [projectPk, sessionId] = [ids.projectPk(), ids.session()]
      const jobs = [
        aJob({ createdAt: 1, projectPk, sessionId }),
        aJob({ createdAt: 2, status: "queued", projectPk, hostId: "host-2" }),
        aJob({ createdAt: 3, status: "recovering" }),
        aJob({ createdAt: 4, status: "stop_requested", sessionId }),
        aJob({ createdAt: 5, status: "completed", projectPk, sessionId }),
      ]
      await insert(...jobs)
      const { store } = current()
      const times = async (filter: { projectPk?: typeof projectPk; sessionId?: typeof sessionId }) => {
        const active = await store.read((tx) => tx.jobs.active(filter))
        expect(await store.read((tx) => tx.jobs.countActive(filter))).toBe(active.length)
        return active.map(({ createdAt }) => createdAt)
      }
      expect(await times({})).toEqual([1, 2, 3, 4])
      expect(await times({ projectPk })).toEqual([1, 2])
      expect(await times({ sessionId })).toEqual([1, 4])
      expect(await times({ projectPk, sessionId })).toEqual([1])
      const ofHost = await store.read((tx) => tx.jobs.active({ hostId: "host-2" }))
      expect(ofHost).toEqual([jobs[1]])
      expect(await store.read((tx) => tx.jobs.countActive({ kind: "detached" }))).toBe(0)
      await insert(aJob({ kind: "detached" }), aJob({ kind: "detached", status: "lost", finishedAt: 9 }))
      expect(await store.read((tx) => tx.jobs.countActive({ kind: "detached" }))).toBe(1)
    })

    it("keeps a late outcome beside the end of a lost Job, and of no other", async () => {
      const late = { kind: "exited", exit_code: 4 } as const
      const ended = { finishedAt: 5, outcome: { kind: "lost", reason: "host_lost" } } as const
      const [lost, failed] = [aJob({ status: "lost", ...ended }), aJob({ status: "failed", ...ended })]
      await insert(lost, failed)
      await current().store.write(async (tx) => {
        await tx.jobs.noteLateOutcome(lost.jobId, late)
        await tx.jobs.noteLateOutcome(failed.jobId, late)
      })
      expect(await byId(lost)).toEqual({ ...lost, lateOutcome: late })
      expect(await byId(failed)).toEqual(failed)
    })

    it("allows one Job of a key, tool, group and Project; without a Project too", async () => {
      const keyed = { idempotencyKey: "k", ownerFingerprint: OWNER }
      await insert(aJob(keyed), aJob({ ...keyed, projectPk: ids.projectPk() }), aJob({ ...keyed, tool: "other" }))
      await expect(insert(aJob(keyed))).rejects.toThrow()
      await insert(aJob(), aJob())
    })

    it("finds the Job of a key, in its group, tool and Project alone", async () => {
      const projectPk = ids.projectPk()
      const [without, within] = [aJob({ idempotencyKey: "k" }), aJob({ idempotencyKey: "k", projectPk })]
      await insert(without, within, aJob())
      const { store } = current()
      const find = (more: object = {}) =>
        store.read((tx) => tx.jobs.byKey({ ownerFingerprint: OWNER, tool: "run_shell", key: "k", ...more }))
      expect(await find()).toEqual(without)
      expect(await find({ projectPk })).toEqual(within)
      expect(await find({ key: "other" })).toBeUndefined()
      expect(await find({ tool: "run_job" })).toBeUndefined()
      expect(await find({ ownerFingerprint: "nobody" })).toBeUndefined()
    })

    it("gives lists in pages: newest first, each Job once, filters together, totals of all pages", async () => {
      const [projectPk, sessionId, shellUid] = [ids.projectPk(), ids.session(), ids.shellUid()]
      const ended = { status: "completed", finishedAt: 9 } as const
      const made = Array.from({ length: 24 }, (_, n) =>
        aJob({
          createdAt: Math.floor(n / 4),
          handedOver: n % 2 === 0,
          ...(n % 4 === 3 ? {} : ended),
          ...(n % 3 === 0 ? { projectPk, sessionId } : {}),
          ...(n % 8 === 1 ? { kind: "shell_command" as const, shellUid } : {}),
        }),
      )
      await insert(...made, aJob({ ownerFingerprint: "other" }))
      const { store } = current()
      const wanted = async (filter: Partial<JobFilter>, keep: (job: Job) => boolean) => {
        const of: JobFilter = { ownerFingerprint: OWNER, slugs: "*", includeQuick: true, ...filter }
        const found: Job[] = []
        let after: JobPosition | undefined
        do {
          const page = await store.read((tx) =>
            tx.jobs.page({ ...of, limit: 5, ...(after === undefined ? {} : { after }) }),
          )
          found.push(...page.map(({ job }) => job))
          const last = page.at(-1)?.job
          after = page.length < 5 || last === undefined ? undefined : last
        } while (after !== undefined)
        const expected = made.filter(keep).sort((a, b) => b.createdAt - a.createdAt || (a.jobId < b.jobId ? -1 : 1))
        expect(found).toEqual(expected)
        expect(await store.read((tx) => tx.jobs.count(of))).toBe(expected.length)
        return expected.length
      }
      expect(await wanted({}, () => true)).toBe(24)
      await wanted({ includeQuick: false }, (job) => job.handedOver || job.status === "running")
      await wanted(
        { projectPk, includeQuick: false },
        (job) => job.projectPk !== undefined && (job.handedOver || job.status === "running"),
      )
      await wanted(
        { sessionId, statuses: ["running"] },
        (job) => job.sessionId !== undefined && job.status === "running",
      )
      await wanted({ shellUid }, (job) => job.shellUid !== undefined)
      await wanted({ slugs: ["nothing"] }, (job) => job.projectPk === undefined)
      await wanted({ statuses: ["failed", "lost"] }, () => false)
    })

    it("names what retention is over for, oldest first, and removes it", async () => {
      const end = (finishedAt: number, handedOver: boolean): Job =>
        aJob({ status: "completed", finishedAt, handedOver })
      const [quickOld, quickNew] = [end(10, false), end(50, false)]
      const [longOld, longNew] = [end(5, true), end(20, true)]
      const running = aJob({ createdAt: 1 })
      await insert(quickOld, quickNew, longOld, longNew, running)
      const { store } = current()
      const expired = (more: { limit?: number; keepNewest?: number }) =>
        store.read((tx) => tx.jobs.expired({ quickBefore: 30, otherBefore: 6, limit: 10, ...more }))
      expect(await expired({})).toEqual([longOld.jobId, quickOld.jobId])
      expect(await expired({ limit: 1 })).toEqual([longOld.jobId])
      expect(await expired({ keepNewest: 1 })).toEqual([longOld.jobId, quickOld.jobId, longNew.jobId])
      await store.write((tx) => tx.jobs.remove([longOld.jobId, quickOld.jobId]))
      await store.write((tx) => tx.jobs.remove([]))
      expect(await byId(longOld)).toBeUndefined()
      expect(await byId(quickNew)).toEqual(quickNew)
      await store.write((tx) => tx.jobs.evictOutput(quickNew.jobId))
      expect(await byId(quickNew)).toEqual({ ...quickNew, outputState: "evicted" })
    })
  })
}
