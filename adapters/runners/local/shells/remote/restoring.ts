import { randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { RestartReason, ShellRestart } from "../../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import { SHELL_MARKER } from "../marker.ts"
import { shellWord } from "../quote.ts"
import { restartReason } from "../snapshot/restart-reason.ts"
import { createRestoreReport } from "../snapshot/restore-report.ts"
import { restoreText } from "../snapshot/restore-text.ts"
import type { RestoreOptions, Snapshot } from "../snapshot/types.ts"
import type { Replacement, SeatCwd } from "../transport.ts"
import type { SeatMemory } from "./memory.ts"
import { livingOne } from "./relay/far-process.ts"
import type { Relay } from "./relay/relay.ts"

/** The generation that a new one takes over from. */
export interface Predecessor {
  readonly why: Replacement
  readonly memory?: SeatMemory
  /** Where it was last seen. */
  readonly cwd?: SeatCwd
}

/** Background work of the old process that lives on. */
export async function leftAlive(relay: Relay, from: Predecessor | undefined): Promise<readonly string[]> {
  const children = from?.memory?.children ?? []
  if (children.length === 0) return []
  const table = await relay.table()
  const living = children.filter((child) => livingOne(child, table) !== undefined)
  return living.length === 0 ? [] : [`pids ${living.join(" ")}`]
}

const REPORT_MS = 2000
const REPORT_LOOK_MS = 10

/** Gives the new process what the old one had; names what it could not. */
export async function restore(given: {
  readonly snapshot: Snapshot
  readonly relay: Relay
  readonly spec: ShellSpec
  readonly from: Predecessor | undefined
}): Promise<readonly string[]> {
  const { snapshot, relay, spec, from } = given
  // A regular file would end the shell where its files may have no size (spec shells.md §5.6).
  const report = { fifo: `${relay.directory}/snap`, token: randomBytes(16).toString("hex") }
  const text = restoreText(snapshot, {
    environment: [...spec.env.map(({ name }) => name), SHELL_MARKER],
    withoutErrexit: reasonOf(from) === "errexit",
    plainWords: from?.why.cautious === true,
    report,
  })
  await relay.write("restore", text.bytes)
  const source = snapshot.dialect === "sh" ? "command ." : "."
  await relay.send(`\n${source} ${shellWord(`${relay.directory}/restore`)} </dev/null >/dev/null 2>&1\n`)
  return [...text.lost, ...(await readReport(relay, report))]
}

async function readReport(relay: Relay, report: RestoreOptions["report"]): Promise<readonly string[]> {
  const reader = createRestoreReport(report)
  let from = 0
  for (const until = performance.now() + REPORT_MS; performance.now() < until; await sleep(REPORT_LOOK_MS)) {
    let said: readonly string[] | undefined
    from += await relay.read("snap.d", from, (chunk) => {
      said = reader.push(chunk) ?? said
    })
    if (said !== undefined) return said
  }
  return ["the rest of the restore"]
}

/** What is known by now decides between the reasons that the engine could only guess (spec shells.md §5.6). */
function reasonOf(from: Predecessor | undefined): RestartReason {
  if (from === undefined) return "exited"
  const { why, memory } = from
  if (why.reason !== "exited" && why.reason !== "signaled" && why.reason !== "killed_outside") return why.reason
  return restartReason({
    busy: why.text !== undefined,
    ...(why.text === undefined ? {} : { text: why.text }),
    ...(why.death === undefined ? {} : { exit: { code: why.death.exitCode, signal: why.death.signal } }),
    ...(memory?.exitWritten === undefined ? {} : { exitWrite: memory.exitWritten }),
    knownExitTrap: memory?.notes?.exitTrap !== undefined,
  })
}

/** What is told of a restart. */
export function restartOf(
  from: Predecessor | undefined,
  made: { readonly snapshot: Snapshot | undefined; readonly lost: readonly string[]; readonly cwdLost: boolean },
): ShellRestart {
  const death = from?.why.death
  return {
    reason: reasonOf(from),
    ...(typeof death?.exitCode === "number" ? { exit_code: death.exitCode } : {}),
    ...(typeof death?.signal === "string" ? { signal: death.signal } : {}),
    snapshot: made.snapshot?.kind ?? "none",
    commands_behind: from?.memory?.commandsBehind ?? 0,
    lost: made.lost.slice(0, 8),
    ...(made.cwdLost ? { cwd_lost: true } : {}),
  }
}
