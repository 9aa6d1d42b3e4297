import type { CancelledBy, Outcome, StreamName, Survivor } from "../../../../core/jobs/record.ts"
import type { BackgroundProcess, RunFacts, ShellRunFacts } from "../../../../core/jobs/runner.ts"
import type { ShellCommandSpec } from "../../../../core/shells/runner.ts"
import { createChanges } from "../host/changes.ts"
import { createDeferred } from "../host/deferred.ts"
import type { JobSpool } from "../host/job-spool.ts"
import { type MaskText, withoutCommands } from "../host/naming.ts"
import type { HostedExecution } from "../host/run-table.ts"
import type { EndJournal } from "./end-journal.ts"
import type { EndBackground, OutputSink } from "./transport.ts"

const SUMMARY_CHARS = 200

/** What ended a command besides itself, first cause wins. */
export type StopCause = "timeout" | CancelledBy

/** How a command in a shell ended. */
export interface CommandEnd {
  readonly outcome: Outcome
  readonly outputGap: boolean
  readonly background: readonly BackgroundProcess[]
  readonly survivors: readonly Survivor[]
  /** Ends what it left behind, when there is something. */
  readonly endBackground?: EndBackground
  readonly shell: ShellRunFacts
  /** Something of the shell's proves it until this is called; absent: only the journal will. */
  readonly release?: () => void
}

/** One command in a live shell: a Job of its host (spec shells.md §1). */
export interface ShellCommand extends HostedExecution {
  readonly spec: ShellCommandSpec
  readonly startedAt: number
  readonly sink: OutputSink
  /** What asked for its end, if anything did. */
  cause(): StopCause | undefined
  /** Bytes that came after its end. */
  lateBytes(): number
  /** The connection to its shell was lost, or stands again. */
  noteLink(isLost: boolean): void
  /** Takes the cause if it is the first one. */
  request(cause: StopCause): boolean
  /** Shown once it is journalled, or proven by something else until then. */
  finish(end: CommandEnd): void
}

/** What a command needs beside its own spec. */
export interface CommandPorts {
  /** Made when it is first needed. */
  spool(): JobSpool
  readonly journal: Pick<EndJournal, "end" | "flush">
  readonly mask: MaskText
  readonly shell: ShellRunFacts
  readonly queuedMs: number
  /** Where another host had begun it; ms. */
  readonly startedAt?: number
  /** Bytes over both streams beyond which it is ended; `Infinity`: never. */
  readonly outputLimitBytes: number
  /** Begins to end it unless it is over; the shell lives on. */
  stop(cause: StopCause): void
  now(): number
}

/** A command that was accepted and is about to run. */
export function createShellCommand(spec: ShellCommandSpec, ports: CommandPorts): ShellCommand {
  let made: JobSpool | undefined
  const spool = (): JobSpool => {
    made ??= ports.spool()
    return made
  }
  const changes = createChanges()
  const turns = createChanges()
  const ended = createDeferred()
  const quiet = createDeferred()
  const startedAt = ports.startedAt ?? ports.now()
  let summary: string | undefined
  let shown: RunFacts | undefined
  let revision = 1
  let cause: StopCause | undefined
  let end: (CommandEnd & { readonly at: number; readonly bytes: number }) | undefined
  let isQuiet = false
  let recoveringSince: number | undefined
  let abandoned = false

  function grew(): void {
    revision += 1
    shown = undefined
    changes.notify()
  }

  function changed(): void {
    turns.notify()
    grew()
  }

  function bytesTotal(): number {
    const { stdout, stderr } = spool().totals()
    return stdout.bytes_total + stderr.bytes_total
  }

  function journalEnd(release?: () => void): void {
    if (end === undefined) return
    const entry = {
      e: "ended",
      job: spec.jobId,
      at: end.at,
      outcome: withoutCommands(end.outcome),
      totals: spool().totals(),
      gap: end.outputGap || spool().gap(),
    } as const
    ports.journal.end(entry, release)
    if (release === undefined) ports.journal.flush()
  }

  /** After the end and after the last byte; what came between is journalled with it. */
  function settleIfOver(): void {
    if (end === undefined || !isQuiet) return
    if (end.bytes !== bytesTotal()) journalEnd()
    spool().close()
    quiet.resolve()
  }

  async function endBackground(graceMs: number): Promise<void> {
    if (end?.endBackground === undefined || end.background.length === 0) return
    const left = await end.endBackground(graceMs)
    end = { ...end, ...left }
    changed()
  }

  function flush(): void {
    spool().finish("stdout")
    spool().finish("stderr")
  }

  function summarize(): string {
    summary ??= ports.mask(spec.text.slice(0, 2 * SUMMARY_CHARS)).slice(0, SUMMARY_CHARS)
    return summary
  }

  function factsNow(): RunFacts {
    return {
      jobId: spec.jobId,
      revision,
      state: end !== undefined ? "ended" : cause !== undefined ? "stopping" : "running",
      ...(ports.queuedMs === 0 ? {} : { queuedMs: ports.queuedMs }),
      startedAt,
      ...(end === undefined ? {} : { finishedAt: end.at, outcome: end.outcome }),
      ...(end !== undefined || recoveringSince === undefined ? {} : { recoveringSince }),
      totals: spool().totals(),
      outputGap: spool().gap() || end?.outputGap === true,
      outputOpen: !isQuiet,
      tracking: "session",
      endedBackground: [],
      background: end?.background ?? [],
      survivors: end?.survivors ?? [],
      summary: summarize(),
      shell: end?.shell ?? ports.shell,
    }
  }

  const command: ShellCommand = {
    spec,
    startedAt,
    changes,
    turns,
    ended: ended.promise,
    quiet: quiet.promise,
    sink: {
      accept(stream, chunk) {
        if (abandoned) return
        spool().accept(stream, chunk)
        grew()
        if (end === undefined && cause === undefined && bytesTotal() > ports.outputLimitBytes)
          ports.stop("output_limit")
      },
      stored(stream) {
        const { total, newlines = 0 } = spool().read(stream, { from: 0, max: 0 })
        return { bytes: total, newlines }
      },
      rebase: (stream, at) => spool().rebase(stream, at),
      expected() {
        spool()
        summarize()
      },
      quiet() {
        isQuiet = true
        shown = undefined
        if (end === undefined) return
        flush()
        settleIfOver()
        changed()
      },
    },
    cause: () => cause,
    lateBytes: () => (end === undefined ? 0 : bytesTotal() - end.bytes),
    isStopping: () => cause !== undefined && end === undefined,
    noteLink(isLost) {
      if (isLost === (recoveringSince !== undefined)) return
      recoveringSince = isLost ? ports.now() : undefined
      changed()
    },
    request(wanted) {
      if (cause !== undefined || end !== undefined) return false
      cause = wanted
      changed()
      return true
    },
    async stop(wanted, graceMs) {
      if (end === undefined && cause === undefined) ports.stop(wanted)
      await ended.promise
      await endBackground(graceMs)
    },
    abandon() {
      abandoned = true
    },
    finish(result) {
      if (end !== undefined) return
      // What the mask held back belongs to the result unless more can follow it.
      if (isQuiet) flush()
      end = { ...result, at: ports.now(), bytes: bytesTotal() }
      journalEnd(result.release)
      settleIfOver()
      changed()
      ended.resolve()
    },
    facts() {
      shown ??= factsNow()
      return shown
    },
    read: (stream: StreamName, range) => spool().read(stream, range),
  }
  return command
}
