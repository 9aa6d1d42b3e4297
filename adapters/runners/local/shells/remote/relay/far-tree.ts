import { setTimeout as sleep } from "node:timers/promises"
import { descendantsOf, type FarProcess, without } from "./far-process.ts"
import type { Relay } from "./relay.ts"

const RESCAN_MS = 20
const KILL_TURNS = 20

/** Everything of one command or shell on a target: below its root, of its session, or with its marker; zombies count as gone. */
export async function farMembers(
  relay: Pick<Relay, "table" | "marked">,
  of: { readonly root: number; readonly session: number | undefined; readonly marker: string },
): Promise<readonly FarProcess[]> {
  const table = await relay.table()
  const marked = new Set(await relay.marked(of.marker))
  const members = table.filter((one) => !one.zombie && (marked.has(one.pid) || one.session === of.session))
  return [...members, ...without(descendantsOf(of.root, table), members)]
}

/** SIGTERM and SIGCONT, a grace to comply, then SIGKILL until none is left (spec exec-and-jobs.md §8.2); what lives in spite of it. */
export async function endFarTree(
  relay: Pick<Relay, "kill">,
  members: () => Promise<readonly FarProcess[]>,
  options: { /** What was found a moment ago. */ readonly first?: readonly FarProcess[]; graceEnds(): number },
): Promise<readonly FarProcess[]> {
  let left = options.first ?? (await members())
  await relay.kill("TERM", left)
  await relay.kill("CONT", left)
  while (left.length > 0 && performance.now() < options.graceEnds()) {
    await sleep(RESCAN_MS)
    left = await members()
  }
  for (let turn = 0; left.length > 0 && turn < KILL_TURNS; turn += 1) {
    await relay.kill("KILL", left)
    await sleep(RESCAN_MS)
    left = await members()
  }
  return left
}
