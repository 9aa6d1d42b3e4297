import { HoldfastError } from "./error.ts"
import { iterate, POLL_SECS, paced } from "./follow.ts"
import type { ToolMethods, ToolOutput } from "./types.ts"

/** A message of a Session's board, new or changed (spec messages.md §5). */
export type BoardMessage = ToolOutput<"observe_session_messages">["messages"][number]

/** Options of an observation. */
export interface ObserveMessagesOptions {
  /** The `cursor` of an earlier observation, to go on exactly there; default what comes from now on. */
  readonly after?: string | undefined
  /** What to do when something changed that the board does not hold any more: throw `history_lost`, or go on; default `throw`. */
  readonly onHistoryLost?: "throw" | "continue" | undefined
  readonly signal?: AbortSignal | undefined
}

/** Changes of a board, oldest first, until its Session is closed. */
export interface MessageChanges extends AsyncIterableIterator<BoardMessage, void, undefined> {
  /** Where the item given last ends, also for another process; absent before the first look without `after`. */
  readonly cursor: string | undefined
}

/** Follows a Session's board (spec doors.md §5.5): one look an item, so that `cursor` is exact and nothing is read ahead. */
export function observeMessages(
  tools: ToolMethods,
  session_id: string,
  { after, onHistoryLost, signal }: ObserveMessagesOptions = {},
): MessageChanges {
  async function* follow(stop: AbortSignal): AsyncGenerator<BoardMessage, void, undefined> {
    const look = (input: object) => tools.observe_session_messages({ session_id, ...input }, { signal: stop })
    if (after === undefined) changes.cursor = (await look({})).observation_token
    for (;;) {
      const news = await paced(
        stop,
        look({ after_observation_token: changes.cursor, wait_secs: POLL_SECS, limit: 1 }),
        ({ changed }) => !changed,
      )
      if (news.history_lost && onHistoryLost !== "continue") throw historyLost()
      changes.cursor = news.observation_token
      yield* news.messages
      if (news.lifecycle === "closed" && !news.has_more) return
    }
  }
  const changes = Object.assign(iterate(signal, follow), { cursor: after })
  return changes
}

function historyLost(): HoldfastError {
  return new HoldfastError({
    kind: "history_lost",
    message: "The board dropped changes; list its messages, or pass onHistoryLost.",
    recovery: "reobserve",
  })
}
