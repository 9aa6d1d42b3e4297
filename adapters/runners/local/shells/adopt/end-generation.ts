import type { ProcessTable } from "../../host/process-table.ts"
import { createProcessTree } from "../../host/tree.ts"
import { createGrace, endTree } from "../../host/tree-kill.ts"
import { removeLayout } from "../layout.ts"
import { SHELL_MARKER } from "../marker.ts"
import type { FoundGeneration } from "./find-generations.ts"

/** Ends the process of a generation that nobody goes on with, what is below it too, and removes its files. */
export async function endGeneration(
  { card, layout, isAlive, process }: FoundGeneration,
  processes: ProcessTable,
): Promise<void> {
  process.unref()
  if (isAlive) {
    const main = { pid: card.pid, startTime: card.start }
    const tree = createProcessTree({ marker: `${SHELL_MARKER}=${card.shellUid}`, main }, processes)
    await endTree(tree, createGrace(0))
  }
  removeLayout(layout)
}
