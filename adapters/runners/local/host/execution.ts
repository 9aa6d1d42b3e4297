import { setTimeout as sleep } from "node:timers/promises"
import type { CancelledBy, Outcome } from "../../../../core/jobs/record.ts"
import type { RunFacts, StartSpec } from "../../../../core/jobs/runner.ts"
import { isToolError, type ToolError } from "../../../../core/kernel/error.ts"
import { createChanges } from "./changes.ts"
import { createDeferred } from "./deferred.ts"
import type { JobSpool } from "./job-spool.ts"
import type { Exit, Launched, LaunchPorts } from "./launch.ts"
import { createLeftovers } from "./leftovers.ts"
import { createNaming, type MaskText, withoutCommands } from "./naming.ts"
import { createOutputs } from "./outputs.ts"
import type { HostedExecution } from "./run-table.ts"
import { createProcessTree, type ProcessTree } from "./tree.ts"
import { createGrace, endTree, type Grace } from "./tree-kill.ts"

const CANCEL_GRACE_MS = 500
const LAST_REPORT_MS = 500

/** One command from its acceptance to the end of everything it left behind. */
export interface Execution extends HostedExecution {
  readonly spec: ExecutionSpec
  /** Starts it; resolves when it runs. Throws the refusing kind, which the facts then carry too. */
  launch(): Promise<void>
}

/** What is to be known of a command while it runs. */
export interface ExecutionSpec extends Pick<StartSpec, "jobId" | "timeoutMs" | "background"> {
  /** ≤ 200 characters of it, masked. */
  readonly summary: string
}

/** What an execution needs beside its own spec. */
export interface ExecutionPorts extends Pick<LaunchPorts, "journal" | "processes" | "now"> {
  /** Where other commands are started beside it. */
  readonly children?: ReadonlySet<number>
  /** Makes the process, or finds the one that another host made. Throws the refusing kind. */
  launch(): Promise<Launched>
  /** It has ended under another host, and only kept background processes of it live. */
  readonly past?: { readonly outcome?: Outcome; readonly finishedAt: number }
  readonly spool: JobSpool
  readonly mask: MaskText
  /** Bytes over both streams beyond which it is ended; `Infinity`: never. */
  readonly outputLimitBytes: number
}

interface Running extends Launched {
  readonly tree: ProcessTree
}

interface EndRequest {
  readonly cause: "timeout" | CancelledBy
  readonly grace: Grace
}

