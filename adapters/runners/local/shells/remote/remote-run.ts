import { setTimeout as sleep } from "node:timers/promises"
import type { StreamName, Survivor } from "../../../../../core/jobs/record.ts"
import type { BackgroundProcess } from "../../../../../core/jobs/runner.ts"
import type { Dialect } from "../../../../../core/shells/record.ts"
import { createDeferred } from "../../host/deferred.ts"
import { frameText } from "../frame.ts"
import type { Tokens } from "../tokens.ts"
import type { EndBackground, SeatCommand, SeatDeath, SeatEnd } from "../transport.ts"
import { readFarOwnOutput } from "./far-own-output.ts"
import { createFarOutput, type FarOutput } from "./far-stream.ts"
import type { FarState, FarStream, Relay } from "./relay/relay.ts"
import { TargetGone } from "./relay/tether.ts"

const FIRST_PAUSE_MS = 3
const LONGEST_PAUSE_MS = 100
const LATE_PAUSE_MS = 500
/** Children that end by themselves in a moment are waited for (spec shells.md §5.3). */
const LINGER_MS = 20
const MARK_MS = 2000

/** What the commands of one far generation have in common. */
export interface RemoteRunPorts {
  readonly relay: Relay
  readonly tokens: Tokens
  readonly dialect: Dialect
  readonly pid: number
  /** Names the roots of trees among these children of the shell. */
  describe(children: readonly number[], token: string | undefined): Promise<readonly BackgroundProcess[]>
  /** Its children as they are told while it lives. */
  noteChildren(children: readonly number[]): void
  /** How the shell ended, once its end is certain. */
  deathOf(state: FarState): Promise<SeatDeath>
  /** Ends processes and what is below them. */
  endTrees(roots: readonly number[], graceMs: number): ReturnType<EndBackground>
  /** A command is about to run. */
  before(text: string): Promise<void>
  /** Told before a command is sent: what the next host would have to know. */
  note(command: SeatCommand, token: string): void
  /** One look at a shell that has not reported yet: it will never report. */
  isWedged(state: FarState, older: readonly number[]): Promise<boolean>
}

/** One command in one far generation. */
export interface RemoteRun {
  readonly end: Promise<SeatEnd>
  /** Resolves when the command is over, before its output is drained. */
  readonly over: Promise<void>
  isOver(): boolean
  /** The shell's children that were there before. */
  readonly older: Promise<readonly number[]>
  /** The ladder ended the shell. */
  noteUseless(): void
  /** A ladder is under way: the end waits for what it tells. */
  noteLadder(survivors: Promise<readonly Survivor[]>): void
  /** Leaves it unread. */
  abandon(): void
}

type Over = Pick<SeatEnd, "kind" | "status" | "death"> & { readonly state: FarState }

