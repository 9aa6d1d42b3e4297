import { isUnreachable } from "../jobs/reachable.ts"
import type { RecoveryPorts } from "../kernel/call.ts"
import type { Recovered } from "../kernel/definition.ts"
import { type InstanceId, shellUidSchema } from "../kernel/ids.ts"
import type { OpenCall } from "../ledger/store.ts"
import type { Tx } from "../store.ts"
import { changeShell, hostOf, type ShellPorts, type ShellSide, settleMissing, settleShell } from "./commit.ts"
import type { Shell } from "./record.ts"
import { asClosed, asKnown } from "./states.ts"

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
  ports: ShellPorts & { readonly runners: { get(clientId: string): ShellSide | undefined } },
  dead: readonly InstanceId[],
): Promise<number> {
  const runner = ports.runners.get("local")
  if (runner === undefined) return 0
  if ((await ports.store.read((tx) => tx.shells.live({}))).length === 0) return 0
  try {
    // Asked first: which hosts live is known when the present one was looked for.
    const held = new Set((await runner.shells.inventory()).map(({ shellUid }) => shellUid))
    const orphans = await ports.store.read((tx) => orphansIn(tx, dead, hostOf(runner)))
    for (const { shellUid } of orphans) {
      if (held.has(shellUid)) await settleShell(ports, runner, shellUid)
      else await settleMissing(ports, runner, shellUid)
    }
    return orphans.length
  } catch (error) {
    if (!isUnreachable(error)) throw error
    // Nothing is lost before the host was asked: the next round asks again.
    return 0
  }
}

/** Live rows of hosts that are gone. */
async function orphansIn(
  tx: Tx,
  dead: readonly InstanceId[],
  hostId: InstanceId | undefined,
): Promise<readonly Shell[]> {
  const living = new Set<string>([
    ...(await tx.instances.list()).map(({ instance }) => instance).filter((id) => !dead.includes(id)),
    (await tx.runnerHosts.current())?.hostId ?? "",
    hostId ?? "",
  ])
  return (await tx.shells.live({})).filter(({ hostId: host }) => host !== undefined && !living.has(host))
}
