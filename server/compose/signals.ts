import { createSignals, type OpenedSignals } from "../../adapters/signals/index.ts"
import type { OpenedStore } from "../../adapters/storage/index.ts"
import { ACCESS_LOOK_MS, ACCESS_TOPIC } from "../../core/kernel/signals.ts"
import { boardVersions } from "../../core/messages/signal.ts"

/** The signals of one process over its store: boards by their versions, access seldom, everything else by every commit. */
export function composeSignals(store: OpenedStore): OpenedSignals {
  return createSignals({
    foreignCommits: () => store.foreignCommits(),
    versions: boardVersions(store),
    seldom: new Map([[ACCESS_TOPIC, ACCESS_LOOK_MS]]),
  })
}
