import { isToolError } from "../../../../core/kernel/error.ts"
import type { ShellUid } from "../../../../core/kernel/ids.ts"
import type { CloseReason } from "../../../../core/shells/record.ts"
import type {
  ShellClaim,
  ShellClosed,
  ShellCommandSpec,
  ShellFacts,
  ShellSpec,
} from "../../../../core/shells/runner.ts"
import type { OpenRun } from "./adopt/find-generations.ts"
import { type Claims, createClaims } from "./claim.ts"
import type { ShellCommand, StopCause } from "./command.ts"
import { notJournalled, shellBusy, shellClosed } from "./errors.ts"
import { createIdleWatch } from "./idle.ts"
import { runInit } from "./init-text.ts"
import { createLateOutput } from "./late-output.ts"
import { createLife, endLife, factsOf, noteChange, type Running, type ShellLife } from "./life.ts"
import { causeOf, lostEnd, perform, stopCommand } from "./perform.ts"
import { createRevival } from "./revive.ts"
import type { Seat, SeatOpener } from "./transport.ts"

/** One live shell as its host holds it. */
export interface LiveShell {
  readonly uid: ShellUid
  readonly life: ShellLife
  open(): Promise<void>
  /** Goes on with what another host had; the first seat is that host's (spec shells.md §6). */
  adopt(found: {
    readonly generation: number
    readonly initialCwd: string
    readonly run: OpenRun | undefined
  }): Promise<void>
  /** Goes on with a command that has this seat for itself; resolves when it has ended. */
  adoptDetached(seat: Seat, run: OpenRun): Promise<void>
  facts(): Promise<ShellFacts>
  claim(options: Parameters<Claims["claim"]>[0]): Promise<ShellClaim>
  release(claimId: string): void
  /** Uses up the claim; the command is on its way when this returns. */
  exec(spec: ShellCommandSpec): ShellCommand
  close(options: { readonly reason: CloseReason; readonly background: "kill" | "keep" }): Promise<ShellClosed>
  touch(): void
  /** Ms until it is to be looked at again for its idle time; `undefined`: never. Closes it when its time is over. */
  lookIdle(): Promise<number | undefined>
  abandon(): void
}

/** What a shell needs from its host. */
export interface ShellPorts {
  /** Journals the acceptance and takes the command into the run table. */
  accept(
    spec: ShellCommandSpec,
    parts: { readonly life: ShellLife; readonly queuedMs: number; stop(cause: StopCause): void },
  ): ShellCommand
  /** Takes a command into the run table that another host began. */
  resume(run: OpenRun, parts: { readonly life: ShellLife; stop(cause: StopCause): void }): ShellCommand
  now(): number
}

/** A shell that is about to open. */
export function createLiveShell(spec: ShellSpec, opener: SeatOpener, ports: ShellPorts): LiveShell {
  const life = createLife(spec, opener, ports.now())
  const late = createLateOutput()
  const revival = createRevival(life, ports)
  const claims = createClaims(life, { revival, now: ports.now })
  const all = new Set<Running>()

  /** A host that cannot do its part, such as on a full disk, says so in the command's end. */
  async function performSafely(running: Running): Promise<void> {
    all.add(running)
    try {
      await perform(life, running, { late, leave, now: ports.now })
    } catch {
      leave(running)
      running.command.finish(lostEnd(life))
    } finally {
      all.delete(running)
    }
  }

  /** A command whose acceptance cannot be journalled is not run, and takes nobody's turn. */
  function accept(command: ShellCommandSpec, parts: Parameters<ShellPorts["accept"]>[1]): ShellCommand {
    try {
      return ports.accept(command, parts)
    } catch (error) {
      claims.pass(command.claimId)
      throw isToolError(error) ? error : notJournalled(error)
    }
  }

  function run(running: Running): void {
    life.running = running
    noteChange(life)
    void performSafely(running)
  }

  /** Free for the next command before this one's end is told: whoever hears of it need not wait in line. */
  function leave(running: Running): void {
    if (life.running !== running) return
    life.running = undefined
    life.lastUsedAt = ports.now()
    if (life.seat !== undefined && life.state === "running") revival.watch(life.seat)
    noteChange(life)
    if (claims.waiting === 0 && life.state === "running") life.seat?.rest()
    claims.pass(running.claimId)
  }

  const shell: LiveShell = {
    uid: spec.shellUid,
    life,
    async open() {
      const seat = await opener.open()
      if (life.closing) {
        await seat.close("kill")
        throw shellClosed(life.reason ?? "destroyed", life.closedAt ?? 0)
      }
      if (spec.init !== undefined) await runInit(seat, spec.init)
      life.seat = seat
      life.cwd = await seat.cwd()
      life.initialCwd = life.cwd.path
      life.state = "running"
      revival.watch(seat)
      noteChange(life)
      seat.rest()
    },
    async adopt({ generation, initialCwd, run: open }) {
      const seat = await opener.open()
      Object.assign(life, { seat, generation, initialCwd, state: "running", cwd: await seat.cwd() })
      noteChange(life)
      if (open === undefined) {
        revival.watch(seat)
        seat.rest()
        return
      }
      const claimId = claims.resume()
      const command = ports.resume(open, { life, stop: (cause) => stopCommand(running, cause) })
      const running: Running = { command, claimId, seat, run: undefined, detached: false, resumed: open.record }
      run(running)
    },
    async adoptDetached(seat, open) {
      const command = ports.resume(open, { life, stop: (cause) => stopCommand(running, cause) })
      const resumed = open.record
      const running: Running = { command, claimId: "", seat, run: undefined, detached: true, resumed }
      seat.detach()
      await performSafely(running)
    },
    facts: () => factsOf(life, claims.waiting),
    claim: (options) => claims.claim(options),
    release: (claimId) => claims.release(claimId),
    exec(command) {
      const { seat } = life
      const queuedMs = claims.use(command.claimId)
      if (queuedMs === undefined || seat === undefined || life.running !== undefined) {
        throw shellBusy({ waiting: claims.waiting })
      }
      const accepted = accept(command, { life, queuedMs, stop: (cause) => stopCommand(running, cause) })
      const running: Running = { command: accepted, claimId: command.claimId, seat, run: undefined, detached: false }
      run(running)
      return accepted
    },
    async close({ reason, background }) {
      if (life.closedAt === undefined) {
        life.closing = true
        endLife(life, { state: "closed", reason, at: ports.now() })
        claims.refuse(() => shellClosed(reason, life.closedAt ?? 0))
        if (life.running !== undefined && life.running.run?.isOver() !== true)
          life.running.command.request(causeOf(reason))
      }
      await life.restarting
      const closed = (await life.seat?.close(background)) ?? { ended: [], kept: [], survivors: [] }
      life.seat = undefined
      noteChange(life)
      life.survivors = closed.survivors
      await life.running?.command.ended
      return { facts: await factsOf(life, 0), ...closed }
    },
    touch() {
      life.lastUsedAt = ports.now()
    },
    lookIdle: createIdleWatch(life, {
      now: ports.now,
      isWanted: () => claims.isHeld,
      close: () => shell.close({ reason: "idle", background: "kill" }),
    }),
    abandon() {
      life.closing = true
      for (const running of all) running.command.abandon()
      life.seat?.abandon()
    },
  }
  return shell
}
