import type { ToolError } from "../../../../core/kernel/error.ts"
import type { ShellUid } from "../../../../core/kernel/ids.ts"
import type { CloseReason } from "../../../../core/shells/record.ts"
import type {
  ShellClaim,
  ShellClosed,
  ShellCommandSpec,
  ShellFacts,
  ShellSpec,
} from "../../../../core/shells/runner.ts"
import { type ClaimQueue, createClaimQueue } from "./claims.ts"
import type { ShellCommand, StopCause } from "./command.ts"
import { resetRequired, shellBusy, shellClosed, shellLost } from "./errors.ts"
import { createLateOutput } from "./late-output.ts"
import { createLife, endLife, factsOf, noteChange, type ShellLife } from "./life.ts"
import { perform, stopCommand } from "./perform.ts"
import { plainReason, restartShell } from "./restart.ts"
import type { Seat, SeatDeath, SeatOpener } from "./transport.ts"

/** One live shell as its host holds it. */
export interface LiveShell {
  readonly uid: ShellUid
  readonly life: ShellLife
  open(): Promise<void>
  facts(): Promise<ShellFacts>
  claim(options: { readonly whenBusy: "wait" | "fail" | "detach"; readonly signal?: AbortSignal }): Promise<ShellClaim>
  release(claimId: string): void
  /** Uses up the claim; the command is on its way when this returns. */
  exec(spec: ShellCommandSpec): ShellCommand
  close(options: { readonly reason: CloseReason; readonly background: "kill" | "keep" }): Promise<ShellClosed>
  touch(): void
  abandon(): void
}

/** What a shell needs from its host. */
export interface ShellPorts {
  /** Journals the acceptance and takes the command into the run table. */
  accept(
    spec: ShellCommandSpec,
    parts: { readonly life: ShellLife; readonly queuedMs: number; stop(command: ShellCommand, cause: StopCause): void },
  ): ShellCommand
  now(): number
}

interface Claim {
  readonly id: string
  readonly queuedMs: number
}

/** A shell that is about to open. */
export function createLiveShell(spec: ShellSpec, opener: SeatOpener, ports: ShellPorts): LiveShell {
  const life = createLife(spec, opener, ports.now())
  const queue: ClaimQueue<string> = createClaimQueue()
  const late = createLateOutput()
  let claims = 0
  let held: Claim | undefined

  function adopt(seat: Seat): void {
    life.seat = seat
    void seat.died.then((death) => {
      if (life.seat === seat && life.running === undefined && !life.closing && life.state === "running")
        diedIdle(seat, death)
    })
  }

  function diedIdle(seat: Seat, death: SeatDeath): void {
    if (life.spec.onExit === "close") {
      endLife(life, { state: "closed", reason: "shell_exited", at: ports.now() })
      return
    }
    life.restarting = revive(seat, death).finally(() => {
      life.restarting = undefined
    })
  }

  async function revive(seat: Seat, death: SeatDeath): Promise<void> {
    const result = await restartShell(life, seat, { reason: plainReason(death, false), death, cautious: false })
    if (result === "failed") {
      endLife(life, { state: "poisoned", reason: "restore_failed", at: ports.now() })
      return
    }
    life.untold = result.restart
    adopt(result.seat)
  }

  function ensureLive(): void {
    if (life.state === "closed") throw shellClosed(life.reason ?? "destroyed", life.closedAt ?? 0)
    if (life.state === "lost") throw shellLost(life.reason ?? "process_gone", life.cwd.path)
    if (life.state === "poisoned") throw resetRequired("poisoned")
  }

  function busy(): ToolError<"shell_busy"> {
    const { running } = life
    return shellBusy({
      ...(running === undefined
        ? {}
        : {
            jobId: running.command.spec.jobId,
            runningMs: Math.max(0, ports.now() - running.command.startedAt),
          }),
      waiting: queue.waiting,
    })
  }

  async function take(whenBusy: "wait" | "fail" | "detach", signal?: AbortSignal): Promise<Claim> {
    claims += 1
    const id = `${spec.shellUid}.${claims}`
    if (queue.tryTake(id)) return { id, queuedMs: 0 }
    if (whenBusy === "fail") throw busy()
    const since = performance.now()
    const result = await queue.wait(id, signal).catch((error: unknown) => {
      throw error instanceof RangeError ? busy() : error
    })
    if (result === "aborted") throw busy()
    return { id, queuedMs: Math.max(1, Math.round(performance.now() - since)) }
  }

  function pass(): void {
    held = undefined
    queue.pass()
  }

  async function run(command: ShellCommand): Promise<void> {
    life.running = { command, run: undefined }
    noteChange(life)
    const before = life.seat
    await perform(life, command, { late, now: ports.now })
    life.running = undefined
    life.lastUsedAt = ports.now()
    if (life.seat !== undefined && life.seat !== before) adopt(life.seat)
    noteChange(life)
    pass()
  }

  return {
    uid: spec.shellUid,
    life,
    async open() {
      const seat = await opener.open()
      life.cwd = await seat.cwd()
      life.initialCwd = life.cwd.path
      life.state = "running"
      adopt(seat)
      noteChange(life)
    },
    facts: () => factsOf(life, queue.waiting),
    async claim({ whenBusy, signal }) {
      ensureLive()
      life.lastUsedAt = ports.now()
      const claim = await take(whenBusy, signal)
      try {
        await life.restarting
        ensureLive()
      } catch (error) {
        pass()
        throw error
      }
      held = claim
      return {
        claimId: claim.id,
        shellUid: spec.shellUid,
        queuedMs: claim.queuedMs,
        facts: await factsOf(life, queue.waiting),
      }
    },
    release(claimId) {
      if (held?.id === claimId && life.running === undefined) pass()
    },
    exec(command) {
      ensureLive()
      const claim = held
      if (claim === undefined || claim.id !== command.claimId || life.running !== undefined) throw busy()
      const { queuedMs } = claim
      const accepted = ports.accept(command, {
        life,
        queuedMs,
        stop: (which, cause) => stopCommand(life, which, cause),
      })
      void run(accepted)
      return accepted
    },
    async close({ reason, background }) {
      if (!life.closing && life.state !== "closed") {
        life.closing = true
        endLife(life, { state: "closed", reason, at: ports.now() })
        queue.refuse(() => shellClosed(reason, life.closedAt ?? 0))
        const running = life.running?.command
        running?.request("shell_closed")
      }
      const closed = (await life.seat?.close(background)) ?? { ended: [], kept: [], survivors: [] }
      life.survivors = closed.survivors
      await life.running?.command.ended
      return { facts: await factsOf(life, 0), ...closed }
    },
    touch() {
      life.lastUsedAt = ports.now()
    },
    abandon() {
      life.closing = true
      life.running?.command.abandon()
      life.seat?.abandon()
    },
  }
}
