import type { ProcessTable } from "../../host/process-table.ts"
import { createProcessTree } from "../../host/tree.ts"
import { createGrace, endTree } from "../../host/tree-kill.ts"
import { createSendSignal } from "../interrupt/send-signal.ts"
import { removeLayout } from "../layout.ts"
import { SHELL_MARKER } from "../marker.ts"
import type { FoundGeneration } from "./find-generations.ts"

/**
 * Ends the process of a generation that nobody goes on with, and removes its files. `withChildren`: no other generation of
 * its shell lives, so that all that carries the shell's mark ends with it.
 */
export async function endGeneration(
  { card, layout, isAlive, process }: FoundGeneration,
  processes: ProcessTable,
  { withChildren }: { readonly withChildren: boolean },
): Promise<void> {
  process.unref()
  const main = { pid: card.pid, startTime: card.start }
  if (withChildren) {
    const marker = `${SHELL_MARKER}=${card.shellUid}`
    // The number of one that is gone may be a stranger's by now.
    const tree = createProcessTree(isAlive ? { marker, main } : { marker }, processes)
    await endTree(tree, createGrace(0))
  } else if (isAlive) createSendSignal(processes)(main, "SIGKILL")
  removeLayout(layout)
}
