import { setImmediate as nextTurn } from "node:timers/promises"
import { commandText } from "../../../../core/jobs/command.ts"
import type { JobRunner, StartSpec } from "../../../../core/jobs/runner.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"
import type { ShellParts } from "../shells/parts.ts"
import { createOneShotExecution } from "../shells/remote/one-shot/one-shot-execution.ts"
import type { Adoption } from "./adoption/adoption.ts"
import type { Archive } from "./archive.ts"
import { type ByteMaskFactory, maskText } from "./byte-mask.ts"
import type { Admitted, Capacity } from "./capacity.ts"
import { createDeferred } from "./deferred.ts"
import { createExecution, type Execution } from "./execution.ts"
import type { JobSpool } from "./job-spool.ts"
import { type LaunchPorts, launch, prepareCommand } from "./launch.ts"
import type { Orphans } from "./orphans.ts"
import type { Run, RunTable } from "./run-table.ts"
import { summaryOf } from "./summary.ts"
import type { Sweeper } from "./sweeper.ts"

/** What the Job port of a host is made of. */
export interface JobPortParts {
  readonly hostId: string
  readonly launchPorts: LaunchPorts
  readonly runs: RunTable
  readonly capacity: Capacity
  readonly adoption: Pick<Adoption, "requireNotGivenUp" | "runLate" | "giveUp">
  readonly archive: Archive
  readonly orphans: Pick<Orphans, "end">
  readonly sweeper: Sweeper
  readonly shellParts: Pick<ShellParts, "startOneShot">
  /** Bytes over both streams beyond which a Job is ended. */
  readonly outputLimitBytes: number
  readonly mask: ByteMaskFactory
  spoolFor(jobId: JobId, secrets: StartSpec["secrets"]): JobSpool
}

/** Read in no time worth a turn of the event loop. */
const UNNOTICED_BYTES = 4096

/** The Job port over one table of executions (spec shells.md §2.2). */
export function createJobPort(parts: JobPortParts): JobRunner {
  const { launchPorts, runs, capacity, adoption, archive, orphans, sweeper, shellParts, outputLimitBytes } = parts
  const { journal, processes, shells, now } = launchPorts

  function prepare(spec: StartSpec): Execution {
    const spool = parts.spoolFor(spec.jobId, spec.secrets)
    const mask = (text: string): string => maskText(parts.mask(spec.secrets), text)
    const { jobId, timeoutMs, background } = spec
    const summary = summaryOf(commandText(spec.command), mask)
    if (spec.reach !== undefined) {
      const start = (): ReturnType<typeof shellParts.startOneShot> => shellParts.startOneShot(spec)
      const place = { runtime: launchPorts.privateDirectory, timeoutMs, background, far: true } as const
      const accepted = { boot: processes.bootId(), place }
      return createOneShotExecution(
        { jobId, timeoutMs, background, summary },
        { start, spool, journal, mask, accepted, now, outputLimitBytes },
      )
    }
    const execution = createExecution(
      { jobId, timeoutMs, background, summary },
      {
        ...launchPorts,
        launch: () => launch(spec, launchPorts),
        spool,
        mask,
        outputLimitBytes,
      },
    )
    void execution.ended.then(() => sweeper.noteStored(spool.stored()))
    return execution
  }

  /** Takes a place or a place in the line; resolves when it runs or waits. */
  async function admit(execution: Execution, root: string): Promise<Run> {
    const launched = createDeferred<Promise<void>>()
    const { jobId } = execution.spec
    const place: Admitted = {
      group: root,
      async run() {
        const launching = execution.launch()
        launched.resolve(launching)
        await launching
        runs.noteStarted(jobId)
        await execution.ended
      },
    }
    const run = { execution, leave: () => capacity.leave(place), queuePosition: () => capacity.position(place) }
    const began = capacity.enter(place)
    runs.add(run)
    if (began) await launched.promise
    // Nobody waits for a later start: its refusal stands in the facts.
    else launched.promise.catch(() => undefined)
    return run
  }

  return {
    hostId: parts.hostId,
    async admit(spec) {
      if (spec.reach !== undefined) {
        capacity.check()
        return { cwd: spec.cwd }
      }
      const { directory, command } = await prepareCommand(spec, launchPorts)
      directory.close()
      capacity.check()
      return {
        cwd: directory.relativePath,
        ...(command.shell === undefined ? {} : { shell: command.shell }),
      }
    },
    async start(spec) {
      adoption.requireNotGivenUp(spec.jobId)
      return runs.factsOf(runs.get(spec.jobId) ?? (await admit(prepare(spec), spec.root)))
    },
    async startDetached() {
      throw new ToolError(
        "capability_unavailable",
        "This Runner has no host of its own for a detached process. Use run_job.",
        { details: { reason: "detached" }, executionState: "not_started" },
      )
    },
    async watch(jobId, { from, until, signal }) {
      const run = runs.get(jobId)
      if (run === undefined) return undefined
      for (;;) {
        const facts = runs.factsOf(run)
        const isAnswer = until === "answer" && facts.recoveringSince !== undefined
        const isOver = isAnswer || (facts.state === "ended" && (until !== "change" || !facts.outputOpen))
        const isChanged = until === "change" && facts.revision > from
        if (isChanged || isOver || signal?.aborted === true) return facts
        await run.execution[until === "change" ? "changes" : "turns"].next(signal)
      }
    },
    async facts(jobId) {
      const run = runs.get(jobId)
      return run === undefined ? undefined : runs.factsOf(run)
    },
    summary: async (jobId) => runs.summaryOf(jobId),
    async read(jobId, stream, range) {
      if (range.max > UNNOTICED_BYTES) await nextTurn()
      return runs.get(jobId)?.execution.read(stream, range) ?? archive.read(jobId, stream, range)
    },
    async stop(jobId, { cause, graceMs }) {
      const run = runs.get(jobId)
      if (run === undefined) {
        await orphans.end(jobId, graceMs)
        return undefined
      }
      run.leave()
      await run.execution.stop(cause, graceMs)
      return runs.factsOf(run)
    },
    endOrphan: (jobId, { graceMs }) => orphans.end(jobId, graceMs),
    inventory: async () => runs.owed(),
    events: ({ since, signal }) => runs.events(since, signal),
    async ack(jobIds) {
      for (const jobId of jobIds) runs.acknowledge(jobId)
    },
    async recall(hostId, jobId) {
      await adoption.runLate(hostId)
      // Ends of this turn may not be in the journal yet.
      await nextTurn()
      if (runs.get(jobId) !== undefined) return { state: "alive" }
      const past = archive.recall(hostId, jobId)
      // It is given up for never started, so it must not start any more.
      if (past.state === "never_accepted") adoption.giveUp(jobId)
      return past
    },
    sweep: (known) => sweeper.sweep(known),
    capabilities: async () => ({
      shells: (["bash", "sh"] as const).filter((name) => shells[name] !== undefined),
      tracking: "session",
    }),
  }
}
