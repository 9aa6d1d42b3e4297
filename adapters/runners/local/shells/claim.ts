import type { ToolError } from "../../../../core/kernel/error.ts"
import type { ShellClaim } from "../../../../core/shells/runner.ts"
import { createClaimQueue } from "./claims.ts"
import { cwdLost, resetRequired, shellBusy, shellClosed, shellLost, unreachable } from "./errors.ts"
import { endLife, factsOf, noteChange, type ShellLife } from "./life.ts"
import { restartShell } from "./restart.ts"
import type { Revival } from "./revive.ts"

/** A claim nobody uses is given back after this time: its caller is gone. */
const UNUSED_MS = 60_000

/** Who may run the next command in one shell (spec shells.md §3). */
export interface Claims {
  readonly waiting: number
  /** Somebody has it or waits for it. */
  readonly isHeld: boolean
  claim(options: { readonly whenBusy: "wait" | "fail" | "detach"; readonly signal?: AbortSignal }): Promise<ShellClaim>
  /** The turn of a command that another host began, wherever its shell is; nobody else has one yet. */
  resume(): string
  release(claimId: string): void
  /** How long the claim waited; `undefined` where it is not the one whose turn it is. */
  use(claimId: string): number | undefined
  pass(claimId: string): void
  refuse(error: () => Error): void
}

/** The claims of one shell. */
export function createClaims(life: ShellLife, ports: { readonly revival: Revival; now(): number }): Claims {
  const queue = createClaimQueue<string>()
  let made = 0
  let held:
    | { readonly id: string; readonly queuedMs: number; readonly timer: ReturnType<typeof setTimeout> }
    | undefined

  function ensureLive(): void {
    if (life.state === "closed") throw shellClosed(life.reason ?? "destroyed", life.closedAt ?? 0)
    if (life.state === "lost") throw shellLost(life.reason ?? "process_gone", life.cwd.path)
    if (life.state === "poisoned") throw resetRequired("poisoned")
  }

  function busy(): ToolError<"shell_busy"> {
    const { running } = life
    if (running === undefined) return shellBusy({ waiting: queue.waiting })
    const { spec, startedAt } = running.command
    return shellBusy({
      jobId: spec.jobId,
      runningMs: Math.max(0, ports.now() - startedAt),
      waiting: queue.waiting,
    })
  }

  /** Waits in line; resolves with the time that took. */
  async function queueUp(id: string, signal: AbortSignal | undefined): Promise<number> {
    const since = performance.now()
    const result = await queue.wait(id, signal).catch((error: unknown) => {
      throw error instanceof RangeError ? busy() : error
    })
    if (result === "aborted") throw busy()
    return Math.max(1, Math.round(performance.now() - since))
  }

  /** The running command keeps its process; the shell goes on in a new one (spec shells.md §5.7). */
  async function detach(id: string): Promise<void> {
    const { running, seat } = life
    if (running === undefined || seat === undefined) throw busy()
    queue.takeOver(id)
    running.detached = true
    life.running = undefined
    const text = running.command.spec.text
    const result = await restartShell(life, seat, { reason: "detached", text, cautious: false })
    if (result === "failed") endLife(life, { state: "poisoned", reason: "restore_failed", at: ports.now() })
    else {
      life.untold = result.restart
      ports.revival.watch(result.seat)
    }
    noteChange(life)
  }

  async function take(id: string, options: Parameters<Claims["claim"]>[0]): Promise<number> {
    if (queue.tryTake(id)) return 0
    if (options.whenBusy === "fail") throw busy()
    if (options.whenBusy === "detach" && life.running !== undefined) {
      await detach(id)
      return 0
    }
    return queueUp(id, options.signal)
  }

  /** A shell whose link is lost takes no command; it is waited for as long as the caller can. */
  async function linked(signal: AbortSignal | undefined): Promise<void> {
    while (life.seat?.link?.isRecovering === true && life.state === "running") {
      if (life.seat.link.refusal !== undefined) throw life.seat.link.refusal
      if (signal?.aborted === true) throw unreachable()
      await life.seat.link.changed(signal)
    }
  }

  /** Nothing runs in an unexpected place: told once (spec shells.md §5.6). */
  function ensureCwd(): void {
    const lost = life.cwdLost
    life.cwdLost = undefined
    if (lost !== undefined) throw cwdLost(lost.from, lost.to)
  }

  function drop(): void {
    clearTimeout(held?.timer)
    held = undefined
  }

  const claims: Claims = {
    get waiting() {
      return queue.waiting
    },
    get isHeld() {
      return queue.holder !== undefined || queue.waiting > 0
    },
    async claim(options) {
      ensureLive()
      life.lastUsedAt = ports.now()
      made += 1
      const id = `${life.spec.shellUid}.${made}`
      const queuedMs = await take(id, options)
      try {
        await ports.revival.ready()
        await linked(options.signal)
        // What became of it meanwhile is known with the link.
        await ports.revival.ready()
        ensureLive()
        ensureCwd()
      } catch (error) {
        queue.pass(id)
        throw error
      }
      const timer = setTimeout(() => claims.release(id), UNUSED_MS)
      timer.unref()
      held = { id, queuedMs, timer }
      const { shellUid } = life.spec
      return { claimId: id, shellUid, queuedMs, facts: await factsOf(life, queue.waiting) }
    },
    resume() {
      made += 1
      const id = `${life.spec.shellUid}.${made}`
      queue.tryTake(id)
      return id
    },
    release(claimId) {
      if (held?.id !== claimId) return
      drop()
      queue.pass(claimId)
    },
    use(claimId) {
      if (held?.id !== claimId) return undefined
      const { queuedMs } = held
      drop()
      return queuedMs
    },
    pass: (claimId) => queue.pass(claimId),
    refuse(error) {
      drop()
      queue.refuse(error)
    },
  }
  return claims
}
