import { existsSync } from "node:fs"
import { type OwnerKind, readOwnerKinds } from "../../../core/access/owner-kinds.ts"
import { secretsFromEnvironment } from "../../../core/kernel/redaction/environment.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { createLedger } from "../../../core/ledger/create-ledger.ts"
import type { Ledger } from "../../../core/ledger/ledger.ts"
import type { Tx } from "../../../core/store.ts"
import { ConfigError } from "../../config/config-error.ts"
import { atDesk, dataDirOf, type OperatorDesk } from "../data-directory.ts"
import type { Terminal } from "../terminal.ts"
import { whenUnread } from "../unread.ts"

/** What the commands over Sessions work on: every authority group's, masked as every reader sees them. */
export interface SessionDesk extends OperatorDesk {
  readonly ledger: Ledger
  /** The kind of a Session's owner, from its fingerprint. */
  readonly ownerKind: (fingerprint: string) => OwnerKind
  /** Aborted once nobody reads what is printed. */
  readonly unread: AbortSignal
}

/** Opens an existing data directory with the operator's authority for the time of `work`; none is made. */
export async function atSessionDesk<T>(
  terminal: Terminal,
  flag: string | undefined,
  work: (desk: SessionDesk) => Promise<T>,
): Promise<T> {
  const dataDir = dataDirOf(terminal, flag)
  if (!existsSync(dataDir)) {
    throw new ConfigError(`There is no data directory ${dataDir}; name another with --data-dir.`)
  }
  const unread = whenUnread(terminal.stdout)
  const secrets = createSecretRegistry(secretsFromEnvironment(terminal.env))
  return await atDesk(terminal, flag, async (desk) => {
    const redact = (text: string): string => secrets.redactor().redactText(text).text
    const ledger = createLedger({ ids: desk.ids, redact })
    const ownerKind = await desk.store.read((tx: Tx) => readOwnerKinds(tx))
    return await work({ ...desk, ledger, ownerKind, unread })
  })
}