/** Sends the frame and asks until its end is there (spec shells.md §5.2, §9.1). */
export function startRemoteRun(command: SeatCommand, ports: RemoteRunPorts): RemoteRun {
  const { relay, tokens } = ports
  const { resumed, sink } = command
  const token = resumed?.token ?? tokens.next()
  const over = createDeferred()
  const released = createDeferred()
  const older = resumed === undefined ? relay.children(ports.pid) : Promise.resolve(resumed.older.map(({ pid }) => pid))
  const merged = command.streams === "merged"
  const outputOf = (file: FarStream, stream: StreamName): FarOutput =>
    createFarOutput(
      { token, file, accept: (chunk) => sink.accept(stream, chunk), stored: () => sink.stored?.(stream) },
      ports,
    )
  const out = outputOf("od", "stdout")
  const err = outputOf("ed", "stderr")
  const outputs: readonly FarOutput[] = merged ? [out] : [out, err]
  let useless = false
  let abandoned = false
  let isOver = false
  let ladder: Promise<readonly Survivor[]> = Promise.resolve([])

  async function begin(): Promise<void> {
    ports.note(command, token)
    const place = `${relay.directory}/${token}`
    await relay.begin({
      token,
      text: command.text,
      merged,
      ...(command.stdin === undefined ? {} : { stdin: command.stdin }),
      frame: frameText({
        dialect: ports.dialect,
        token,
        command: `${place}/t`,
        ...(command.stdin === undefined ? {} : { stdin: `${place}/i` }),
        out: `${place}/o`,
        ...(merged ? {} : { err: `${place}/e` }),
        env: command.env,
        status: `${relay.directory}/s/${token}.`,
        wake: "/dev/null",
      }),
    })
  }

  /** Reads on from where the files on the target begin; what of it is stored already, the sink knows. */
  async function takeUp(): Promise<void> {
    const { od, ed } = await relay.resume(token)
    if (od !== undefined) {
      out.resume(od)
      sink.rebase?.("stdout", { ...od, bytes: od.stored })
    }
    if (ed !== undefined) {
      err.resume(ed)
      sink.rebase?.("stderr", { ...ed, bytes: ed.stored })
    }
  }

  let isStarted = false

  /** Asks for the state, and reads what was there after it was told; of a text that was not read nothing is output. */
  async function look(): Promise<{ readonly state: FarState; readonly bytes: number }> {
    const asked = relay.state(token, ports.pid)
    const sizes = isStarted ? Promise.all(outputs.map((output) => output.take(false))) : []
    const [state, taken] = await Promise.all([asked, sizes])
    isStarted = state.started
    if (state.alive && state.dead === undefined) ports.noteChildren(state.children)
    return { state, bytes: taken.reduce((sum, size) => sum + size, 0) }
  }

  async function untilOver(): Promise<Over> {
    let pause = FIRST_PAUSE_MS
    let silent = 0
    for (;;) {
      const { state, bytes } = await look()
      if (state.status !== undefined) return { kind: "status", status: state.status, state }
      if (useless) return { kind: "unresponsive", state }
      if (state.dead !== undefined || !state.alive) silent += 1
      if (silent > 1) return { kind: "died", death: await ports.deathOf(state), state }
      if (pause === LONGEST_PAUSE_MS && (await ports.isWedged(state, await older))) return { kind: "wedged", state }
      if (bytes > 0) pause = Math.min(pause, LONGEST_PAUSE_MS / 4)
      if (abandoned) return { kind: "status", state }
      await sleep(pause)
      pause = Math.min(LONGEST_PAUSE_MS, Math.ceil(pause * 1.5))
    }
  }

  /** Everything written before now is delivered; `true`: a mark got lost. */
  async function drain(): Promise<boolean> {
    const started = performance.now()
    let marked = false
    for (;;) {
      const state = await relay.state(token, ports.pid)
      const ended = [state.outEnded, state.errEnded]
      await Promise.all(outputs.map((output, index) => output.take(ended[index] === true)))
      if (outputs.every((output) => output.isDrained)) return false
      const waited = performance.now() - started
      if (!marked && waited > LINGER_MS) {
        marked = true
        await Promise.all(outputs.map((output, index) => (ended[index] === true ? undefined : output.mark())))
      }
      if (waited > MARK_MS && ended.every((end, index) => end || outputs[index] !== undefined)) {
        const missing = outputs.some((output) => !output.isDrained)
        for (const output of outputs) output.giveUp()
        return missing
      }
      await sleep(FIRST_PAUSE_MS)
    }
  }

  /** What its EXIT trap wrote when the pipes of the command were given up; `true`: some of it is missing. */
  async function takeLast(): Promise<boolean> {
    const { stdout, stderr, cut } = await readFarOwnOutput(`${relay.directory}/${token}/t`, ports)
    if (stdout.length > 0) command.sink.accept("stdout", stdout)
    if (stderr.length > 0) command.sink.accept(merged ? "stdout" : "stderr", stderr)
    return cut
  }

  async function followLate(): Promise<void> {
    while (!abandoned && outputs.some((output) => !output.isOver)) {
      await sleep(LATE_PAUSE_MS)
      const state = await relay.state(token, ports.pid)
      const ended = [state.outEnded, state.errEnded]
      await Promise.all(outputs.map((output, index) => output.take(ended[index] === true)))
    }
    if (abandoned) return
    command.sink.quiet()
    // The files prove the end until it is journalled.
    await released.promise
    if (!abandoned) await relay.forget(token)
  }

  /** What it was doing when its target went is not known. */
  function targetGone(error: unknown): SeatEnd {
    if (!(error instanceof TargetGone)) throw error
    command.sink.quiet()
    const death = { exitCode: null, signal: null, gone: error.reason }
    return {
      kind: "died",
      death,
      started: true,
      outputGap: true,
      background: [],
      survivors: [],
      intTrapReset: false,
      release: () => undefined,
    }
  }

  /** Whatever ran in place of the text, nothing of it is this command's. */
  async function notRead(result: Omit<Over, "state">, state: FarState): Promise<SeatEnd> {
    await relay.forget(token)
    command.sink.quiet()
    const nothing = { outputGap: false, background: [], survivors: [], intTrapReset: false, release: () => undefined }
    return { ...result, started: state.started, ...nothing }
  }

  /** A shell that was closed meanwhile took with it what it left. */
  async function endLeft(left: readonly BackgroundProcess[], graceMs: number): ReturnType<EndBackground> {
    const roots = left.map(({ pid }) => pid)
    try {
      return await ports.endTrees(roots, graceMs)
    } catch (error) {
      if (error instanceof TargetGone) return { background: [], survivors: [] }
      throw error
    }
  }

  async function perform(): Promise<SeatEnd> {
    if (resumed === undefined) await ports.before(command.text)
    const [before] = await Promise.all([older, resumed === undefined ? begin() : takeUp()])
    const { state, ...result } = await untilOver()
    isOver = true
    over.resolve()
    const survivors = await ladder
    if (!state.started) return notRead(result, state)
    const missed = abandoned ? false : await drain()
    const isCut = (result.kind === "died" || result.kind === "unresponsive") && (await takeLast())
    const fresh = state.children.filter((pid) => !before.includes(pid))
    const held = outputs.some((output) => !output.isOver)
    if (result.kind === "status") ports.noteChildren(state.children)
    const background =
      result.kind === "status" && fresh.length > 0 ? await ports.describe(fresh, held ? token : undefined) : []
    // What becomes of late output is told by the sink; a target that is gone has none.
    followLate().catch(() => command.sink.quiet())
    return {
      ...result,
      started: state.started,
      outputGap: missed || isCut,
      background,
      ...(background.length === 0 ? {} : { endBackground: (graceMs: number) => endLeft(background, graceMs) }),
      survivors,
      intTrapReset: false,
      release: released.resolve,
    }
  }

  return {
    end: perform()
      .catch(targetGone)
      .finally(() => {
        isOver = true
        over.resolve()
      }),
    over: over.promise,
    isOver: () => isOver,
    older,
    noteUseless() {
      useless = true
    },
    noteLadder(survivors) {
      ladder = survivors
    },
    abandon() {
      abandoned = true
    },
  }
}
