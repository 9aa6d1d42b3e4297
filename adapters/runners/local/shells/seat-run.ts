import { rmSync, writeFileSync } from "node:fs"
import type { Dialect } from "../../../../core/shells/record.ts"
import { createDeferred } from "../host/deferred.ts"
import type { Naming } from "../host/naming.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { foreignSlots, openForeignSlot } from "./adopt/foreign-slots.ts"
import type { RunNotes, RunRecord } from "./adopt/run-record.ts"
import type { BriefWait } from "./brief-wait.ts"
import type { Children } from "./children.ts"
import type { CommandFiles } from "./command-file.ts"
import { endTrees } from "./end-trees.ts"
import { frameText } from "./frame.ts"
import { describeTrees, untilNamed } from "./holders.ts"
import type { Input } from "./input.ts"
import { climbLadder } from "./interrupt/ladder.ts"
import { noteProtected } from "./interrupt/protect.ts"
import type { InterruptPorts, ProcessId, WedgeDetector } from "./interrupt/types.ts"
import { createWedgeDetector } from "./interrupt/wedge.ts"
import type { Layout } from "./layout.ts"
import { createOutlets } from "./outlets.ts"
import type { OwnOutput } from "./own-output.ts"
import { createProof } from "./proof.ts"
import type { SlotPool } from "./slots.ts"
import type { StatusFiles } from "./status-files.ts"
import type { Tokens } from "./tokens.ts"
import type { SeatCommand, SeatDeath, SeatEnd } from "./transport.ts"
import type { Wakeups } from "./wakeups.ts"

/** Output of a command that is over sooner is read once, at its end. */
const WATCH_AFTER_MS = 2
/** How often the host looks by itself while a command runs (spec shells.md §5.2). */
const LOOK_MS = 100
const SUCCEEDED: Over = { kind: "status", status: 0 }

/** What the commands of one generation have in common. */
export interface RunPorts {
  readonly dialect: Dialect
  readonly shell: ProcessId
  readonly interrupt: InterruptPorts
  readonly layout: Layout
  readonly input: Input
  readonly wakeups: Wakeups
  readonly status: StatusFiles
  readonly children: Children
  readonly texts: CommandFiles
  readonly brief: BriefWait
  readonly slots: SlotPool
  readonly tokens: Tokens
  readonly processes: ProcessTable
  readonly naming: Naming
  /** What the shell writes beside the output of its commands. */
  readonly own: Pick<OwnOutput, "begin" | "drain" | "last">
  /** Told before a frame is sent: what the next host would have to know. */
  readonly notes: Pick<RunNotes, "note">
  /** Commands since the newest snapshot. */
  behind(): number
  /** What the last idle record tells of its traps. */
  traps(): { readonly canAbort: boolean; readonly trapsInt: boolean }
  /** Programs for a command with a terminal. */
  readonly terminal?: { readonly script: string; readonly shell: string }
}

/** What ended a command. */
export type Over = Pick<SeatEnd, "kind" | "status" | "death">

/** One command in one generation. */
export interface LocalRun {
  readonly end: Promise<SeatEnd>
  /** Resolves when the command is over, before its output is drained. */
  readonly over: Promise<Over>
  /** The shell's process is gone. */
  noteDeath(death: SeatDeath): void
  /** Looks for the status now. */
  look(): boolean
  /** Begins the ladder; `notes`: what is known of the shell's traps. */
  interrupt(notes: { readonly canAbort: boolean; readonly trapsInt: boolean }): void
  abandon(): void
}

/** A command as the engine gives it, or a text of ours in the bytes of a shell. */
export type LocalCommand = Omit<SeatCommand, "text"> & { readonly text: string | Uint8Array }

