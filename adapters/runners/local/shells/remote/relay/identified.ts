import type { FarProcess } from "./far-process.ts"
import type { Relay } from "./relay.ts"

/**
 * The same relay for which a process that has the shell's pid and started at another time is nobody (spec shells.md §6): it is never
 * taken for the shell, and never signalled. `startTime` is absent where the target does not tell it.
 */
export function identified(
  relay: Relay,
  { pid, startTime }: { readonly pid: number; readonly startTime?: string },
): Relay {
  if (startTime === undefined) return relay
  const isStranger = (one: FarProcess): boolean => one.pid === pid && one.startTime !== startTime
  return {
    ...relay,
    state: (token) => relay.state(token, pid, startTime),
    async row(asked) {
      const found = await relay.row(asked)
      return found === undefined || isStranger(found) ? undefined : found
    },
    table: async () => (await relay.table()).filter((one) => !isStranger(one)),
  }
}
