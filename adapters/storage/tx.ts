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

/** The repositories of one transaction, each made when first asked for: most transactions use two or three, again and again. */
class SqlTx implements Tx {
  readonly #queries: Queries
  #users: Tx["users"] | undefined
  #credentials: Tx["credentials"] | undefined
  #projects: Tx["projects"] | undefined
  #sessions: Tx["sessions"] | undefined
  #ledger: Tx["ledger"] | undefined
  #openCalls: Tx["openCalls"] | undefined
  #callKeys: Tx["callKeys"] | undefined
  #instances: Tx["instances"] | undefined
  #coding: Tx["coding"] | undefined
  #jobs: Tx["jobs"] | undefined
  #messages: Tx["messages"] | undefined
  #shells: Tx["shells"] | undefined
  #runnerHosts: Tx["runnerHosts"] | undefined

  constructor(queries: Queries) {
    this.#queries = queries
  }

  get users() {
    this.#users ??= createUserStore(this.#queries)
    return this.#users
  }

  get credentials() {
    this.#credentials ??= createCredentialStore(this.#queries)
    return this.#credentials
  }

  get projects() {
    this.#projects ??= createProjectStore(this.#queries)
    return this.#projects
  }

  get sessions() {
    this.#sessions ??= createSessionStore(this.#queries)
    return this.#sessions
  }

  get ledger() {
    this.#ledger ??= createLedgerStore(this.#queries)
    return this.#ledger
  }

  get openCalls() {
    this.#openCalls ??= createOpenCallStore(this.#queries)
    return this.#openCalls
  }

  get callKeys() {
    this.#callKeys ??= createCallKeyStore(this.#queries)
    return this.#callKeys
  }

  get instances() {
    this.#instances ??= createInstanceStore(this.#queries)
    return this.#instances
  }

  get coding() {
    this.#coding ??= createCodingStore(this.#queries)
    return this.#coding
  }

  get jobs() {
    this.#jobs ??= createJobStore(this.#queries)
    return this.#jobs
  }

  get messages() {
    this.#messages ??= createMessageStore(this.#queries)
    return this.#messages
  }

  get shells() {
    this.#shells ??= createShellStore(this.#queries)
    return this.#shells
  }

  get runnerHosts() {
    this.#runnerHosts ??= createRunnerHostStore(this.#queries)
    return this.#runnerHosts
  }
}

/** The transaction whose queries these are. */
export function createTx(queries: Queries): Tx {
  return new SqlTx(queries)
}
