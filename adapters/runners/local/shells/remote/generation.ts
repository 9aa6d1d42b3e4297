import { randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { isToolError, ToolError } from "../../../../../core/kernel/error.ts"
import type { Dialect, RestartReason, ShellRestart } from "../../../../../core/shells/record.ts"
import type { ShellSpec } from "../../../../../core/shells/runner.ts"
import { spareSignalNumber } from "../interrupt/abort-trap.ts"
import { shellWord } from "../quote.ts"
import { initText } from "../snapshot/init-text.ts"
import { recordScript } from "../snapshot/record-script.ts"
import { restartReason } from "../snapshot/restart-reason.ts"
import { createRestoreReport } from "../snapshot/restore-report.ts"
import { restoreText } from "../snapshot/restore-text.ts"
import { createSnapshotReader } from "../snapshot/snapshot-reader.ts"
import type { RestoreOptions, Snapshot, SnapshotPlace } from "../snapshot/types.ts"
import type { Replacement, Seat, SeatCwd } from "../transport.ts"
import { type LaunchAnswer, launchAnswer, launchText } from "./launch.ts"
import { createSeatMemory, type SeatMemory } from "./memory.ts"
import { openChannel } from "./relay/channel.ts"
import { livingOne } from "./relay/far-process.ts"
import { createRelay, type Relay } from "./relay/relay.ts"
import type { Tether } from "./relay/tether.ts"
import { startRemoteRun } from "./remote-run.ts"
import { createRemoteSeat } from "./remote-seat.ts"
import type { RemoteSeatsPorts } from "./remote-seats.ts"

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
  readonly from?: { readonly why: Replacement; readonly memory?: SeatMemory; readonly cwd?: SeatCwd }
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
    spareSignal: String(spareSignalNumber()),
  })
  const pids = await leftAlive(relay, from)
  const startTime = (await relay.table()).find((one) => one.pid === pid)?.startTime
  const cwd = (await relay.cwd(pid)).path ?? spec.cwd ?? "/"
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

/** In the directory where the last generation was; where that is gone, as at the beginning. */
async function launchAgain(
  spec: ShellSpec,
  relay: Relay,
  { ports, from }: { readonly ports: RemoteSeatsPorts; readonly from: GenerationOptions["from"] },
): Promise<{ readonly launched: Awaited<ReturnType<typeof launch>>; readonly cwdLost: boolean }> {
  const cwd = lastPlace(from)
  if (from?.cwd?.deleted === true && from.memory?.newest?.kind !== "exit") {
    return { launched: await launchAtStart(spec, relay, ports), cwdLost: true }
  }
  if (cwd === undefined) return { launched: await launch(spec, relay, { ports, cwd: spec.cwd }), cwdLost: false }
  try {
    return { launched: await launch(spec, relay, { ports, cwd }), cwdLost: false }
  } catch (error) {
    if (!isToolError(error) || error.kind !== "cwd_invalid") throw error
    return { launched: await launchAtStart(spec, relay, ports), cwdLost: true }
  }
}

/** As at the beginning; where even that is gone, at the root. */
const launchAtStart = (spec: ShellSpec, relay: Relay, ports: RemoteSeatsPorts): ReturnType<typeof launch> =>
  launch(spec, relay, { ports, cwd: spec.cwd }).catch(() => launch(spec, relay, { ports, cwd: "/" }))

/** Where the old process was at its end; else where it was last seen. */
function lastPlace(from: GenerationOptions["from"]): string | undefined {
  const { memory, cwd } = from ?? {}
  return (memory?.newest?.kind === "exit" ? memory.cwd : cwd?.path) ?? memory?.cwd
}

/** Background work of the old process that lives on. */
async function leftAlive(relay: Relay, from: GenerationOptions["from"]): Promise<readonly string[]> {
  const children = from?.memory?.children ?? []
  if (children.length === 0) return []
  const table = await relay.table()
  const living = children.filter((child) => livingOne(child, table) !== undefined)
  return living.length === 0 ? [] : [`pids ${living.join(" ")}`]
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
      before: async () => undefined,
      noteChildren: () => undefined,
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

const REPORT_MS = 2000
const REPORT_LOOK_MS = 10

/** Gives the new process what the old one had; names what it could not. */
async function restore(given: {
  readonly snapshot: Snapshot
  readonly relay: Relay
  readonly spec: ShellSpec
  readonly from: GenerationOptions["from"]
}): Promise<readonly string[]> {
  const { snapshot, relay, spec, from } = given
  // A regular file would end the shell where its files may have no size (spec shells.md §5.6).
  const report = { fifo: `${relay.directory}/snap`, token: randomBytes(16).toString("hex") }
  const text = restoreText(snapshot, {
    environment: [...spec.env.map(({ name }) => name), "HOLDFAST_SHELL"],
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
function reasonOf(from: GenerationOptions["from"]): RestartReason {
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

function restartOf(
  from: GenerationOptions["from"],
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
