import type { FarState, Relay } from "./relay/relay.ts"

/** Numbers of read(2) on the machines that show them. */
const READS = new Set(["0", "63", "3"])
const SAMPLE_MS = 100
const QUIET_MS = 2000

/**
 * Tells a far shell that waits for input while a command should run (spec shells.md §5.4): two looks, 100 ms apart, that
 * find it in a read of its descriptor 0; where that may not be seen, asleep without a child of its own for 2 s.
 * One that was stopped before it read the text is woken.
 */
export function createWedgeSense(
  relay: Pick<Relay, "look">,
  pid: number,
  wake: () => Promise<void>,
): (state: FarState, older: readonly number[]) => Promise<boolean> {
  let since: number | undefined
  return async (state, older) => {
    const { state: letter, call } = await relay.look(pid)
    // Stopped while it was idle: nobody else would let it read the text.
    if (letter === "T" && !state.started) await wake()
    const [number, descriptor] = call.split(" ")
    const isVisible = call !== "" && call !== "running"
    const reads = number !== undefined && READS.has(number) && Number(descriptor) === 0
    const isIdle = letter === "S" && state.children.every((child) => older.includes(child))
    if (letter !== "S" || (isVisible ? !reads : !isIdle)) {
      since = undefined
      return false
    }
    since ??= performance.now()
    return performance.now() - since >= (isVisible ? SAMPLE_MS : QUIET_MS)
  }
}
