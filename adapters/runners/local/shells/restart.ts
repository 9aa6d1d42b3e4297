import type { LostReason, RestartReason, ShellRestart } from "../../../../core/shells/record.ts"
import { noteChange, type ShellLife } from "./life.ts"
import type { Replacement, Seat, SeatDeath } from "./transport.ts"

/** How a restart went. */
export type Restarted = { readonly restart: ShellRestart; readonly seat: Seat } | "failed"

/** Goes on in a new process under the same id (spec shells.md §5.6). */
export async function restartShell(life: ShellLife, last: Seat, why: Replacement): Promise<Restarted> {
  try {
    const { seat, restart } = await life.opener.reopen(last, why)
    life.generation += 1
    life.seat = seat
    life.used = false
    life.cwd = await seat.cwd()
    noteChange(life)
    return { seat, restart }
  } catch {
    return "failed"
  }
}

/** Why a shell is replaced that nobody but itself ended, before anything else is known about it. */
export function plainReason(death: SeatDeath, busy: boolean): RestartReason {
  if (death.gone === "container_restarted") return death.gone
  if (!busy) return "killed_outside"
  return death.signal === null ? "exited" : "signaled"
}

/** Why a shell cannot go on at all: the place where it ran is gone. */
export function lostWith(death: SeatDeath | undefined): LostReason | undefined {
  return death?.gone === "container_restarted" ? undefined : death?.gone
}
