import type { Naming } from "../host/naming.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { createProcessTree } from "../host/tree.ts"
import { createGrace, endTree } from "../host/tree-kill.ts"
import type { ShellProcess } from "./start-process.ts"
import type { SeatClosed } from "./transport.ts"

const GRACE_MS = 500

/** Ends a shell's process and what it left, or only the process itself (spec shells.md §10). */
export async function endSeat(
  seat: {
    readonly process: ShellProcess
    readonly marker: string
    /** Nothing of it is older. */
    readonly bornAt: number
    readonly background: "kill" | "keep"
  },
  ports: { readonly processes: ProcessTable; readonly naming: Naming },
): Promise<SeatClosed> {
  const main = { pid: seat.process.pid, startTime: seat.process.startTime }
  const tree = createProcessTree({ marker: seat.marker, main, bornAt: seat.bornAt }, ports.processes)
  const before = tree.members().filter((row) => row.pid !== main.pid)
  // The shell first, and at once: it must not run the rest of a list.
  tree.signal({ ...main, ppid: 0, session: main.pid, zombie: false }, "SIGKILL")
  if (seat.background === "keep") {
    await seat.process.died
    return { ended: [], kept: ports.naming.roots(before), survivors: [] }
  }
  const named = ports.naming.roots(before)
  const report = await endTree(tree, createGrace(GRACE_MS))
  const alive = new Set(report.survivors.map((row) => row.pid))
  return {
    ended: named.filter(({ pid }) => !alive.has(pid)),
    kept: [],
    survivors: ports.naming.survivors(report.survivors),
  }
}
