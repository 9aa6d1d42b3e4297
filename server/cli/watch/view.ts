import type { WireEvent } from "./wire-event.ts"

/** How events are shown, and what is said beside them (spec shells.md §13). */
export interface WatchView {
  /** The server tells events from now on; what already runs comes first. */
  opened(): void
  /** A sentence about the connection. */
  note(sentence: string): void
  /** Shows events until they end, or whoever looks is done; then the view has stopped the signal. */
  show(events: AsyncIterable<WireEvent>): Promise<void>
}

/** What is followed. */
export interface Followed {
  /** Origin of the server. */
  readonly url: string
  /** The only shells and commands to show; all where none is named. */
  readonly ids: readonly string[]
}

/** What is followed, as a sentence. */
export function followingText({ url, ids }: Followed): string {
  const [first, ...more] = ids
  if (first === undefined) return `Following live shells and Jobs at ${url}.`
  return `Following ${first}${more.length === 0 ? "" : ` and ${more.length} more`} at ${url}.`
}

/** That there is nothing to see so far, as a sentence. */
export const nothingText = ({ ids }: Followed): string =>
  ids.length === 0 ? "Nothing runs yet." : "Nothing of it runs yet."
