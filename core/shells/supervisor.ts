import { isUnreachable } from "../jobs/reachable.ts"
import { createBackground } from "../kernel/background.ts"
import type { Clock } from "../kernel/clock.ts"
import { ACCESS_TOPIC, type Signals } from "../kernel/signals.ts"
import type { Store } from "../store.ts"
import {
  changeShell,
  endProcess,
  hostOf,
  type ShellPorts,
  type ShellSide,
  settleMissing,
  settleShell,
  tellChange,
} from "./commit.ts"
import type { CloseReason, Shell } from "./record.ts"
import { asClosed, asRecovering } from "./states.ts"
import { withdrawal } from "./withdrawn.ts"

const LOOK_EVERY_MS = 2000
const ACCESS_EVERY_MS = 5000
const KEEP_EVERY_MS = 60_000
/** Longer than any opening may take (spec shells.md §3). */
const OPENING_MS = 90_000
const RETENTION_MS = 7 * 24 * 3_600_000
const REMOVE_AT_ONCE = 200

/**
 * Follows the shells of this process's Runners: their rows learn what became of them, and what may not go on is ended (spec
 * shells.md §3).
 */
export interface ShellSupervisor {
  start(): void
  /** Stops following and stores what is known by then. The composition root closes hosts before and the store after it. */
  close(): Promise<void>
}

/** What a supervisor needs; failures of the store are told to `report` and tried again. */
export interface ShellSupervisorPorts extends ShellPorts {
  readonly store: Store
  readonly clock: Clock
  readonly signals: Pick<Signals, "notify" | "wait">
  readonly runners: readonly ShellSide[]
  report(error: unknown): void
}

/** One supervisor a server process. */
export function createShellSupervisor(ports: ShellSupervisorPorts): ShellSupervisor {
  const background = createBackground(ports)
  const { signal } = background

  async function follow(runner: ShellSide): Promise<void> {
    let since = 0
    while (!signal.aborted) {
      try {
        const { sequence, shellUids } = await runner.shells.events({ since, signal })
        since = sequence
        for (const shellUid of shellUids) background.run(() => settleShell(ports, runner, shellUid))
      } catch (error) {
        if (!isUnreachable(error)) throw error
        await ports.clock.sleep(LOOK_EVERY_MS, signal)
      }
    }
  }

  /** At once where this process hears of it, else at the next look. */
  async function watchAccess(): Promise<void> {
    while (!signal.aborted) {
      await ports.signals.wait([ACCESS_TOPIC], { timeoutMs: ACCESS_EVERY_MS, signal })
      await closeForbidden(ports).catch(ports.report)
    }
  }

  return {
    start() {
      for (const runner of ports.runners) {
        background.run(() => follow(runner))
        background.repeat(LOOK_EVERY_MS, () => bringTogether(ports, runner))
      }
      background.run(watchAccess)
      background.repeat(KEEP_EVERY_MS, () => removeOld(ports))
    },
    async close() {
      await background.stop()
      for (const runner of ports.runners) await settleHeld(ports, runner).catch(ports.report)
    },
  }
}

async function settleHeld(ports: ShellSupervisorPorts, runner: ShellSide): Promise<ReadonlySet<Shell["shellUid"]>> {
  const held = await runner.shells.inventory()
  for (const { shellUid } of held) await settleShell(ports, runner, shellUid)
  return new Set(held.map(({ shellUid }) => shellUid))
}

/** Rows learn from the host; a row of this host that it does not hold is over. */
async function bringTogether(ports: ShellSupervisorPorts, runner: ShellSide): Promise<void> {
  const hostId = hostOf(runner)
  const rows = hostId === undefined ? [] : await ports.store.read((tx) => tx.shells.live({ hostId }))
  const held = await settleHeld(ports, runner).catch((error: unknown) => {
    if (isUnreachable(error)) return undefined
    throw error
  })
  if (held === undefined) return noteOutOfReach(ports, rows)
  const now = ports.clock.now()
  const missing = rows.filter(({ shellUid, state, createdAt }) => {
    return !held.has(shellUid) && (state !== "opening" || now - createdAt > OPENING_MS)
  })
  for (const { shellUid } of missing) await settleMissing(ports, runner, shellUid)
}

/** Nothing is lost before its host was asked (spec shells.md §3, §6). */
async function noteOutOfReach(ports: ShellSupervisorPorts, rows: readonly Shell[]): Promise<void> {
  const running = rows.filter(({ state }) => state === "running")
  if (running.length === 0) return
  await ports.store.write(async (tx) => {
    for (const { shellUid } of running) await changeShell(tx, shellUid, asRecovering)
  })
  for (const shell of running) tellChange(ports, shell)
}

/** Shells whose owner, Session or Project may not have them any more, whoever took that away (spec shells.md §3). */
async function closeForbidden(ports: ShellSupervisorPorts): Promise<void> {
  const now = ports.clock.now()
  const found = await ports.store.read(async (tx) => {
    const faults: { readonly shell: Shell; readonly reason: CloseReason }[] = []
    for (const shell of await tx.shells.live({})) {
      const reason = await withdrawal(tx, shell)
      if (reason !== undefined) faults.push({ shell, reason })
    }
    return faults
  })
  for (const { shell, reason } of found) {
    const result = await ports.store.write((tx) => changeShell(tx, shell.shellUid, (row) => asClosed(row, reason, now)))
    if (result?.changed !== true) continue
    tellChange(ports, result.shell)
    for (const runner of ports.runners) await endProcess(runner, result.shell)
  }
}

async function removeOld({ store, clock }: ShellSupervisorPorts): Promise<void> {
  const bounds = { endedBefore: clock.now() - RETENTION_MS, limit: REMOVE_AT_ONCE }
  await store.write(async (tx) => tx.shells.remove(await tx.shells.expired(bounds)))
}
