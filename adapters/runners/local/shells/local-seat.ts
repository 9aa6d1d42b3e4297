import { constants, openSync } from "node:fs"
import type { BackgroundProcess } from "../../../../core/jobs/runner.ts"
import type { Dialect } from "../../../../core/shells/record.ts"
import type { Naming } from "../host/naming.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { createRunNotes } from "./adopt/run-record.ts"
import type { BriefWait } from "./brief-wait.ts"
import { createChildren } from "./children.ts"
import { endSeat } from "./close.ts"
import { createCommandFiles } from "./command-file.ts"
import { physicalCwd } from "./cwd.ts"
import { ownDescriptors } from "./descriptors.ts"
import { describeTrees } from "./holders.ts"
import { openInput } from "./input.ts"
import type { InterruptPorts } from "./interrupt/types.ts"
import { type Layout, removeLayout, removeLayoutSoon } from "./layout.ts"
import { leftoversOf } from "./leftovers.ts"
import { openOwnOutput } from "./own-output.ts"
import { type LocalCommand, type LocalRun, startRun } from "./seat-run.ts"
import type { SlotPool } from "./slots.ts"
import { chainLine, idleLine } from "./snapshot/idle-line.ts"
import { initText } from "./snapshot/init-text.ts"
import type { SnapshotPlace } from "./snapshot/types.ts"
import { createSnapshotKeeper, type KnownState, type SnapshotKeeper } from "./snapshot-keeper.ts"
import type { ShellProcess } from "./start-process.ts"
import { createStatusFiles } from "./status-files.ts"
import { createTextPipe } from "./text-pipe.ts"
import type { Tokens } from "./tokens.ts"
import type { Seat, SeatCwd, SeatDeath, SeatEnd } from "./transport.ts"
import { createWakeups } from "./wakeups.ts"

const REST_AFTER_MS = 20
const BELIEVED_MS = 5

/** What the seats of a host have in common. */
export interface SeatPorts {
  readonly processes: ProcessTable
  readonly interrupt: InterruptPorts
  readonly naming: Naming
  readonly slots: SlotPool
  readonly tokens: Tokens
  readonly brief: BriefWait
  /** Access times never move here: texts go through FIFOs. */
  readonly textsByPipe: boolean
  readonly terminal?: { readonly script: string; readonly shell: string }
}

/** One generation of a shell on this machine. */
export interface SeatOptions {
  readonly dialect: Dialect
  readonly process: ShellProcess
  readonly layout: Layout
  /** What its processes carry in their environment, `NAME=value`, and before when none of them started. */
  readonly tree: { readonly marker: string; readonly bornAt: number }
  readonly cwd: string
  /** What the last generation knew. */
  readonly inherited: KnownState | undefined
  /** Another host started it, and told it this word for its EXIT action. */
  readonly adopted?: { readonly exitToken: string }
  /** Values that no snapshot may keep. */
  secrets(): readonly string[]
}

/** A seat whose process this host started. */
export interface LocalSeat extends Seat {
  readonly keeper: SnapshotKeeper
  cwd(): SeatCwd
  /** Descriptors beyond the usual ones that the shell held when it was last at rest. */
  readonly descriptors: readonly number[]
  /** Runs a text of ours: no command of the user's. */
  runOwn(text: string | Uint8Array): Promise<SeatEnd>
  /** It answered: what it holds now is its own. */
  noteReady(): void
  /** Processes of its session that live without it. */
  leftovers(): readonly number[]
  /** Ends its process, if it still lives, and forgets it; what it started stays. */
  retire(): Promise<void>
}

const NOBODY = { accept: () => undefined, quiet: () => undefined }

