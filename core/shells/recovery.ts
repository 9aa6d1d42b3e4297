import { isUnreachable } from "../jobs/reachable.ts"
import type { RecoveryPorts } from "../kernel/call.ts"
import type { Recovered } from "../kernel/definition.ts"
import { type InstanceId, shellUidSchema } from "../kernel/ids.ts"
import type { OpenCall } from "../ledger/store.ts"
import type { RunnerDirectory } from "../runners/runner.ts"
import { changeShell, hostOf, type ShellPorts, tellChange } from "./commit.ts"
import { asClosed, asKnown, asMissing } from "./states.ts"

const NOT_STARTED = {
  status: "failed",
  executionState: "not_started",
  evidence: { command_started: false, execution_state: "not_started" },
} as const

/**
 * What became of a call that opened a shell and whose server died (spec shells.md §6): the host knows the shell, or it was
 * never accepted and its row is closed.
 */
export async function recoverOpen(open: OpenCall, ports: RecoveryPorts): Promise<Recovered | undefined> {
  const shellUid = shellUidSchema.safeParse(open.hint?.shell_uid).data
  if (shellUid === undefined) return { ...NOT_STARTED, errorKind: "interrupted" }
  const runner = ports.runners.get("local")
  const facts = await runner?.shells.facts(shellUid)
  if (runner === undefined) return undefined
  const now = open.startedAt
  const result = await ports.store.write((tx) =>
    changeShell(tx, shellUid, (shell) => {
      if (facts === undefined) return asClosed(shell, "start_failed", now)
      return asKnown(shell, facts, { now, hostId: hostOf(runner) })
    }),
  )
  return result?.shell.state === "running"
    ? { status: "succeeded", evidence: { state_changed: true } }
    : { ...NOT_STARTED, errorKind: "shell_start_failed" }
}

/**
 * Brings the rows of hosts that are gone together with what the present host holds: adopted shells get its id, the others
 * are over (spec shells.md §6). A host is carried by the server of the same id, or by a process of its own, whose row says
 * that it lives. Idempotent, and safe in several servers at once.
 */
export async function recoverShells(
  ports: ShellPorts & { readonly runners: RunnerDirectory },
  dead: readonly InstanceId[],
): Promise<number> {
  const runner = ports.runners.get("local")
  if (runner === undefined) return 0
  const hostId = hostOf(runner)
  const orphans = await ports.store.read(async (tx) => {
    const living = new Set<string>([
      ...(await tx.instances.list()).map(({ instance }) => instance).filter((id) => !dead.includes(id)),
      (await tx.runnerHosts.current())?.hostId ?? "",
      hostId ?? "",
    ])
    return (await tx.shells.live({})).filter(({ hostId: host }) => host !== undefined && !living.has(host))
  })
  if (orphans.length === 0) return 0
  const inventory = await runner.shells.inventory().catch((error: unknown) => {
    if (isUnreachable(error)) return undefined
    throw error
  })
  // Nothing is lost before the host was asked: the next round asks again.
  if (inventory === undefined) return 0
  const held = new Map(inventory.map((facts) => [facts.shellUid, facts]))
  const now = ports.clock.now()
  for (const { shellUid } of orphans) {
    const facts = held.get(shellUid)
    const result = await ports.store.write((tx) =>
      changeShell(tx, shellUid, (shell) =>
        facts === undefined ? asMissing(shell, now) : asKnown(shell, facts, { now, hostId }),
      ),
    )
    if (result?.changed === true) tellChange(ports, result.shell)
  }
  return orphans.length
}
