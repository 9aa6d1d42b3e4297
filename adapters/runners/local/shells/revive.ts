import { endLife, noteChange, type ShellLife } from "./life.ts"
import { lostWith, plainReason, restartShell } from "./restart.ts"
import type { Seat, SeatDeath, SeatLink } from "./transport.ts"

/** Brings a shell back that ended while nothing ran in it (spec shells.md §5.4, §5.6). */
export interface Revival {
  /** From now on the end of this seat is noticed. */
  watch(seat: Seat): void
  /** Resolves when the shell can be used again, or has ended. */
  ready(): Promise<void>
}

/** The revival of one shell. */
export function createRevival(life: ShellLife, ports: { now(): number }): Revival {
  const watched = new WeakSet<Seat>()

  function died(seat: Seat, death: SeatDeath): void {
    if (life.seat !== seat || life.running !== undefined || life.closing || life.state !== "running") return
    const lost = lostWith(death)
    if (lost !== undefined) {
      endLife(life, { state: "lost", reason: lost, at: ports.now() })
      return
    }
    if (life.spec.onExit === "close") {
      endLife(life, { state: "closed", reason: "shell_exited", at: ports.now() })
      return
    }
    if (!life.used) life.dormant = () => revive(seat, death)
    else begin(() => revive(seat, death))
  }

  function begin(work: () => Promise<void>): void {
    life.dormant = undefined
    life.restarting = work().finally(() => {
      life.restarting = undefined
    })
  }

  async function revive(seat: Seat, death: SeatDeath): Promise<void> {
    const { path } = await seat.cwd()
    const result = await restartShell(life, seat, { reason: plainReason(death, false), death, cautious: false })
    if (life.closing) return
    if (result === "failed") {
      endLife(life, { state: "poisoned", reason: "restore_failed", at: ports.now() })
      return
    }
    life.untold = result.restart
    if (result.restart.cwd_lost === true) life.cwdLost = { from: path, to: life.cwd.path }
    watch(result.seat)
    result.seat.rest()
  }

  async function followLink(seat: Seat, link: SeatLink): Promise<void> {
    while (life.seat === seat && life.closedAt === undefined) {
      await link.changed()
      noteChange(life)
    }
  }

  function watch(seat: Seat): void {
    if (watched.has(seat)) return
    watched.add(seat)
    void seat.died.then((death) => died(seat, death))
    if (seat.link !== undefined) void followLink(seat, seat.link)
  }

  return {
    watch,
    async ready() {
      if (life.dormant !== undefined) begin(life.dormant)
      while (life.restarting !== undefined) await life.restarting
    },
  }
}
