import type { Tx } from "../../core/store.ts"
import type { Queries } from "./queries.ts"
import { createCallKeyStore } from "./repositories/call-keys.ts"
import { createCodingStore } from "./repositories/coding-sessions.ts"
import { createCredentialStore } from "./repositories/credentials.ts"
import { createInstanceStore } from "./repositories/instances.ts"
import { createJobStore } from "./repositories/jobs.ts"
import { createLedgerStore } from "./repositories/ledger.ts"
import { createMessageStore } from "./repositories/messages.ts"
import { createOpenCallStore } from "./repositories/open-calls.ts"
import { createProjectStore } from "./repositories/projects.ts"
import { createSessionStore } from "./repositories/sessions.ts"
import { createUserStore } from "./repositories/users.ts"

/** The repositories of one transaction, each made when asked for: most transactions use two or three. */
export function createTx(queries: Queries): Tx {
  return {
    get users() {
      return createUserStore(queries)
    },
    get credentials() {
      return createCredentialStore(queries)
    },
    get projects() {
      return createProjectStore(queries)
    },
    get sessions() {
      return createSessionStore(queries)
    },
    get ledger() {
      return createLedgerStore(queries)
    },
    get openCalls() {
      return createOpenCallStore(queries)
    },
    get callKeys() {
      return createCallKeyStore(queries)
    },
    get instances() {
      return createInstanceStore(queries)
    },
    get coding() {
      return createCodingStore(queries)
    },
    get jobs() {
      return createJobStore(queries)
    },
    get messages() {
      return createMessageStore(queries)
    },
  }
}
