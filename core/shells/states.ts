import type { RunFacts } from "../jobs/runner.ts"
import type { InstanceId } from "../kernel/ids.ts"
import { ENDED_SHELL_STATES, type Shell, type ShellState } from "./record.ts"
import type { ShellEnd, ShellFacts } from "./runner.ts"

/** Whether no id ever addresses a process again (spec shells.md §3). */
export function isEnded(state: ShellState): boolean {
  return ENDED_SHELL_STATES.some((ended) => ended === state)
}

/** What its host knows, as the row keeps it; `undefined` where nothing changed or the shell has ended: an end is final. */
export function asKnown(
  shell: Shell,
  facts: ShellFacts,
  { now, hostId }: { readonly now: number; readonly hostId: InstanceId | undefined },
): Shell | undefined {
  if (isEnded(shell.state) || facts.state === "opening") return undefined
  const { reason: _, closedAt: __, ...rest } = shell
  const next: Shell = {
    ...rest,
    state: facts.state,
    dialect: facts.dialect,
    generation: Math.max(shell.generation, facts.generation),
    lastUsedAt: Math.max(shell.lastUsedAt, facts.lastUsedAt),
    initialCwd: shell.initialCwd === "" ? facts.cwd : shell.initialCwd,
    lastCwd: facts.cwd,
    ...(hostId === undefined ? {} : { hostId }),
    ...(facts.reason === undefined ? {} : { reason: facts.reason }),
    ...(isEnded(facts.state) ? { closedAt: facts.closedAt ?? now } : {}),
  }
  return isSame(shell, next) ? undefined : next
}

/** The shell is over for this reason, at once: its slot is free, its process is ended when it is reached. */
export function asClosed(shell: Shell, reason: NonNullable<Shell["reason"]>, at: number): Shell | undefined {
  return isEnded(shell.state) ? undefined : { ...shell, state: "closed", reason, closedAt: at }
}

/** The shell is gone without anybody having closed it. */
function asLost(shell: Shell, reason: NonNullable<Shell["reason"]>, at: number): Shell | undefined {
  return isEnded(shell.state) ? undefined : { ...shell, state: "lost", reason, closedAt: at }
}

/**
 * What a command's end tells of its shell; `undefined` for one that has ended, and where only the time would change: that its
 * supervisor stores within seconds.
 */
export function afterCommand(shell: Shell, { shell: after, finishedAt }: RunFacts, now: number): Shell | undefined {
  if (isEnded(shell.state) || after === undefined) return undefined
  const isSamePlace = after.cwd === shell.lastCwd && after.generation <= shell.generation
  if (isSamePlace && after.shellExited !== true) return undefined
  const at = finishedAt ?? now
  const used: Shell = {
    ...shell,
    generation: Math.max(shell.generation, after.generation),
    lastUsedAt: Math.max(shell.lastUsedAt, at),
    lastCwd: after.cwd,
  }
  return after.shellExited === true ? asClosed(used, "shell_exited", at) : used
}

/** No host holds it any more, and this is the end that the last one journalled (spec shells.md §15). */
export function asTold(shell: Shell, { state, reason, at }: ShellEnd): Shell | undefined {
  return isEnded(shell.state) ? undefined : { ...shell, state, reason, closedAt: at }
}

/** Its host does not answer: what became of it is not known yet (spec shells.md §3). */
export function asRecovering(shell: Shell): Shell | undefined {
  return shell.state === "running" ? { ...shell, state: "recovering" } : undefined
}

/** No host holds it: it never was accepted, or its process is gone (spec shells.md §6). */
export function asMissing(shell: Shell, at: number): Shell | undefined {
  return shell.state === "opening" ? asClosed(shell, "start_failed", at) : asLost(shell, "process_gone", at)
}

function isSame(a: Shell, b: Shell): boolean {
  return (
    a.state === b.state &&
    a.dialect === b.dialect &&
    a.generation === b.generation &&
    a.lastUsedAt === b.lastUsedAt &&
    a.hostId === b.hostId &&
    a.lastCwd === b.lastCwd &&
    a.initialCwd === b.initialCwd
  )
}
