import type { Ledger } from "../../ledger/ledger.ts"
import type { RunnerDirectory } from "../../runners/runner.ts"
import type { Store } from "../../store.ts"
import type { Catalogue } from "../catalogue.ts"
import type { ChatSessions } from "../chat-sessions.ts"
import type { Clock } from "../clock.ts"
import type { Ids } from "../ids.ts"
import type { Registry } from "../registry.ts"
import type { RuntimeFacts } from "../runtime.ts"
import type { Secrets } from "../secrets.ts"
import type { Signals } from "../signals.ts"
import type { Telemetry } from "../telemetry.ts"

/** Everything a kernel is made of (spec kernel.md): the registry and the ports. */
export interface KernelParts {
  readonly registry: Registry
  readonly catalogue: Catalogue
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly signals: Signals
  readonly secrets: Secrets
  readonly runners: RunnerDirectory
  readonly ledger: Ledger
  readonly chatSessions: ChatSessions
  readonly telemetry: Telemetry
  readonly runtime: RuntimeFacts
}
