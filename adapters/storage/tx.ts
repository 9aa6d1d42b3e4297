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
import { createRunnerHostStore } from "./repositories/runner-hosts.ts"
import { createSessionStore } from "./repositories/sessions.ts"
import { createShellStore } from "./repositories/shells.ts"
import { createUserStore } from "./repositories/users.ts"

/** The repositories of one transaction, each made when asked for: most transactions use two or three. */
class SqlTx implements Tx {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  get users() {
    return createUserStore(this.#queries)
  }

  get credentials() {
    return createCredentialStore(this.#queries)
  }

  get projects() {
    return createProjectStore(this.#queries)
  }

  get sessions() {
    return createSessionStore(this.#queries)
  }

  get ledger() {
    return createLedgerStore(this.#queries)
  }

  get openCalls() {
    return createOpenCallStore(this.#queries)
  }

  get callKeys() {
    return createCallKeyStore(this.#queries)
  }

  get instances() {
    return createInstanceStore(this.#queries)
  }

  get coding() {
    return createCodingStore(this.#queries)
  }

  get jobs() {
    return createJobStore(this.#queries)
  }

  get messages() {
    return createMessageStore(this.#queries)
  }

  get shells() {
    return createShellStore(this.#queries)
  }

  get runnerHosts() {
    return createRunnerHostStore(this.#queries)
  }
}

/** The transaction whose queries these are. */
export function createTx(queries: Queries): Tx {
  return new SqlTx(queries)
}
