import type { Ids } from "../kernel/ids.ts"
import { type CommandLog, NO_COMMAND_LOG } from "./audit-log/command-log.ts"
import { type FencePolicy, NO_FENCE } from "./fence/policy.ts"
import { ShellNames } from "./names.ts"

/** A machine that the operator named, reached over ssh (spec shells.md §9.2). */
export interface ShellResource {
  /** Host or alias, as ssh knows it. */
  readonly host: string
  /** Where a shell starts that nothing else sends elsewhere; absent: the login directory. */
  readonly defaultCwd?: string
}

/** Bounds and defaults of live shells, as the configuration has them (spec shells.md §3, §5.5). */
export interface ShellSettings {
  /** Live free shells a data directory. */
  readonly maxFree: number
  /** Live bound shells a data directory. */
  readonly maxBound: number
  /** An idle shell is closed after it, ms; 0: never. */
  readonly idleTtlMs: number
  /** The same for one with live background children, ms. */
  readonly backgroundTtlMs: number
  /** Life of a command in a free shell that states none, s. */
  readonly execTimeoutSecs: number
  /** Real paths of the system's temporary directories, where a bound shell may be too. */
  readonly temporaryRoots: readonly string[]
  /** The operator's fence (spec shells.md §8). */
  readonly fence: FencePolicy
  /** By name; a Session's execution context names one. */
  readonly resources: ReadonlyMap<string, ShellResource>
}

/** The defaults of the product. */
export const DEFAULT_SHELL_SETTINGS: ShellSettings = {
  maxFree: 64,
  maxBound: 64,
  idleTtlMs: 1_800_000,
  backgroundTtlMs: 28_800_000,
  execTimeoutSecs: 120,
  temporaryRoots: ["/tmp"],
  fence: NO_FENCE,
  resources: new Map(),
}

/** What the shell tools of one server process share. */
export interface ShellDesk {
  readonly settings: ShellSettings
  readonly names: ShellNames
  /** The audit log of commands (spec shells.md §13). */
  readonly log: CommandLog
}

/** One a server process. */
export function createShellDesk(
  ids: Pick<Ids, "token">,
  settings: ShellSettings = DEFAULT_SHELL_SETTINGS,
  log: CommandLog = NO_COMMAND_LOG,
): ShellDesk {
  return { settings, names: new ShellNames(ids), log }
}