/** Sends the frame and waits for its end (spec shells.md §5.2, §5.3). */
export function startRun(command: LocalCommand, ports: RunPorts): LocalRun {
  const { resumed } = command
  const place = resumed === undefined ? ports.status.begin() : ports.status.resume(resumed.token)
  const { token } = place
  const over = createDeferred<Over>()
  const older =
    resumed === undefined
      ? noteProtected(ports.shell, ports.children.lookAtRest(), ports.processes)
      : { rows: resumed.older, notedAt: performance.now() - (Date.now() - resumed.startedAt) }
  const newDetector = (): WedgeDetector =>
    createWedgeDetector(
      { shell: ports.shell, input: ports.input, protected: older, children: () => ports.children.look() },
      ports.interrupt,
    )
  let wedge: WedgeDetector | undefined
  let isOver = false
  let isCounted = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function count(): void {
    isCounted = true
    ports.brief.begin()
  }

  function countOut(): void {
    if (isCounted) ports.brief.end()
    isCounted = false
  }

  function finish(result: Over): void {
    if (isOver) return
    isOver = true
    countOut()
    clearTimeout(timer)
    over.resolve(result)
  }

  function look(): boolean {
    if (isOver) return true
    const status = ports.status.find(token)
    if (status !== undefined) finish({ kind: "status", status })
    return isOver
  }

  function tick(): void {
    if (look()) return
    ports.own.drain()
    // Stopped while it was idle: nobody else would let it read the text.
    if (!proof.ask()) ports.interrupt.send(ports.shell, "SIGCONT")
    wedge ??= newDetector()
    if (wedge.sample() === "wedged" && !look()) finish({ kind: "wedged" })
    if (!isOver) timer = setTimeout(tick, LOOK_MS)
  }

  function watch(): void {
    outlets.watch()
    timer = setTimeout(tick, LOOK_MS - WATCH_AFTER_MS)
  }

  const proof = createProof(command.sink)
  const outlets = createOutlets(resumed === undefined ? ports.slots : foreignSlots(ports.slots), {
    pass: proof.pass,
    quiet: () => command.sink.quiet(),
  })
  let ladder: ReturnType<typeof climbLadder> | undefined
  let intTrapReset = false

  /** Opens the pipes and sends the frame; resolves with their names. */
  async function send(): Promise<readonly string[]> {
    const { slots } = ports
    const out = slots.takeNow() ?? (await slots.take())
    const err = command.streams === "merged" || command.tty ? undefined : (slots.takeNow() ?? (await slots.take()))
    proof.ask = ports.texts.write(command.text).wasRead
    if (command.stdin !== undefined) writeFileSync(ports.layout.stdin, command.stdin, { mode: 0o600 })
    ports.wakeups.expect(token, look)
    const frame = frameText({
      dialect: ports.dialect,
      token,
      command: ports.layout.command,
      ...(command.stdin === undefined ? {} : { stdin: ports.layout.stdin }),
      out: out.path,
      ...(err === undefined ? {} : { err: err.path }),
      env: command.env,
      status: place.prefix,
      wake: ports.layout.wake,
      ...(command.tty && ports.terminal !== undefined ? { terminal: ports.terminal } : {}),
    })
    if (command.job !== undefined) {
      const { jobId: job, startedAt, timeoutMs } = command.job
      const pipes = { out: out.path, ...(err === undefined ? {} : { err: err.path }) }
      const { streams, tty } = command
      ports.notes.note({
        job,
        token,
        ...pipes,
        startedAt,
        timeoutMs,
        streams,
        tty,
        older: older.rows.map(({ pid, startTime }) => ({ pid, startTime })),
        ...ports.traps(),
        behind: ports.behind(),
      })
    }
    ports.own.begin()
    const written = ports.input.write(frame, () => isOver)
    // In the time that the shell needs anyway.
    outlets.open(out, "stdout")
    if (err !== undefined) outlets.open(err, "stderr")
    command.sink.expected?.()
    ports.status.prepare()
    if (written === undefined && ports.brief.until(ports.status.hasSucceeded)) finish(SUCCEEDED)
    return err === undefined ? [out.path] : [out.path, err.path]
  }

  /** Takes up what another host sent. */
  function takeUp({ out, err }: RunRecord): readonly string[] {
    ports.wakeups.expect(token, look)
    const opened = { stdout: openForeignSlot(out), stderr: err === undefined ? undefined : openForeignSlot(err) }
    if (opened.stdout !== undefined) outlets.open(opened.stdout, "stdout")
    if (opened.stderr !== undefined) outlets.open(opened.stderr, "stderr")
    proof.ask = ports.texts.resume().wasRead
    return err === undefined ? [out] : [out, err]
  }

  async function begin(): Promise<readonly string[]> {
    count()
    try {
      return resumed === undefined ? await send() : takeUp(resumed)
    } catch (error) {
      countOut()
      throw error
    }
  }

  async function perform(): Promise<SeatEnd> {
    const pipes = await begin()
    if (!isOver) timer = setTimeout(watch, WATCH_AFTER_MS)
    const plain = await over.promise
    const report = ladder && (await ladder)
    const result: Over = report?.end === "killed" ? { ...plain, kind: "unresponsive" } : plain
    const started = proof.end()
    if (command.stdin !== undefined) rmSync(ports.layout.stdin, { force: true })
    const drained = await outlets.drain({ tokens: ports.tokens, hasChildren: () => startedChildren().length > 0 })
    const isCut = (result.kind === "died" || result.kind === "unresponsive") && takeLast()
    const left = startedChildren()
    if (left.length > 0) await untilNamed(left, ports.shell.pid, ports.processes)
    const background = describeTrees(left, drained.held ? pipes : [], ports)
    outlets.settle(command.job?.jobId)
    return {
      ...result,
      started,
      outputGap: drained.gap || isCut || resumed !== undefined,
      background,
      ...(background.length === 0 ? {} : { endBackground: endTrees(left, ports) }),
      survivors: ports.naming.survivors(report?.survivors ?? []),
      intTrapReset,
      release: () => ports.status.settle(),
    }
  }

  /** What its EXIT trap wrote when the pipes of the command were given up; `true`: some of it is missing. */
  function takeLast(): boolean {
    const { stdout, stderr, cut } = ports.own.last()
    if (stdout.length > 0) proof.pass("stdout", stdout)
    if (stderr.length > 0) proof.pass(outlets.isMerged ? "stdout" : "stderr", stderr)
    return cut
  }

  /** Live or dead children of the shell that were not there when the command began. */
  function startedChildren(): readonly number[] {
    const pids = ports.children.look()
    return older.rows.length === 0 ? pids : pids.filter((pid) => !isOlder(pid, older.rows, ports.processes))
  }

  const run: LocalRun = {
    end: perform(),
    over: over.promise,
    noteDeath(death) {
      if (!look()) finish({ kind: "died", death })
    },
    look,
    interrupt({ canAbort, trapsInt }) {
      if (isOver || ladder !== undefined) return
      intTrapReset = trapsInt
      const spec = {
        shell: ports.shell,
        protected: older,
        canAbort,
        over: over.promise.then(() => undefined),
        isOver: look,
      }
      ladder = climbLadder(spec, ports.interrupt)
    },
    abandon() {
      clearTimeout(timer)
      countOut()
      outlets.abandon()
    },
  }
  return run
}

function isOlder(pid: number, older: readonly ProcessId[], processes: ProcessTable): boolean {
  const known = older.find((child) => child.pid === pid)
  return known !== undefined && processes.read(pid)?.startTime === known.startTime
}
