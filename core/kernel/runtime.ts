import type { ProjectSettings } from "../projects/settings.ts"
import type { InstanceId, ProjectPk } from "./ids.ts"
import type { AuthorityMode } from "./permission.ts"

/** Facts of this process that `runtime_status` tells (spec kernel.md §8). */
export interface RuntimeFacts {
  readonly version: string
  readonly instance: InstanceId
  /** Monotonic clock at start, ms. */
  readonly startedAt: number
  readonly authority: { readonly mode: AuthorityMode; readonly source: "flag" | "env" | "file" | "default" }
  readonly features: readonly string[]
  /** Directories under which tools may register Projects, as configured (spec kernel.md §9); the Runner resolves them. */
  readonly allowedRoots: readonly string[]
  /** What the configuration file says of single Projects. */
  readonly projects: ReadonlyMap<ProjectPk, ProjectSettings>
  readonly limits: {
    readonly deadline_ms: number
    readonly reply_limit_chars: number
    readonly body_limit_bytes: number
  }
}
