import { isAbsolute, join, resolve } from "node:path"

/** Environment variables as the composition root passes them in. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where the data directory may be named (design §6). */
export interface DataDirSources {
  /** `--data-dir`. */
  readonly flag?: string
  readonly env: Environment
  /** The user's home directory. */
  readonly home: string
}

/** `$XDG_STATE_HOME/holdfast`, else `~/.local/state/holdfast`; a relative XDG path counts as unset, as that standard says. */
export function defaultDataDir({ env, home }: Pick<DataDirSources, "env" | "home">): string {
  const state = env.XDG_STATE_HOME
  const base = state !== undefined && isAbsolute(state) ? state : join(home, ".local", "state")
  return join(base, "holdfast")
}

/** The data directory's absolute path: flag, else `HOLDFAST_DATA_DIR`, else the default; an empty value counts as unset. */
export function resolveDataDir(sources: DataDirSources): string {
  return resolve(sources.flag || sources.env.HOLDFAST_DATA_DIR || defaultDataDir(sources))
}

/** Whether a test runner started this process (design §6). */
export function isTestRunner(env: Environment): boolean {
  return ["VITEST", "NODE_TEST_CONTEXT", "HOLDFAST_TEST"].some((name) => env[name] !== undefined)
}
