import type { CancelledBy } from "../../../../core/jobs/record.ts"
import type { CloseReason, ShellRestart } from "../../../../core/shells/record.ts"
import type { CommandEnd, StopCause } from "./command.ts"
import { outcomeOf } from "./conclude.ts"
import type { LateOutput } from "./late-output.ts"
import { endLife, type Running, runFactsOf, type ShellLife } from "./life.ts"
import { shellWord } from "./quote.ts"
import { lostWith, plainReason, restartShell } from "./restart.ts"
import type { SeatCwd, SeatEnd } from "./transport.ts"

const BLANK = /^[ \t\n]*$/
const NOBODY = { accept: () => undefined, quiet: () => undefined }
const NOTHING_RAN: SeatEnd = {
  kind: "status",
  status: 0,
  started: true,
  outputGap: false,
  background: [],
  survivors: [],
  intTrapReset: false,
  release: () => undefined,
}

/** What running needs beside the shell itself. */
export interface PerformPorts {
  readonly late: LateOutput
  /** Called as it ends: the shell is free for the next one. */
  leave(running: Running): void
  now(): number
}

/** Runs one command to its end, in as many generations as it takes (spec shells.md §5.2–§5.7). */
export async function perform(life: ShellLife, running: Running, ports: PerformPorts): Promise<void> {
  const { command } = running
  let timer: ReturnType<typeof setTimeout> | undefined
  /** A quick command is over before it is worth a timer. */
  const limitTime = (): void => {
    const livedMs = Math.max(0, ports.now() - command.startedAt)
    const leftMs = Math.max(0, command.spec.timeoutMs - livedMs)
    timer ??= setTimeout(() => stopCommand(running, "timeout"), leftMs)
  }
  try {
    await runToEnd(life, running, { ...ports, limitTime })
  } finally {
    clearTimeout(timer)
  }
}

interface RunningPorts extends PerformPorts {
  /** From now on its time can run out. */
  limitTime(): void
}

async function runToEnd(life: ShellLife, running: Running, ports: RunningPorts): Promise<void> {
  const untold = life.untold
  life.untold = undefined
  let end = await runOnce(life, running, ports)
  let restart: ShellRestart | undefined
  if (wasNotRead(end) && isPart(life, running)) {
    end.release()
    restart = await replace(life, running, { end, cautious: true })
    if (isPart(life, running)) end = await runOnce(life, running, ports)
    if (wasNotRead(end) && isPart(life, running))
      endLife(life, { state: "poisoned", reason: "wedged", at: ports.now() })
  }
  const isGone = end.kind !== "status" && isPart(life, running)
  const lost = isGone ? lostWith(end.death) : undefined
  const exited = isGone && lost === undefined && life.spec.onExit === "close"
  if (exited) endLife(life, { state: "closed", reason: "shell_exited", at: ports.now() })
  else if (lost !== undefined) endLife(life, { state: "lost", reason: lost, at: ports.now() })
  else if (isGone) restart = (await replace(life, running, { end, cautious: false })) ?? restart
  await conclude(life, running, { end, restart: restart ?? untold, exited, ports })
}

const wasNotRead = (end: SeatEnd): boolean => end.kind !== "died" && !end.started

/** Whether the shell goes on after this command. */
const isPart = (life: ShellLife, running: Running): boolean =>
  !running.detached && !life.closing && life.state === "running"

async function runOnce(life: ShellLife, running: Running, { limitTime }: RunningPorts): Promise<SeatEnd> {
  const { spec, sink, startedAt } = running.command
  const { resumed } = running
  running.resumed = undefined
  if (BLANK.test(spec.text) && resumed === undefined) {
    sink.quiet()
    return NOTHING_RAN
  }
  if (spec.resetCwd) {
    limitTime()
    await goHome(life, running)
  }
  life.used = true
  const run = running.seat.run({
    text: spec.text,
    ...(spec.stdin === undefined ? {} : { stdin: spec.stdin }),
    streams: spec.streams,
    tty: spec.tty,
    env: spec.env,
    sink,
    job: { jobId: spec.jobId, startedAt, timeoutMs: spec.timeoutMs },
    ...(resumed === undefined ? {} : { resumed }),
  })
  running.run = run
  // Somebody wanted its end before it had begun.
  if (running.command.cause() !== undefined) run.interrupt()
  if (!run.isOver()) limitTime()
  return run.end
}

