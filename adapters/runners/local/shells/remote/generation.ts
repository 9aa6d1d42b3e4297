import { randomBytes } from "node:crypto"
import { ToolError } from "../../../../../core/kernel/error.ts"
import type { Dialect, ShellRestart } from "../../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import { initText } from "../snapshot/init-text.ts"
import { recordScript } from "../snapshot/record-script.ts"
import { createSnapshotReader } from "../snapshot/snapshot-reader.ts"
import type { SnapshotPlace } from "../snapshot/types.ts"
import type { Seat } from "../transport.ts"
import { launchAgain } from "./launching.ts"
import { createSeatMemory, type SeatMemory } from "./memory.ts"
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
  /** Ends a process that was replaced. */
  retire(): Promise<void>
  readonly restart: ShellRestart
}

/** Where it is made, and of what. */
export interface GenerationOptions {
  /** On the target. */
  readonly directory: string
  /** Absent: the first one. */
  readonly from?: Predecessor
}

const OPEN_MS = 10_000

/** Starts a shell on the target and waits for a whole frame. Throws `cwd_invalid`, `shell_start_failed`, the gateway's refusals. */
export async function openGeneration(
  spec: ShellSpec,
  options: GenerationOptions,
  ports: RemoteSeatsPorts & {
    readonly tether: Tether
    released(how: "ended" | "left"): Promise<void>
    before(text: string): Promise<void>
  },
): Promise<OpenedGeneration> {
  const relay = createRelay(ports.tether, options.directory)
  await relay.make()
  const marker = { name: "HOLDFAST_SHELL", value: spec.shellUid }
  const { from } = options
  const snapshot = from?.memory?.newest
  const { launched, cwdLost } = await launchAgain(spec, relay, { ports, from })
  const place: SnapshotPlace = {
    dialect: launched.dialect,
    fifo: `${options.directory}/snap`,
    script: `${options.directory}/r`,
    exitToken: randomBytes(16).toString("hex"),
    spareSignal: launched.spareSignal,
  }
  await relay.write("r", recordScript(place))
  await relay.send(initText(place))
  const lost = snapshot === undefined ? [] : await restore({ snapshot, relay, spec, from })
  const pid = await readiness(relay, launched.dialect, ports)
  const memory = createSeatMemory({
    relay,
    place,
    reader: createSnapshotReader({ place, secrets: ports.secrets }),
    tokens: ports.tokens,
    spareSignal: String(launched.spareSignal),
  })
  const pids = await leftAlive(relay, from)
  const startTime = (await relay.table()).find((one) => one.pid === pid)?.startTime
  const cwd = (await relay.cwd(pid))?.path ?? spec.cwd ?? "/"
  const seat = createRemoteSeat(
    {
      dialect: launched.dialect,
      relay,
      tether: ports.tether,
      pid,
      marker: `${marker.name}=${marker.value}`,
      cwd,
      memory,
      parentGone: launched.parentGone,
    },
    { tokens: ports.tokens, mask: ports.mask, released: ports.released, before: ports.before },
  )
  async function retire(): Promise<void> {
    const table = await relay.table()
    const old = table.filter((one) => one.pid === pid && one.startTime === startTime)
    await relay.kill("KILL", old)
  }
  return { seat, memory, retire, restart: restartOf(from, { snapshot, lost: [...pids, ...lost], cwdLost }) }
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
      noteChildren: () => undefined,
      endTrees: async () => ({ background: [], survivors: [] }),
    },
  )
  const timer = setTimeout(() => run.noteUseless(), OPEN_MS)
  const end = await run.end.finally(() => clearTimeout(timer))
  if (end.kind === "status" && Number(said) > 0) return Number(said)
  throw new ToolError("shell_start_failed", "The shell on the target did not answer its first frame. Try again.", {
    details: { phase: "shell" },
    executionState: "not_started",
  })
}
