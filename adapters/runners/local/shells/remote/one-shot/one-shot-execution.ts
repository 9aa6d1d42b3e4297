import { setTimeout as sleep } from "node:timers/promises"
import type { CancelledBy, Outcome, StreamName, Survivor } from "../../../../../../core/jobs/record.ts"
import type { BackgroundProcess, RunFacts } from "../../../../../../core/jobs/runner.ts"
import { isToolError, type ToolError } from "../../../../../../core/kernel/error.ts"
import { createChanges } from "../../../host/changes.ts"
import { createDeferred } from "../../../host/deferred.ts"
import type { Execution, ExecutionSpec } from "../../../host/execution.ts"
import { withoutCommands } from "../../../host/naming.ts"
import { createGrace, type Grace } from "../../../host/tree-kill.ts"
import { createFarNaming } from "../far-naming.ts"
import { endFarTree } from "../relay/far-tree.ts"
import { TargetGone } from "../relay/tether.ts"
import { type FarEnd, followOneShot, type OneShotWatch } from "./follow-one-shot.ts"
import type { OneShotPorts } from "./one-shot-ports.ts"
import type { StartedOneShot } from "./start-one-shot.ts"

const CANCEL_GRACE_MS = 500
const LAST_REPORT_MS = 500

interface EndRequest {
  readonly cause: "timeout" | CancelledBy
  readonly grace: Grace
}

