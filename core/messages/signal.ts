import type { Call } from "../kernel/call.ts"
import { type SessionId, sessionIdSchema } from "../kernel/ids.ts"
import type { Topic } from "../kernel/signals.ts"
import type { Store } from "../store.ts"

/** What waits for a change of a board, its Session's end included. */
export function boardTopic(sessionId: SessionId): Topic {
  return `board:${sessionId}`
}

/** The versions of those topics that are boards, for `createSignals`: one read for all who wait. */
export function boardVersions(
  store: Pick<Store, "read">,
): (topics: ReadonlySet<Topic>) => Promise<ReadonlyMap<Topic, string>> {
  return async (topics) => {
    const sessionIds = [...topics].flatMap((topic) => boardOf(topic) ?? [])
    if (sessionIds.length === 0) return new Map()
    const versions = await store.read((tx) => tx.messages.versions(sessionIds))
    // One that is gone has changed once, not with every commit.
    return new Map(sessionIds.map((id) => [boardTopic(id), versions.get(id) ?? "gone"]))
  }
}

function boardOf(topic: Topic): SessionId | undefined {
  return topic.startsWith("board:") ? sessionIdSchema.safeParse(topic.slice("board:".length)).data : undefined
}

/** Tells waiters of every process; after the commit only. */
export function signalBoard(call: Pick<Call, "ports">, sessionId: SessionId): void {
  call.ports.signals.notify(boardTopic(sessionId))
}
