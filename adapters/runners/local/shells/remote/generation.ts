import { randomBytes } from "node:crypto"
import { ToolError } from "../../../../../core/kernel/error.ts"
import type { Dialect, ShellRestart } from "../../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import { SHELL_MARKER } from "../marker.ts"
import { initText } from "../snapshot/init-text.ts"
import { recordScript } from "../snapshot/record-script.ts"
import { createSnapshotReader } from "../snapshot/snapshot-reader.ts"
import type { Snapshot, SnapshotPlace } from "../snapshot/types.ts"
import type { Seat } from "../transport.ts"
import { type FarCardKeeper, startFarCard } from "./adopt/keep-far-card.ts"
import type { ContainerLife } from "./container/inspect.ts"
import type { Gateway } from "./gateway.ts"
import { launchAgain } from "./launching.ts"
import { createSeatMemory, type InheritedMemory, type SeatMemory } from "./memory.ts"
import { createRelay, type Relay } from "./relay/relay.ts"
import type { Tether } from "./relay/tether.ts"
import { startRemoteRun } from "./remote-run.ts"
import { createRemoteSeat } from "./remote-seat.ts"
import type { RemoteSeatsPorts } from "./remote-seats.ts"
import { leftAlive, type Predecessor, restartOf, restore } from "./restoring.ts"

/** A far generation that has answered a frame. */
export interface OpenedGeneration {
  readonly seat: Seat
  readonly memory: SeatMemory
  /** Ends what is left of it on the target: its process, where that was replaced, and what listened to it. */
  retire(): Promise<void>
  readonly restart: ShellRestart
  readonly keeper: FarCardKeeper
}

/** Where it is made, and of what. */
export interface GenerationOptions {
  /** Of its directory on the target, below the relay's. */
  readonly number: number
  /** Of the shell, as callers see it. */
  readonly generation: number
  /** Absent: the first one. */
  readonly from?: Predecessor
}

/** What it needs beside the target's. */
export interface GenerationPorts extends RemoteSeatsPorts {
  readonly tether: Tether
  released(how: "ended" | "left"): Promise<void>
  before(text: string): Promise<void>
}

const OPEN_MS = 10_000

const lifeOf = ({ life }: Gateway): { readonly life?: ContainerLife } => (life === undefined ? {} : { life })

/** Starts a shell on the target and waits for a whole frame. Throws `cwd_invalid`, `shell_start_failed`, the gateway's refusals. */
export async function openGeneration(
  spec: ShellSpec,
  options: GenerationOptions,
  ports: GenerationPorts,
): Promise<OpenedGeneration> {
  const { place, directory: home } = ports.tether
  const relay = createRelay(ports.tether, `${home}/g${options.number}`)
  const { generation, number } = options
  const keeper = startFarCard(spec, { generation, number, place, ...lifeOf(ports.gateway) }, ports)
  try {
    return await launchInto(spec, options, { ...ports, relay, keeper })
  } catch (error) {
    keeper.remove()
    throw error
  }
}

/** Its folder on this machine is there. */
async function launchInto(
  spec: ShellSpec,
  { from }: GenerationOptions,
  ports: GenerationPorts & { readonly relay: Relay; readonly keeper: FarCardKeeper },
): Promise<OpenedGeneration> {
  const { relay, keeper } = ports
  await relay.make()
  const marker = { name: SHELL_MARKER, value: spec.shellUid }
  const snapshot = from?.memory?.newest
  const { launched, cwdLost } = await launchAgain(spec, relay, { ports, from })
  const { dialect, spareSignal } = launched
  const place = snapshotPlace(relay, { dialect, spareSignal, exitToken: randomBytes(16).toString("hex") })
  await relay.write("r", recordScript(place))
  await relay.send(initText(place))
  const lost = snapshot === undefined ? [] : await restore({ snapshot, relay, spec, from })
  const pid = await readiness(relay, launched.dialect, ports)
  const memory = createSeatMemory({
    relay,
    place,
    reader: createSnapshotReader({ place, secrets: ports.secrets }),
    tokens: ports.tokens,
    spareSignal: String(spareSignal),
    keep: keeper.keep,
    ...(snapshot === undefined ? {} : { inherited: inheritedFrom(snapshot, from) }),
  })
  if (snapshot !== undefined) keeper.keep(snapshot)
  const pids = await leftAlive(relay, from)
  const found = await relay.row(pid)
  const born = found === undefined ? {} : { startTime: found.startTime }
  keeper.launched({ pid, ...born, dialect, exitToken: place.exitToken, spareSignal })
  const at = await relay.cwd(pid)
  const cwd = (at === "untold" ? undefined : at?.path) ?? spec.cwd ?? "/"
  const seat = createRemoteSeat(
    {
      dialect,
      relay,
      tether: ports.tether,
      gateway: ports.gateway,
      keeper,
      pid,
      ...born,
      marker: `${marker.name}=${marker.value}`,
      cwd,
      memory,
      parentGone: launched.parentGone,
    },
    { tokens: ports.tokens, mask: ports.mask, released: ports.released, before: ports.before },
  )
  const retire = (): Promise<void> => endFarShell(relay, { pid, ...born })
  return { seat, memory, retire, keeper, restart: restartOf(from, { snapshot, lost: [...pids, ...lost], cwdLost }) }
}

const inheritedFrom = (snapshot: Snapshot, from: Predecessor | undefined): InheritedMemory => ({
  snapshot,
  behind: from?.memory?.commandsBehind ?? 0,
  children: [],
  canAbort: true,
})

/** Kills exactly this process, if it lives, and what listened to it. */
export async function endFarShell(
  relay: Pick<Relay, "row" | "kill" | "quit">,
  { pid, startTime }: { readonly pid: number; readonly startTime?: string },
): Promise<void> {
  const found = await relay.row(pid)
  if (found !== undefined && found.startTime === startTime) await relay.kill("KILL", [found])
  await relay.quit()
}

/** Where a far shell's records go and what they end with. */
export function snapshotPlace(
  { directory }: Pick<Relay, "directory">,
  made: Pick<SnapshotPlace, "dialect" | "exitToken"> & { readonly spareSignal: number },
): SnapshotPlace {
  return { ...made, fifo: `${directory}/snap`, script: `${directory}/r` }
}

/** A whole frame, by which the shell tells its pid. */
async function readiness(relay: Relay, dialect: Dialect, ports: RemoteSeatsPorts): Promise<number> {
  let said = ""
  const sink = {
    accept: (_stream: string, chunk: Uint8Array): void => {
      said += Buffer.from(chunk).toString("latin1")
    },
    quiet: (): void => undefined,
  }
  const run = startRemoteRun(
    { text: "printf %s $$", streams: "split", tty: false, env: [], sink },
    {
      relay,
      tokens: ports.tokens,
      dialect,
      pid: 0,
      describe: async () => [],
      deathOf: async () => ({ exitCode: null, signal: null }),
      isWedged: async () => false,
      before: async () => undefined,
      note: () => undefined,
      noteChildren: () => undefined,
      endTrees: async () => ({ background: [], survivors: [] }),
    },
  )
  const timer = setTimeout(() => run.noteUseless(), OPEN_MS)
  const end = await run.end.finally(() => clearTimeout(timer))
  end.release()
  if (end.kind === "status" && Number(said) > 0) return Number(said)
  throw new ToolError("shell_start_failed", "The shell on the target did not answer its first frame. Try again.", {
    details: { phase: "shell" },
    executionState: "not_started",
  })
}
