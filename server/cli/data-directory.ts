import { homedir } from "node:os"
import { createSystemClock } from "../../adapters/clock/index.ts"
import { resolveDataDir } from "../../adapters/data-dir/index.ts"
import { openStore } from "../../adapters/storage/index.ts"
import { type Accounts, createAccounts } from "../../core/access/accounts.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import { createIds, type Ids } from "../../core/kernel/ids.ts"
import { secretsFromEnvironment } from "../../core/kernel/redaction/environment.ts"
import { createSecretRegistry } from "../../core/kernel/secrets.ts"
import type { Store } from "../../core/store.ts"
import type { Terminal } from "./terminal.ts"

/** The data directory of a command: `--data-dir`, else the environment, else the default (design §6). */
export function dataDirOf(terminal: Terminal, flag: string | undefined): string {
  return resolveDataDir({ ...(flag === undefined ? {} : { flag }), env: terminal.env, home: homedir() })
}

/** What an operator command works on: whoever can write the data directory is the operator (spec kernel.md §2.2). */
export interface OperatorDesk {
  readonly dataDir: string
  readonly store: Store
  readonly accounts: Accounts
  readonly clock: Clock
  readonly ids: Ids
}

/** Opens the data directory itself, without a server, for the time of `work`. */
export async function atDesk<T>(
  terminal: Terminal,
  flag: string | undefined,
  work: (desk: OperatorDesk) => Promise<T>,
): Promise<T> {
  const dataDir = dataDirOf(terminal, flag)
  const store = await openStore({ dataDir, env: terminal.env })
  try {
    const clock = createSystemClock()
    const ids = createIds()
    const secrets = createSecretRegistry(secretsFromEnvironment(terminal.env))
    return await work({ dataDir, store, clock, ids, accounts: createAccounts({ store, clock, ids, secrets }) })
  } finally {
    await store.close()
  }
}