/** One command on another machine, from its acceptance to the end of everything it left behind; nothing happens before `launch`. */
export function createOneShotExecution(spec: ExecutionSpec, ports: OneShotPorts): Execution {
  const { spool } = ports
  const changes = createChanges()
  const ended = createDeferred()
  const quiet = createDeferred()
  const requested = createDeferred<EndRequest>()
  let state: RunFacts["state"] = "queued"
  let revision = 1
  let first: "exit" | EndRequest | undefined
  let launching: Promise<void> | undefined
  let lifeTimer: ReturnType<typeof setTimeout> | undefined
  let running: StartedOneShot | undefined
  let watch: OneShotWatch | undefined
  let startedAt: number | undefined
  let finishedAt: number | undefined
  let recoveringSince: number | undefined
  let outcome: Outcome | undefined
  let refused: ToolError | undefined
  let abandoned = false
  let isRemoving = false
  let background: readonly BackgroundProcess[] = []
  let endedBackground: readonly BackgroundProcess[] = []
  let survivors: readonly Survivor[] = []

  function changed(): void {
    revision += 1
    changes.notify()
  }

  const livedMs = (): number => (ports.resumed === undefined ? 0 : Math.max(0, ports.now() - ports.resumed.startedAt))
  const bytesTotal = (): number => spool.totals().stdout.bytes_total + spool.totals().stderr.bytes_total

  function accept(stream: StreamName, chunk: Uint8Array): void {
    if (abandoned) return
    spool.accept(stream, chunk)
    changed()
    if (bytesTotal() > ports.outputLimitBytes) request({ cause: "output_limit", grace: createGrace(CANCEL_GRACE_MS) })
  }

  function request(wanted: EndRequest): void {
    if (first !== undefined || state === "ended") return
    first = wanted
    state = "stopping"
    requested.resolve(wanted)
    changed()
  }

  async function endTree(one: StartedOneShot, grace: Grace): Promise<readonly Survivor[]> {
    const left = await endFarTree(one.relay, one.members, { graceEnds: () => grace.endsAt })
    return createFarNaming(one.relay, ports.mask).survivors(left)
  }

  async function supervise(one: StartedOneShot, follower: OneShotWatch): Promise<void> {
    lifeTimer = setTimeout(
      () => request({ cause: "timeout", grace: createGrace(CANCEL_GRACE_MS) }),
      Math.min(Math.max(0, spec.timeoutMs - livedMs()), MAX_TIMER_MS),
    )
    const cause = await Promise.race([follower.over, requested.promise])
    clearTimeout(lifeTimer)
    if (abandoned) return
    if ("cause" in cause) await concludeStopped(cause, one, follower)
    else await concludeExit(cause, one, follower)
    void finishLate(one, follower)
  }

  async function concludeStopped(wanted: EndRequest, one: StartedOneShot, follower: OneShotWatch): Promise<void> {
    // It ended while nobody could ask: that came before any signal of ours.
    const natural = await follower.ask()
    if (natural !== undefined) {
      await concludeExit(natural, one, follower)
      return
    }
    survivors = await endTree(one, wanted.grace)
    const end = await Promise.race([follower.over, sleep(LAST_REPORT_MS, undefined, { ref: false })])
    await follower.drain()
    const then = {
      ...(end?.kind === "exited" ? { exit_code: end.exitCode } : {}),
      ...(end?.kind === "signaled" ? { signal: end.signal } : {}),
      survivors,
    }
    if (wanted.cause === "timeout") finish({ kind: "timed_out", after_ms: spec.timeoutMs, then })
    else finish({ kind: "cancelled", by: wanted.cause, then })
  }

  async function concludeExit(end: FarEnd, one: StartedOneShot, follower: OneShotWatch): Promise<void> {
    first = "exit"
    if (end.kind !== "gone") {
      const left = await follower.settle(spec.background)
      const named = await createFarNaming(one.relay, ports.mask).roots(left)
      if (spec.background === "keep") background = named
      else if (left.length > 0) {
        endedBackground = named
        survivors = await endTree(one, createGrace(CANCEL_GRACE_MS))
      }
      await follower.drain()
    }
    if (end.kind === "exited") finish({ kind: "exited", exit_code: end.exitCode })
    else if (end.kind === "signaled") finish({ kind: "signaled", signal: end.signal })
    else if (end.kind === "gone") finish({ kind: "lost", reason: end.reason })
    else finish({ kind: "unknown", reason: end.reason })
  }

  /** It had ended under another host: only what it left behind is looked after. */
  async function resumeEnded(one: StartedOneShot, follower: OneShotWatch): Promise<void> {
    background = await createFarNaming(one.relay, ports.mask).roots(await one.members())
    changed()
    await finishLate(one, follower)
  }

  /** What is kept in the background writes on; then nothing of it is left on the target. */
  async function finishLate(one: StartedOneShot, follower: OneShotWatch): Promise<void> {
    if (spec.background === "keep") await follower.late().catch(() => undefined)
    if (abandoned) return
    background = []
    spool.finish("stdout")
    spool.finish("stderr")
    if (spec.background === "keep") noteEnd()
    spool.close()
    follower.abandon()
    watch = undefined
    changed()
    quiet.resolve()
    isRemoving = true
    await one.remove()
  }

  function finish(result: Outcome | undefined): void {
    if (state === "ended") return
    if (spec.background === "end") {
      spool.finish("stdout")
      spool.finish("stderr")
    }
    outcome = result
    finishedAt = ports.now()
    recoveringSince = undefined
    state = "ended"
    if (startedAt !== undefined) noteEnd()
    changed()
    ended.resolve()
    if (running === undefined) quiet.resolve()
  }

  function noteEnd(): void {
    const kept = outcome === undefined ? {} : { outcome: withoutCommands(outcome) }
    const end = { at: finishedAt ?? ports.now(), totals: spool.totals(), gap: spool.gap() }
    try {
      ports.journal.append({ e: "ended", job: spec.jobId, ...end, ...kept })
    } catch {
      // Servers that live learn the end from the facts; only a recovery after their death would call it unknown.
    }
  }

  async function begin(): Promise<void> {
    const { accepted, resumed } = ports
    const { jobId: job } = spec
    if (accepted !== undefined) ports.journal.append({ e: "accepted", job, at: ports.now(), ...accepted })
    running = await ports.start()
    startedAt = resumed?.startedAt ?? ports.now()
    // The number of a process elsewhere means nothing here.
    if (resumed === undefined) ports.journal.append({ e: "started", job, at: startedAt, pid: 0, start: 0 })
    watch = followOneShot(running, {
      accept,
      stored(stream) {
        const { total, newlines = 0 } = spool.read(stream, { from: 0, max: 0 })
        return { bytes: total, newlines }
      },
      rebase: (stream, at) => spool.rebase(stream, at),
      linkChanged(isLost) {
        if (state === "ended" || isLost === (recoveringSince !== undefined)) return
        recoveringSince = isLost ? ports.now() : undefined
        changed()
      },
    })
    if (resumed?.past !== undefined) {
      const { outcome: known, finishedAt: at } = resumed.past
      first = "exit"
      outcome = known
      finishedAt = at
      state = "ended"
      changed()
      ended.resolve()
      resumeEnded(running, watch).catch(() => quiet.resolve())
      return
    }
    if (running.tether.isRecovering) recoveringSince = ports.now()
    state = "running"
    changed()
    supervise(running, watch).catch((error: unknown) => {
      finish(
        error instanceof TargetGone
          ? { kind: "lost", reason: error.reason }
          : { kind: "unknown", reason: "process_gone" },
      )
      quiet.resolve()
    })
  }

  function cancelUnstarted(by: CancelledBy): void {
    const then = { survivors: [] }
    if (state === "queued") finish({ kind: "cancelled", by, then })
  }

  return {
    spec,
    changes,
    turns: changes,
    ended: ended.promise,
    quiet: quiet.promise,
    launch() {
      launching ??= begin().catch((error: unknown) => {
        if (isToolError(error) && error.executionState === "outcome_unknown") {
          startedAt = ports.now()
          finish({ kind: "lost", reason: "remote_gone" })
          throw error
        }
        if (isToolError(error)) refused = error
        finish(undefined)
        throw error
      })
      return launching
    },
    async stop(cause, graceMs) {
      if (launching === undefined) cancelUnstarted(cause)
      await launching?.catch(() => undefined)
      request({ cause, grace: createGrace(graceMs) })
      if (typeof first === "object") first.grace.shorten(graceMs)
      await ended.promise
      if (background.length > 0 && running !== undefined) {
        survivors = await endTree(running, createGrace(graceMs))
        background = []
        changed()
      }
    },
    isStopping: () => state === "stopping",
    abandon() {
      abandoned = true
      clearTimeout(lifeTimer)
      watch?.abandon()
      // What is cleared up there right now ends by itself.
      if (!isRemoving) running?.tether.cut()
    },
    facts: (queuePosition) => ({
      jobId: spec.jobId,
      revision,
      state,
      ...(queuePosition === undefined ? {} : { queuePosition }),
      ...(startedAt === undefined ? {} : { startedAt }),
      ...(finishedAt === undefined ? {} : { finishedAt }),
      ...(recoveringSince === undefined ? {} : { recoveringSince }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(refused === undefined ? {} : { refused }),
      totals: spool.totals(),
      outputGap: spool.gap(),
      outputOpen: state !== "ended" || (watch !== undefined && spec.background === "keep"),
      tracking: "session",
      endedBackground,
      background,
      survivors,
      summary: spec.summary,
    }),
    read: (stream, range) => spool.read(stream, range),
  }
}

/** The longest time that a timer of this system takes. */
const MAX_TIMER_MS = 2_147_483_647
