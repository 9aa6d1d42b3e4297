import { randomBytes } from "node:crypto"
import { ToolError } from "../../../../../core/kernel/error.ts"
import type { Dialect, ShellRestart } from "../../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import { spareSignalNumber } from "../interrupt/abort-trap.ts"
import type { Snapshot, SnapshotPlace } from "../snapshot/types.ts"
import type { Replacement, Seat, SeatCwd } from "../transport.ts"
import { type LaunchAnswer, launchAnswer, launchText } from "./launch.ts"
import { createSeatMemory, type SeatMemory } from "./memory.ts"
import { openChannel } from "./relay/channel.ts"
import { createRelay, type Relay } from "./relay/relay.ts"
import type { Tether } from "./relay/tether.ts"
import { startRemoteRun } from "./remote-run.ts"
import { createRemoteSeat } from "./remote-seat.ts"
import type { RemoteSeatsPorts } from "./remote-seats.ts"

/** A far generation that has answered a frame. */
export interface OpenedGeneration {
  readonly seat: Seat
  readonly memory: SeatMemory
  readonly restart: Omit<ShellRestart, "commands_behind">
  readonly snapshotOf: number | undefined
}

/** Where it is made, and of what. */
export interface GenerationOptions {
  /** On the target. */
  readonly directory: string
  /** Absent: the first one. */
  readonly from?: { readonly why: Replacement; readonly memory?: SeatMemory; readonly cwd?: SeatCwd }
}

const OPEN_MS = 10_000

/** Starts a shell on the target and waits for a whole frame. Throws `cwd_invalid`, `shell_start_failed`, the gateway's refusals. */
export async function openGeneration(
  spec: ShellSpec,
  options: GenerationOptions,
  ports: RemoteSeatsPorts & { readonly tether: Tether; released(): void },
): Promise<OpenedGeneration> {
  const relay = createRelay(ports.tether, options.directory)
  await relay.make()
  const marker = { name: "HOLDFAST_SHELL", value: spec.shellUid }
  const { from } = options
  const snapshot = from?.memory?.newest
  const launched = await launch(spec, relay, {
    ports,
    cwd: from === undefined ? spec.cwd : (snapshot?.cwd ?? spec.cwd),
  })
  const place: SnapshotPlace = {
    dialect: launched.dialect,
    fifo: `${options.directory}/snap`,
    script: `${options.directory}/r`,
    exitToken: randomBytes(16).toString("hex"),
  }
  await relay.write("r", ports.room.recordScript(place))
  await relay.send(ports.room.initText(place))
  const lost = snapshot === undefined ? [] : await restore({ place, snapshot, relay, ports, spec, from })
  const pid = await readiness(relay, launched.dialect, ports)
  const memory = createSeatMemory({
    relay,
    place,
    reader: ports.room.createSnapshotReader({ place, secrets: ports.secrets }),
    tokens: ports.tokens,
    texts: ports.room,
    spareSignal: String(spareSignalNumber()),
  })
  const cwd = (await relay.cwd(pid)) ?? spec.cwd ?? "/"
  const seat = createRemoteSeat(
    {
      dialect: launched.dialect,
      relay,
      pid,
      marker: `${marker.name}=${marker.value}`,
      cwd,
      memory,
      parentGone: launched.parentGone,
    },
    { tokens: ports.tokens, mask: ports.mask, released: ports.released },
  )
  return { seat, memory, restart: restartOf(from, { snapshot, lost }), snapshotOf: undefined }
}

async function launch(
  spec: ShellSpec,
  relay: Relay,
  { ports, cwd }: { readonly ports: RemoteSeatsPorts; readonly cwd: string | undefined },
): Promise<{ readonly dialect: Dialect; readonly parentGone: Promise<unknown> }> {
  const channel = openChannel(await ports.gateway.side())
  const answered = firstLine(channel.onBytes, channel.ended)
  channel.write(
    launchText({
      directory: relay.directory,
      dialect: spec.dialect,
      exact: spec.exact === true,
      ...(cwd === undefined ? {} : { cwd }),
      env: spec.env,
      marker: spec.shellUid,
    }),
  )
  channel.finish()
  const timer = setTimeout(() => channel.close(), OPEN_MS)
  const line = await answered.finally(() => clearTimeout(timer))
  const answer = launchAnswer(line)
  if (answer.kind === "open") return { dialect: answer.dialect, parentGone: channel.ended }
  if (answer.kind === "no_answer") throw ports.gateway.explain(await channel.ended)
  throw refusal(answer.kind)
}

function firstLine(onBytes: (listener: (chunk: Uint8Array) => void) => void, ended: Promise<unknown>): Promise<string> {
  return new Promise((resolve) => {
    let text = ""
    onBytes((chunk) => {
      text += Buffer.from(chunk).toString("latin1")
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")))
    })
    void ended.then(() => resolve(text))
  })
}

function refusal(kind: Exclude<LaunchAnswer["kind"], "open" | "no_answer">): ToolError {
  if (kind === "no_shell") {
    return new ToolError("capability_unavailable", "No bash is installed on the target. Name the shell sh.", {
      details: { reason: "shell_missing" },
      executionState: "not_started",
    })
  }
  const reason = kind === "cwd_missing" ? "missing" : "not_directory"
  return new ToolError("cwd_invalid", "The start directory cannot be entered on the target. Name another one.", {
    details: { reason },
    executionState: "not_started",
  })
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

/** Gives the new process what the old one had; names what it could not. */
async function restore(given: {
  readonly place: SnapshotPlace
  readonly snapshot: Snapshot
  readonly relay: Relay
  readonly ports: RemoteSeatsPorts
  readonly spec: ShellSpec
  readonly from: GenerationOptions["from"]
}): Promise<readonly string[]> {
  const { place, snapshot, relay, ports, spec, from } = given
  const text = ports.room.restoreText(place, snapshot, {
    environment: [...spec.env.map(({ name }) => name), "HOLDFAST_SHELL"],
    withoutErrexit: from?.why.reason === "errexit" || from?.memory?.exitWritten?.errexit === true,
    plainWords: from?.why.cautious === true,
    report: { fifo: "/dev/null", token: randomBytes(16).toString("hex") },
  })
  await relay.write("restore", Buffer.from(text.bytes).toString("utf8"))
  await relay.send(`\n. ${relay.directory}/restore </dev/null >/dev/null 2>&1\n`)
  return text.lost
}

function restartOf(
  from: GenerationOptions["from"],
  { snapshot, lost }: { readonly snapshot: Snapshot | undefined; readonly lost: readonly string[] },
): Omit<ShellRestart, "commands_behind"> {
  const death = from?.why.death
  return {
    reason: from?.why.reason ?? "exited",
    ...(typeof death?.exitCode === "number" ? { exit_code: death.exitCode } : {}),
    ...(typeof death?.signal === "string" ? { signal: death.signal } : {}),
    snapshot: snapshot?.kind ?? "none",
    lost: lost.slice(0, 8),
  }
}