/** Prepares an execution; nothing happens before `launch`. */
export function createExecution(spec: ExecutionSpec, ports: ExecutionPorts): Execution {
  const changes = createChanges()
  const turns = createChanges()
  const ended = createDeferred()
  const quiet = createDeferred()
  const exited = createDeferred<Exit>()
  const requested = createDeferred<EndRequest>()
  const outputs = createOutputs(ports.spool, noteOutput)
  const { processes } = ports
  const leftovers = createLeftovers(spec.background, { naming: createNaming(processes, ports.mask), processes })
  let state: RunFacts["state"] = "queued"
  let revision = 1
  /** What ended it, decided once: its own exit or the first request (spec exec-and-jobs.md §4). */
  let first: "exit" | EndRequest | undefined
  let launching: Promise<void> | undefined
  let lifeTimer: ReturnType<typeof setTimeout> | undefined
  const acceptedAt = performance.now()
  /** One that did not have to wait is launched before anything else happens. */
  let isWaiting = false
  queueMicrotask(() => {
    isWaiting = true
  })
  let queuedMs = 0
  let running: Running | undefined
  let finishedAt: number | undefined
  let outcome: Outcome | undefined
  let refused: ToolError | undefined
  let abandoned = false
  /** Bytes that the journalled end counts, until nothing can come any more. */
  let endedBytes: number | undefined

  function changed(): void {
    turns.notify()
    grew()
  }

  function grew(): void {
    revision += 1
    changes.notify()
    if (state === "ended" && !outputs.isOpen()) fallQuiet()
  }

  /** Nothing can come any more; what came after the end is journalled with it. */
  function fallQuiet(): void {
    if (endedBytes !== undefined && endedBytes !== bytesTotal()) noteEnd(finishedAt ?? ports.now())
    endedBytes = undefined
    if (!abandoned) running?.removePipes(outputs.wereEmptied())
    ports.spool.close()
    quiet.resolve()
  }

  function bytesTotal(): number {
    const { stdout, stderr } = ports.spool.totals()
    return stdout.bytes_total + stderr.bytes_total
  }

  function noteOutput(): void {
    grew()
    if (first !== undefined || ports.outputLimitBytes === Number.POSITIVE_INFINITY) return
    if (bytesTotal() <= ports.outputLimitBytes) return
    request({ cause: "output_limit", grace: createGrace(CANCEL_GRACE_MS) })
  }

  function request(wanted: EndRequest): void {
    if (first !== undefined || running === undefined) return
    // It ended by itself and only its report is on the way: that end came first.
    if (!running.isAlive()) return
    first = wanted
    state = "stopping"
    requested.resolve(wanted)
    changed()
  }

  async function supervise({ tree, livedMs }: Running): Promise<void> {
    const leftMs = Math.max(0, spec.timeoutMs - livedMs)
    lifeTimer = setTimeout(() => request({ cause: "timeout", grace: createGrace(CANCEL_GRACE_MS) }), leftMs)
    const cause = await Promise.race([exited.promise, requested.promise])
    clearTimeout(lifeTimer)
    if ("cause" in cause) await concludeStopped(cause, tree)
    else await concludeExit(cause, tree)
  }

  async function concludeStopped(wanted: EndRequest, tree: ProcessTree): Promise<void> {
    const report = await endTree(tree, wanted.grace)
    const exit = await Promise.race([exited.promise, sleep(LAST_REPORT_MS, undefined, { ref: false })])
    const survivors = leftovers.noteSurvivors(report)
    const then = {
      ...(typeof exit?.code === "number" ? { exit_code: exit.code } : {}),
      ...(typeof exit?.signal === "string" ? { signal: exit.signal } : {}),
      survivors,
    }
    if (wanted.cause === "timeout") finish({ kind: "timed_out", after_ms: spec.timeoutMs, then })
    else finish({ kind: "cancelled", by: wanted.cause, then })
  }

  async function concludeExit(exit: Exit, tree: ProcessTree): Promise<void> {
    await leftovers.settle(tree)
    if (exit.lost !== undefined) finish({ kind: "unknown", reason: exit.lost })
    else if (exit.signal !== null) finish({ kind: "signaled", signal: exit.signal })
    else if (exit.code !== null) finish({ kind: "exited", exit_code: exit.code })
    else finish({ kind: "unknown", reason: "process_gone" })
  }

  function finish(result: Outcome | undefined): void {
    if (state === "ended") return
    outputs.drain()
    if (!leftovers.isKept()) outputs.close()
    outcome = result
    finishedAt = ports.now()
    state = "ended"
    running?.removeScript()
    if (running !== undefined) {
      noteEnd(finishedAt)
      endedBytes = bytesTotal()
    }
    changed()
    ended.resolve()
  }

  function noteEnd(at: number): void {
    const kept = outcome === undefined ? {} : { outcome: withoutCommands(outcome) }
    try {
      const totals = ports.spool.totals()
      ports.journal.append({ e: "ended", job: spec.jobId, at, ...kept, totals, gap: ports.spool.gap() })
    } catch {
      // Servers that live learn the end from the facts; only a recovery after their death would call it unknown.
    }
  }

  async function endBackground(graceMs: number): Promise<void> {
    if (!leftovers.isKept() || running === undefined) return
    await leftovers.end(running.tree, graceMs)
    outputs.drain()
    outputs.close()
    changed()
  }

  async function begin(): Promise<void> {
    if (isWaiting) queuedMs = Math.round(performance.now() - acceptedAt)
    const launched = await ports.launch()
    const { main } = launched
    const others = ports.children
    const root = {
      jobId: spec.jobId,
      ...(main === undefined ? {} : { main }),
      ...(others === undefined ? {} : { others }),
      // Of one that was adopted the numbers may have begun anew since its start.
      ...(main === undefined || launched.livedMs === 0 ? {} : { bornAt: main.startTime }),
    }
    running = { ...launched, tree: createProcessTree(root, ports.processes) }
    launched.onExit((exit) => {
      first ??= "exit"
      exited.resolve(exit)
    })
    outputs.open(launched.descriptors)
    if (ports.past !== undefined) {
      resumeEnded(ports.past, running.tree)
      return
    }
    state = "running"
    changed()
    supervise(running).catch(() => finish({ kind: "unknown", reason: "process_gone" }))
  }

  function resumeEnded(past: NonNullable<ExecutionPorts["past"]>, tree: ProcessTree): void {
    first = "exit"
    outcome = past.outcome
    finishedAt = past.finishedAt
    leftovers.take(tree)
    state = "ended"
    endedBytes = bytesTotal()
    changed()
    ended.resolve()
  }

  /** It waits in line: it will never start. */
  function cancelUnstarted(by: CancelledBy): void {
    if (state !== "queued") return
    const then = { survivors: [] }
    finish({ kind: "cancelled", by, then })
  }

  return {
    spec,
    changes,
    turns,
    ended: ended.promise,
    quiet: quiet.promise,
    launch() {
      launching ??= begin().catch((error: unknown) => {
        if (isToolError(error)) refused = error
        finish(undefined)
        throw error
      })
      return launching
    },
    async stop(cause, graceMs) {
      if (launching === undefined) cancelUnstarted(cause)
      // A start that fails has ended the execution already.
      await launching?.catch(() => undefined)
      request({ cause, grace: createGrace(graceMs) })
      // A later stop can only hurry the end that is under way.
      if (typeof first === "object") first.grace.shorten(graceMs)
      await ended.promise
      await endBackground(graceMs)
    },
    isStopping: () => state === "stopping" || leftovers.isEnding(),
    abandon() {
      // Whoever goes on with it finds its pipes by their names.
      abandoned = true
      clearTimeout(lifeTimer)
      running?.release()
      outputs.close()
    },
    facts: (queuePosition) => ({
      jobId: spec.jobId,
      revision,
      state,
      ...(queuePosition === undefined ? {} : { queuePosition }),
      ...(queuedMs === 0 ? {} : { queuedMs }),
      ...(running === undefined ? {} : { startedAt: running.startedAt }),
      ...(finishedAt === undefined ? {} : { finishedAt }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(refused === undefined ? {} : { refused }),
      totals: ports.spool.totals(),
      outputGap: ports.spool.gap(),
      outputOpen: state !== "ended" || outputs.isOpen(),
      tracking: "session",
      endedBackground: leftovers.ended(),
      background: leftovers.alive(),
      survivors: leftovers.survivors(),
      summary: spec.summary,
    }),
    read: (stream, range) => ports.spool.read(stream, range),
  }
}