async function goHome(life: ShellLife, { seat }: Running): Promise<void> {
  const word = seat.dialect === "bash" ? "\\builtin cd" : "command cd"
  const text = `${word} -- ${shellWord(life.initialCwd)}`
  const end = await seat.run({ text, streams: "merged", tty: false, env: [], sink: NOBODY }).end
  end.release()
}

/** A stop by whatever cause: too late for a command that has ended by itself. */
export function stopCommand(running: Running, cause: StopCause): void {
  if (running.run?.isOver() === true) return
  if (running.command.request(cause)) running.run?.interrupt()
}

const CAUSES: Readonly<Partial<Record<CloseReason, CancelledBy>>> = {
  project_closed: "project_closed",
  chat_stopped: "chat_stopped",
  shutdown: "shutdown",
  orphaned: "orphaned",
}

/** Why a command is cancelled whose shell is closed. */
export const causeOf = (reason: CloseReason): CancelledBy => CAUSES[reason] ?? "shell_closed"

async function replace(
  life: ShellLife,
  running: Running,
  why: { readonly end: SeatEnd; readonly cautious: boolean },
): Promise<ShellRestart | undefined> {
  const { end, cautious } = why
  const { death } = end
  const reason = death !== undefined && end.kind === "died" ? plainReason(death, true) : replacedBy(end)
  const result = await restartShell(life, running.seat, {
    reason,
    ...(death === undefined ? {} : { death }),
    text: running.command.spec.text,
    cautious,
  })
  if (result === "failed") {
    endLife(life, { state: "poisoned", reason: "restore_failed", at: life.lastUsedAt })
    return undefined
  }
  running.seat = result.seat
  return result.restart
}

const replacedBy = (end: SeatEnd): "unresponsive" | "wedged" => (end.kind === "unresponsive" ? end.kind : "wedged")

/** What is told of a command for which the host itself could not do its part. */
export function lostEnd(life: ShellLife): CommandEnd {
  return {
    outcome: { kind: "unknown", reason: "host_failed" },
    outputGap: true,
    background: [],
    survivors: [],
    shell: runFactsOf(life),
  }
}

async function conclude(
  life: ShellLife,
  running: Running,
  found: {
    readonly end: SeatEnd
    readonly restart: ShellRestart | undefined
    readonly exited: boolean
    readonly ports: PerformPorts
  },
): Promise<void> {
  const { command } = running
  const { end, restart, exited, ports } = found
  const cwd = await cwdAfter(life, running)
  ports.leave(running)
  command.finish({
    outcome: outcomeOf(end, { cause: command.cause(), timeoutMs: command.spec.timeoutMs, survivors: end.survivors }),
    outputGap: end.outputGap,
    background: end.background,
    survivors: end.survivors,
    ...(end.endBackground === undefined ? {} : { endBackground: end.endBackground }),
    ...(isProven(end) ? { release: () => end.release() } : {}),
    shell: {
      generation: life.generation,
      cwd: cwd.path,
      cwdDeleted: cwd.deleted,
      ...(restart === undefined ? {} : { restarted: restart }),
      lateOutput: running.detached ? [] : ports.late.take(),
      intTrapReset: end.intTrapReset,
      ...(exited ? { shellExited: true } : {}),
    },
  })
  if (!isProven(end)) end.release()
  ports.late.watch(command)
}

/** A status file tells of it, whatever becomes of this host. */
const isProven = (end: SeatEnd): boolean => end.kind === "status" && end !== NOTHING_RAN

async function cwdAfter(life: ShellLife, running: Running): Promise<SeatCwd> {
  if (running.detached) return running.seat.cwd()
  if (life.state === "running") life.cwd = await running.seat.cwd()
  return life.cwd
}
