import { constants, openSync } from "node:fs"
import type { BackgroundProcess } from "../../../../core/jobs/runner.ts"
import type { Dialect } from "../../../../core/shells/record.ts"
import type { Naming } from "../host/naming.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { createChildren } from "./children.ts"
import { endSeat } from "./close.ts"
import { physicalCwd } from "./cwd.ts"
import { describeTrees } from "./holders.ts"
import { openInput } from "./input.ts"
import { type Layout, removeLayout } from "./layout.ts"
import { type LocalRun, startRun } from "./seat-run.ts"
import type { SlotPool } from "./slots.ts"
import type { ShellProcess } from "./start-process.ts"
import { createStatusFiles } from "./status-files.ts"
import type { Tokens } from "./tokens.ts"
import type { Seat, SeatCwd } from "./transport.ts"
import { createWakeups } from "./wakeups.ts"

/** What the seats of a host have in common. */
export interface SeatPorts {
  readonly processes: ProcessTable
  readonly naming: Naming
  readonly slots: SlotPool
  readonly tokens: Tokens
  readonly terminal?: { readonly script: string; readonly shell: string }
}

/** One generation of a shell on this machine. */
export interface SeatOptions {
  readonly dialect: Dialect
  readonly process: ShellProcess
  readonly layout: Layout
  /** What its processes carry in their environment, `NAME=value`. */
  readonly marker: string
  readonly cwd: string
}

/** A seat over a process that was just started; it is of use once a frame was answered. */
export function createLocalSeat(options: SeatOptions, ports: SeatPorts): Seat {
  const { dialect, layout, process } = options
  const input = openInput(layout.input)
  const wakeups = createWakeups(openSync(layout.wake, constants.O_RDWR | constants.O_NONBLOCK))
  const children = createChildren(process.pid, ports.processes)
  const status = createStatusFiles(layout.status)
  let current: LocalRun | undefined
  let lastCwd: SeatCwd = { path: options.cwd, deleted: false }
  let gone = false

  function letGo(): void {
    if (gone) return
    gone = true
    input.close()
    wakeups.close()
    children.close()
  }

  const background = (): readonly BackgroundProcess[] => describeTrees(children.look(), [], ports)

  void process.died.then((death) => current?.noteDeath(death))

  return {
    dialect,
    died: process.died,
    cwd() {
      lastCwd = physicalCwd(process.pid) ?? lastCwd
      return lastCwd
    },
    run(command) {
      const run = startRun(command, {
        ...ports,
        dialect,
        pid: process.pid,
        layout,
        input,
        wakeups,
        status,
        children,
      })
      current = run
      const over = (): void => {
        if (current === run) current = undefined
      }
      void run.over.then(over)
      return {
        end: run.end,
        isOver: () => run.look(),
        interrupt() {},
      }
    },
    background,
    rest() {},
    detach() {},
    async close(kept) {
      const closed = await endSeat({ process, marker: options.marker, background: kept }, ports)
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
}
