import type { Layout } from "../layout.ts"
import type { FarGeneration } from "../remote/adopt/far-card.ts"
import type { KnownState } from "../snapshot-keeper.ts"
import type { ShellProcess } from "../start-process.ts"
import type { Card } from "./card.ts"

/** One generation that a host which is gone had started; its process may be gone too. */
export interface AdoptedGeneration {
  readonly card: Card
  readonly layout: Layout
  readonly process: ShellProcess
  /** The newest snapshot of it. */
  readonly inherited: KnownState | undefined
  /** Where it is, or was last known to be. */
  readonly cwd: string
}

/** The same, wherever the shell is. */
export type AnyGeneration = AdoptedGeneration | FarGeneration
