import { pause } from "./retry.ts"

/** The longest that one poll waits, s. */
export const POLL_SECS = 30
const LEAST_GAP_MS = 100

/** Aborts with whichever aborts first. */
export function either(own: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? own : AbortSignal.any([own, signal])
}

/** One poll; a server that answers at once that nothing is new is not polled in a tight loop (spec doors.md §5.5). */
export async function paced<Answer>(
  signal: AbortSignal,
  poll: Promise<Answer>,
  isUnchanged: (answer: Answer) => boolean,
): Promise<Answer> {
  const since = performance.now()
  const answer = await poll
  const rest = LEAST_GAP_MS - (performance.now() - since)
  if (isUnchanged(answer) && rest > 0) await pause(rest, signal)
  return answer
}

/** Items as they come. `return()` also cancels a poll that is in flight; nothing is fetched ahead of demand. */
export function iterate<Item>(
  signal: AbortSignal | undefined,
  follow: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
): AsyncIterableIterator<Item, void, undefined> {
  const left = new AbortController()
  async function* untilLeft(): AsyncGenerator<Item, void, undefined> {
    try {
      yield* follow(either(left.signal, signal))
    } catch (error) {
      // Whoever left hears nothing of the look that this ended.
      if (error !== left.signal.reason) throw error
    }
  }
  const items = untilLeft()
  const end = items.return.bind(items)
  return Object.assign(items, {
    return: () => {
      left.abort()
      return end()
    },
  })
}
