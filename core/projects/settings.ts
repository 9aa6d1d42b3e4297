import type { EnvironmentEntry } from "../jobs/environment.ts"

/** What the configuration file alone says of a Project; never stored (spec kernel.md §9). */
export interface ProjectSettings {
  /** Whether tools may run shell text there. */
  readonly rawShell: boolean
  /** Variables of its profile: after the base environment, before those of a call (spec shells.md §7). */
  readonly env: readonly EnvironmentEntry[]
  /** Shell text that a live shell runs once when it is opened; not for one-shots. */
  readonly init?: string
}