/** A seat over a process that was just started; it is of use once a frame was answered. */
export function createLocalSeat(options: SeatOptions, ports: SeatPorts): LocalSeat {
  const { dialect, layout, process } = options
  /** What another host started is older than that. */
  const heldSince = options.adopted === undefined ? performance.now() : Number.NEGATIVE_INFINITY
  const exitToken = options.adopted?.exitToken ?? ports.tokens.next()
  const place: SnapshotPlace = { dialect, fifo: layout.snap, script: layout.record, exitToken }
  const input = openInput(layout.input)
  const keeper = createSnapshotKeeper({
    layout,
    place,
    inherited: options.inherited,
    secrets: options.secrets,
    noted(notes) {
      const line = chainLine(place, notes)
      if (line !== undefined && !gone) void input.write(line, () => gone)
    },
  })
  const wakeups = createWakeups(openSync(layout.wake, constants.O_RDWR | constants.O_NONBLOCK))
  const children = createChildren(process.pid, ports.processes)
  const notes = createRunNotes(layout.directory)
  const own = openOwnOutput(layout)
  const texts = ports.textsByPipe ? createTextPipe(layout.command) : createCommandFiles(layout.command)
  const died = process.died.then(told)
  const runPorts = {
    ...ports,
    dialect,
    shell: { pid: process.pid, startTime: process.startTime },
    layout,
    input,
    wakeups,
    status: createStatusFiles(layout.status, ports.tokens),
    children,
    texts,
    notes,
    own,
    traps: () => ({ canAbort: keeper.notes?.canAbort ?? true, trapsInt: trapsInt() }),
    behind: () => keeper.known?.behind ?? keeper.commands,
  }
  let current: LocalRun | undefined
  let lastCwd: SeatCwd = { path: options.cwd, deleted: false }
  let descriptors: readonly number[] = []
  /** What the shell holds for itself. */
  let born: readonly number[] = []
  /** Where it is believed to be so long without a look: an idle shell goes nowhere. */
  let cwdUntil = 0
  let restTimer: ReturnType<typeof setTimeout> | undefined
  let restsSince: number | undefined
  let gone = false
  let detached = false
  let death: SeatDeath | undefined

  /** Reads and writes nothing any more; what is on disk stays for the next host. */
  function letGo(): void {
    if (gone) return
    gone = true
    clearTimeout(restTimer)
    input.close()
    wakeups.close()
    children.close()
    keeper.close()
    notes.close()
    own.close()
    texts.close()
  }

  /** Where no parent was told how it ended, its own EXIT action may have said so. */
  function told(death: SeatDeath): SeatDeath {
    if (death.exitCode !== null || death.signal !== null) return death
    keeper.drain()
    const status = keeper.exitWritten?.status
    return status === undefined ? death : { ...death, exitCode: status }
  }

  const trapsInt = (): boolean => keeper.notes?.trapped.includes("INT") ?? false

  function start(command: LocalCommand): LocalRun {
    restsSince = undefined
    cwdUntil = 0
    const run = startRun(command, runPorts)
    current = run
    if (death !== undefined) run.noteDeath(death)
    const over = (): void => {
      if (current === run) current = undefined
      if (detached) void seat.retire()
    }
    // Whoever runs it learns of a failure by the same promise.
    run.end.then(over, over)
    return run
  }

  /** One timer for many commands: it comes again when one has ended meanwhile. */
  function restIfDue(): void {
    restTimer = undefined
    if (gone || current !== undefined || restsSince === undefined) return
    const left = restsSince + REST_AFTER_MS - performance.now()
    if (left > 1) {
      restTimer = setTimeout(restIfDue, left)
      return
    }
    own.drain()
    descriptors = ownDescriptors(process.pid).filter((fd) => !born.includes(fd))
    const token = ports.tokens.next()
    keeper.expect(token)
    void input.write(idleLine(place, token), () => gone)
  }

  void died.then((seen) => {
    death = seen
    current?.noteDeath(seen)
  })
  if (options.adopted === undefined) void input.write(initText(place), () => gone)

  const seat: LocalSeat = {
    dialect,
    died,
    keeper,
    get descriptors() {
      return descriptors
    },
    cwd() {
      if (performance.now() < cwdUntil) return lastCwd
      lastCwd = physicalCwd(process.pid) ?? lastCwd
      if (current === undefined) cwdUntil = performance.now() + BELIEVED_MS
      return lastCwd
    },
    run(command) {
      if (command.resumed === undefined) keeper.noteCommand()
      const run = start(command)
      return {
        end: run.end,
        isOver: () => run.look(),
        interrupt: () => run.interrupt(command.resumed ?? { canAbort: keeper.canAbort(), trapsInt: trapsInt() }),
      }
    },
    runOwn: (text) => start({ text, streams: "merged", tty: false, env: [], sink: NOBODY }).end,
    background: (): readonly BackgroundProcess[] => describeTrees(children.lookAtRest(), [], ports),
    leftovers: () => leftoversOf({ pid: process.pid, ageMs: performance.now() - heldSince }, ports.processes),
    rest() {
      restsSince = performance.now()
      restTimer ??= setTimeout(restIfDue, REST_AFTER_MS)
    },
    noteReady() {
      own.ready()
      born = ownDescriptors(process.pid)
    },
    detach() {
      detached = true
    },
    async retire() {
      ports.interrupt.send({ pid: process.pid, startTime: process.startTime }, "SIGKILL")
      await process.died
      letGo()
      removeLayoutSoon(layout)
    },
    async close(kept) {
      const closed = await endSeat({ process, ...options.tree, background: kept }, ports)
      await current?.end
      letGo()
      removeLayout(layout)
      return closed
    },
    abandon() {
      current?.abandon()
      process.unref()
      letGo()
    },
  }
  return seat
}
