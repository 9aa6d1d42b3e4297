import type { Naming } from "../host/naming.ts"
import type { ProcessTable } from "../host/process-table.ts"
import { createProcessTree } from "../host/tree.ts"
import { createGrace, endTree } from "../host/tree-kill.ts"
import type { EndBackground } from "./transport.ts"

/** No process carries it: these trees are told by parents alone. */
const NO_MARKER = "HOLDFAST_NONE="

/** Fixes some processes now, so that they and what is below them can be ended later, and no stranger with their pids. */
export function endTrees(
  pids: readonly number[],
  ports: { readonly processes: ProcessTable; readonly naming: Naming },
): EndBackground {
  const trees = pids.flatMap((pid) => {
    const main = ports.processes.read(pid)
    return main === undefined ? [] : [createProcessTree({ marker: NO_MARKER, main }, ports.processes)]
  })
  return async (graceMs) => {
    const grace = createGrace(graceMs)
    const reports = await Promise.all(trees.map((tree) => endTree(tree, grace)))
    const rows = reports.flatMap(({ survivors }) => survivors)
    return { background: ports.naming.roots(rows), survivors: ports.naming.survivors(rows) }
  }
}
