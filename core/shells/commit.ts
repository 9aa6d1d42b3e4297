import type { Clock } from "../kernel/clock.ts"
import { type InstanceId, instanceIdSchema, type ShellUid } from "../kernel/ids.ts"
import type { Signals, Topic } from "../kernel/signals.ts"
import type { Runner } from "../runners/runner.ts"
import type { Store, Tx } from "../store.ts"
import { CLOSE_REASONS, type CloseReason, type Shell } from "./record.ts"
import type { ShellDesk } from "./settings.ts"
import { asKnown, asMissing, asTold, isEnded } from "./states.ts"

/** What is needed to bring a row up to what its host knows. */
export interface ShellPorts {
  readonly store: Store
  readonly signals: Pick<Signals, "notify">
  readonly clock: Pick<Clock, "now">
  readonly shells: Pick<ShellDesk, "log">
}

/** What is told of a changed row. */
export type TellPorts = Pick<ShellPorts, "signals" | "shells">

/** The halves of a Runner that shells need. */
export type ShellSide = Pick<Runner, "jobs" | "shells">

/** What is told when a shell's row changed. */
export const shellTopic = (shellUid: ShellUid): Topic => `shell:${shellUid}`

/** The host of a Runner as rows name it. */
export function hostOf({ jobs }: Pick<Runner, "jobs">): InstanceId | undefined {
  return instanceIdSchema.safeParse(jobs.hostId).data
}

/** A row after a transition. */
interface ChangedShell {
  readonly shell: Shell
  /** Whether the transition applied. */
  readonly changed: boolean
}

type Transition = (shell: Shell) => Shell | undefined

/**
 * Applies one transition inside the caller's transaction; the row as it is afterwards. `undefined` for an unknown shell. A
 * transition that does not apply any more changes nothing. Who knows the row gives it: it is read only if another writer
 * came since.
 */
export async function changeShell(
  tx: Tx,
  of: ShellUid | Shell,
  transition: Transition,
): Promise<ChangedShell | undefined> {
  if (typeof of !== "string") {
    const result = await replaceShell(tx, of, transition)
    if (result !== "stale") return result
  }
  const shell = await tx.shells.byUid(typeof of === "string" ? of : of.shellUid)
  if (shell === undefined) return undefined
  const result = await replaceShell(tx, shell, transition)
  return result === "stale" ? { shell, changed: false } : result
}

async function replaceShell(tx: Tx, shell: Shell, transition: Transition): Promise<ChangedShell | "stale"> {
  const next = transition(shell)
  if (next === undefined) return { shell, changed: false }
  if (!(await tx.shells.update(next, shell))) return "stale"
  return { shell: { ...next, revision: shell.revision + 1 }, changed: true }
}

/**
 * Brings row and process of a shell together: the row learns what the host knows; a process whose row has ended is ended;
 * the host may forget an end that is stored (spec shells.md §3, §15). Any server may do it at any time.
 */
export async function settleShell(ports: ShellPorts, runner: ShellSide, shellUid: ShellUid): Promise<void> {
  const facts = await runner.shells.facts(shellUid)
  if (facts === undefined) return
  const known = { now: ports.clock.now(), hostId: hostOf(runner) }
  const shell = await ports.store.read((tx) => tx.shells.byUid(shellUid))
  if (shell !== undefined && asKnown(shell, facts, known) !== undefined) {
    const result = await ports.store.write((tx) => changeShell(tx, shellUid, (row) => asKnown(row, facts, known)))
    if (result?.changed === true) tellChange(ports, result.shell)
  }
  if (isEnded(facts.state)) await runner.shells.ack([shellUid])
  else if (shell !== undefined && isEnded(shell.state)) await endProcess(runner, shell)
}

/**
 * Ends the row of a shell that no host holds: as the journal of a host that is gone tells, else as one that nobody closed
 * (spec shells.md §6). Any server may do it at any time.
 */
export async function settleMissing(ports: ShellPorts, { shells }: ShellSide, shellUid: ShellUid): Promise<void> {
  const end = await shells.recall(shellUid)
  const now = ports.clock.now()
  const result = await ports.store.write((tx) =>
    changeShell(tx, shellUid, (shell) => (end === undefined ? asMissing(shell, now) : asTold(shell, end))),
  )
  if (result?.changed === true) tellChange(ports, result.shell)
}

/** Wakes who waits for a changed row, and notes an end in the log of commands (spec shells.md §13). */
export function tellChange({ signals, shells }: TellPorts, shell: Shell): void {
  signals.notify(shellTopic(shell.shellUid))
  if (isEnded(shell.state)) shells.log.note(shell, { event: "close", reason: shell.reason ?? shell.state })
}

/** Ends the process of a shell whose row has ended; it may be gone already. */
export async function endProcess({ shells }: ShellSide, shell: Shell, background: "kill" | "keep" = "kill") {
  const closed = await shells.close(shell.shellUid, { reason: closeReasonOf(shell), background })
  await shells.ack([shell.shellUid])
  return closed
}

/** What a shell that was lost or poisoned is ended for is not of the closed set; its row keeps the true reason. */
function closeReasonOf({ reason }: Shell): CloseReason {
  return CLOSE_REASONS.find((known) => known === reason) ?? "orphaned"
}
