import { ConfigError } from "../../config/config-error.ts"
import { type Config, configSchema } from "../../config/keys.ts"
import { loadConfig } from "../../config/load-config.ts"
import type { OperatorDesk } from "../data-directory.ts"
import type { Terminal } from "../terminal.ts"

/** What `holdfast stop` goes by. */
export interface StopConfig {
  readonly config: Config
  /** Why the configuration could not be read: one sentence. */
  readonly fault?: string
}

/**
 * The configuration, for what must work while it is broken: one that was not named and cannot be read is left aside, and the
 * runtime directory is then the one that the last host used (spec shells.md §2.1). Throws `ConfigError` for a file that was
 * named.
 */
export async function stopConfig(
  { env }: Pick<Terminal, "env">,
  { dataDir, store }: Pick<OperatorDesk, "dataDir" | "store">,
  file: string | undefined,
): Promise<StopConfig> {
  if (file !== undefined) return { config: loadConfig({ flags: {}, env, dataDir, file }).config }
  try {
    return { config: loadConfig({ flags: {}, env, dataDir }).config }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const last = await store.read((tx) => tx.runnerHosts.current())
    const config = configSchema.parse(last === undefined ? {} : { runtime_dir: last.runtime })
    return { config, fault: error.message }
  }
}
