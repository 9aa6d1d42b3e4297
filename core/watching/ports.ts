import type { Caller } from "../access/principal.ts"
import type { Clock } from "../kernel/clock.ts"
import type { RunnerDirectory } from "../runners/runner.ts"
import type { Store } from "../store.ts"

/** What watching needs; it only reads. */
export interface WatchPorts {
  readonly store: Pick<Store, "read">
  readonly runners: RunnerDirectory
  readonly clock: Pick<Clock, "now" | "sleep">
}

/** Who watches, as of now: what may be seen can change while a stream is open. */
export type Watcher = () => Caller
