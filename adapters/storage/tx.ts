import type { Tx } from "../../core/store.ts"
import type { Queries } from "./queries.ts"
import { createCallKeyStore } from "./repositories/call-keys.ts"
import { createCodingStore } from "./repositories/coding-sessions.ts"
import { createCredentialStore } from "./repositories/credentials.ts"
import { createInstanceStore } from "./repositories/instances.ts"
import { createJobStore } from "./repositories/jobs.ts"
import { createLedgerStore } from "./repositories/ledger.ts"
import { createOpenCallStore } from "./repositories/open-calls.ts"
import { createProjectStore } from "./repositories/projects.ts"
import { createSessionStore } from "./repositories/sessions.ts"
import { createUserStore } from "./repositories/users.ts"

/** The repositories of one transaction. */
export function createTx(queries: Queries): Tx {
  return {
    users: createUserStore(queries),
    credentials: createCredentialStore(queries),
    projects: createProjectStore(queries),
    sessions: createSessionStore(queries),
    ledger: createLedgerStore(queries),
    openCalls: createOpenCallStore(queries),
    callKeys: createCallKeyStore(queries),
    instances: createInstanceStore(queries),
    coding: createCodingStore(queries),
    jobs: createJobStore(queries),
  }
}
