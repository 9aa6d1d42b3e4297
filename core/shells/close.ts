import type { RunnerDirectory } from "../runners/runner.ts"
import type { Tx } from "../store.ts"
import { changeShell, endProcess, type ShellPorts, type TellPorts, tellChange } from "./commit.ts"
import type { CloseReason, Shell } from "./record.ts"
import { asClosed } from "./states.ts"
import type { LiveShellFilter } from "./store.ts"

/** Closes the rows of live shells in the caller's transaction; their slots are free at once. Returns them as they are now. */
export async function closeRows(
  tx: Tx,
  filter: LiveShellFilter,
  end: { readonly reason: CloseReason; readonly at: number },
): Promise<readonly Shell[]> {
  const closed: Shell[] = []
  for (const { shellUid } of await tx.shells.live(filter)) {
    const result = await changeShell(tx, shellUid, (shell) => asClosed(shell, end.reason, end.at))
    if (result?.changed === true) closed.push(result.shell)
  }
  return closed
}

/** Ends the processes of shells whose rows are closed; one that cannot be reached now is ended by its supervisor. */
export async function endProcesses(
  ports: TellPorts & { readonly runners: RunnerDirectory },
  shells: readonly Shell[],
): Promise<void> {
  const runner = ports.runners.get("local")
  for (const shell of shells) tellChange(ports, shell)
  if (runner === undefined) return
  await Promise.all(shells.map((shell) => endProcess(runner, shell)))
}

/** One shell: row first, then process, by whoever finds out that it may not go on. */
export async function closeShell(
  ports: ShellPorts & { readonly runners: RunnerDirectory },
  { shellUid }: Shell,
  reason: CloseReason,
): Promise<void> {
  const at = ports.clock.now()
  const result = await ports.store.write((tx) => changeShell(tx, shellUid, (shell) => asClosed(shell, reason, at)))
  if (result?.changed === true) await endProcesses(ports, [result.shell])
}
