import type { RestartReason, ShellRestart } from "../../../../core/shells/record.ts"
import type { LocalSeat } from "./local-seat.ts"
import { type LostFacts, lostEntries } from "./snapshot/lost.ts"
import { restartReason } from "./snapshot/restart-reason.ts"
import { restoreText } from "./snapshot/restore-text.ts"
import type { Replacement } from "./transport.ts"

const REPORT_MS = 5000

/** Why the last generation is followed by another one, with all that is known now (spec shells.md §5.6). */
export function reasonOf(last: LocalSeat, why: Replacement): RestartReason {
  const { keeper } = last
  const replaced = why.reason === "wedged" || why.reason === "unresponsive" || why.reason === "detached"
  return restartReason({
    ...(replaced && isReplaced(why.reason) ? { replaced: why.reason } : {}),
    ...(why.reason === "host_lost" ? { hostLost: true } : {}),
    busy: why.text !== undefined,
    ...(why.death === undefined ? {} : { exit: { code: why.death.exitCode, signal: why.death.signal } }),
    ...(keeper.exitWritten === undefined ? {} : { exitWrite: keeper.exitWritten }),
    ...(why.text === undefined ? {} : { text: why.text }),
    knownExitTrap: keeper.notes?.exitTrap !== undefined,
  })
}

const isReplaced = (reason: RestartReason): reason is "wedged" | "unresponsive" | "detached" =>
  reason === "wedged" || reason === "unresponsive" || reason === "detached"

/** Gives a fresh process the newest known state; resolves with what could not be kept. Throws when it does not answer. */
export async function restoreInto(
  seat: LocalSeat,
  from: { readonly last: LocalSeat; readonly why: Replacement; readonly reason: RestartReason },
  options: { readonly environment: readonly string[]; readonly token: string },
): Promise<readonly string[]> {
  const { last, why } = from
  const known = last.keeper.known
  const traces = (): Omit<LostFacts, "snapshot"> => ({
    trapped: last.keeper.notes?.trapped ?? [],
    pids: from.reason === "detached" ? [] : last.leftovers(),
    descriptors: last.descriptors,
  })
  if (known === undefined) return lostEntries({ snapshot: [], ...traces() })
  const text = restoreText(known.snapshot, {
    environment: options.environment,
    withoutErrexit: from.reason === "errexit",
    plainWords: why.cautious,
    report: { fifo: seat.keeper.place.fifo, token: options.token },
  })
  const reported = seat.keeper.report(options.token)
  const answered = seat.runOwn(text.bytes)
  // In the time that the process needs anyway.
  const left = traces()
  const end = await answered
  end.release()
  if (end.kind !== "status" || !end.started) throw new Error("the restore was not answered")
  const named = await within(reported)
  return lostEntries({ snapshot: [...text.lost, ...named], ...left })
}

async function within(reported: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), REPORT_MS)
  })
  return Promise.race([reported, late]).finally(() => clearTimeout(timer))
}

/** What is told of a restart (spec shells.md §5.6). */
export function restartFacts(
  from: { readonly last: LocalSeat; readonly why: Replacement; readonly reason: RestartReason },
  more: { readonly lost: readonly string[]; readonly cwdLost: boolean; readonly commands: number },
): ShellRestart {
  const { death } = from.why
  const known = from.last.keeper.known
  return {
    reason: from.reason,
    ...(typeof death?.exitCode === "number" ? { exit_code: death.exitCode } : {}),
    ...(typeof death?.signal === "string" ? { signal: death.signal } : {}),
    snapshot: known?.snapshot.kind ?? "none",
    commands_behind: known?.behind ?? more.commands,
    lost: more.lost,
    ...(more.cwdLost ? { cwd_lost: true } : {}),
  }
}
