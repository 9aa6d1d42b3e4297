import type { ShellRestart } from "../../../../core/shells/record.ts"
import type { ShellCommand, StopCause } from "./command.ts"
import { outcomeOf } from "./conclude.ts"
import type { LateOutput } from "./late-output.ts"
import { endLife, type ShellLife } from "./life.ts"
import { shellWord } from "./quote.ts"
import { plainReason, restartShell } from "./restart.ts"
import type { Seat, SeatCwd, SeatEnd } from "./transport.ts"

const BLANK = /^[ \t\n]*$/
const NOBODY = { accept: () => undefined, quiet: () => undefined }
const NOTHING_RAN = { started: true, outputGap: false, background: [], survivors: [], intTrapReset: false }

/** What running needs beside the shell itself. */
export interface PerformPorts {
  readonly late: LateOutput
  now(): number
}

/** Runs one command to its end, in as many generations as it takes (spec shells.md §5.2–§5.6). */
export async function perform(life: ShellLife, command: ShellCommand, ports: PerformPorts): Promise<void> {
  const timer = setTimeout(() => stopCommand(life, command, "timeout"), command.spec.timeoutMs)
  life.commands += 1
  let restart = life.untold
  life.untold = undefined
  let end = await runOnce(life, command)
  if (end.kind !== "died" && !end.started && !life.closing) {
    end.release()
    restart = (await replace(life, end, { text: command.spec.text, cautious: true })) ?? restart
    if (life.state === "running") end = await runOnce(life, command)
    if (!end.started && life.state === "running")
      endLife(life, { state: "poisoned", reason: "wedged", at: ports.now() })
  }
  clearTimeout(timer)
  const mustRestart = end.kind !== "status" && !life.closing && life.state === "running"
  if (mustRestart && life.spec.onExit === "restore") {
    restart = (await replace(life, end, { text: command.spec.text, cautious: false })) ?? restart
  }
  const exited = mustRestart && life.spec.onExit === "close"
  if (exited) endLife(life, { state: "closed", reason: "shell_exited", at: ports.now() })
  const cwd = await cwdAfter(life)
  const { timeoutMs } = command.spec
  command.finish({
    outcome: outcomeOf(end, { cause: command.cause, timeoutMs, survivors: end.survivors }),
    outputGap: end.outputGap,
    background: end.background,
    survivors: end.survivors,
    shell: {
      generation: life.generation,
      cwd: cwd.path,
      cwdDeleted: cwd.deleted,
      ...(restart === undefined ? {} : { restarted: restart }),
      lateOutput: ports.late.take(),
      intTrapReset: end.intTrapReset,
      ...(exited ? { shellExited: true } : {}),
    },
  })
  end.release()
  ports.late.watch(command)
}

async function cwdAfter(life: ShellLife): Promise<SeatCwd> {
  if (life.seat !== undefined && life.state === "running") life.cwd = await life.seat.cwd()
  return life.cwd
}

async function runOnce(life: ShellLife, command: ShellCommand): Promise<SeatEnd> {
  const { spec } = command
  const { seat } = life
  if (BLANK.test(spec.text) || seat === undefined) {
    command.sink.quiet()
    return { kind: "status", status: 0, ...NOTHING_RAN, release: () => undefined }
  }
  if (spec.resetCwd) await goHome(seat, life.initialCwd)
  const run = seat.run({
    text: spec.text,
    ...(spec.stdin === undefined ? {} : { stdin: spec.stdin }),
    streams: spec.streams,
    tty: spec.tty,
    env: spec.env,
    sink: command.sink,
  })
  life.running = { command, run }
  // Somebody wanted its end before it had begun.
  if (command.cause !== undefined) run.interrupt()
  return run.end
}

async function goHome(seat: Seat, cwd: string): Promise<void> {
  const text = `\\builtin cd -- ${shellWord(cwd)}`
  const plain = { streams: "merged", tty: false, env: [], sink: NOBODY } as const
  const end = await seat.run({ text: seat.dialect === "bash" ? text : text.slice("\\builtin ".length), ...plain }).end
  end.release()
}

/** A stop by whatever cause: too late for a command that has ended by itself. */
export function stopCommand(life: ShellLife, command: ShellCommand, cause: StopCause): void {
  if (life.running?.command !== command || life.running.run?.isOver() === true) return
  if (command.request(cause)) life.running.run?.interrupt()
}

async function replace(
  life: ShellLife,
  end: SeatEnd,
  why: { readonly text: string; readonly cautious: boolean },
): Promise<ShellRestart | undefined> {
  const { seat } = life
  if (seat === undefined) return undefined
  const reason =
    end.kind === "died"
      ? plainReason(end.death ?? { signal: null }, true)
      : end.kind === "unresponsive"
        ? end.kind
        : "wedged"
  const result = await restartShell(life, seat, {
    ...why,
    reason,
    ...(end.death === undefined ? {} : { death: end.death }),
  })
  if (result !== "failed") return result.restart
  endLife(life, { state: "poisoned", reason: "restore_failed", at: life.lastUsedAt })
  return undefined
}
