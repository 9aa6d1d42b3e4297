import type { CredentialStore, UserStore } from "./access/store.ts"
import type { JobStore } from "./jobs/store.ts"
import type { CallKeyStore } from "./kernel/call-keys.ts"
import type { InstanceStore } from "./kernel/instances.ts"
import type { LedgerStore, OpenCallStore } from "./ledger/store.ts"
import type { MessageStore } from "./messages/store.ts"
import type { ProjectStore } from "./projects/store.ts"
import type { RunnerHostStore } from "./runners/host-store.ts"
import type { SessionStore } from "./sessions/store.ts"
import type { ShellStore } from "./shells/store.ts"
import type { CodingStore } from "./workflow/store.ts"

/** The rows of one transaction, one repository a domain. Valid only inside the callback that received it. */
export interface Tx {
  readonly users: UserStore
  readonly credentials: CredentialStore
  readonly projects: ProjectStore
  readonly sessions: SessionStore
  readonly ledger: LedgerStore
  readonly openCalls: OpenCallStore
  readonly callKeys: CallKeyStore
  readonly instances: InstanceStore
  readonly coding: CodingStore
  readonly jobs: JobStore
  readonly messages: MessageStore
  readonly shells: ShellStore
  readonly runnerHosts: RunnerHostStore
}

/** Durable storage (design §6). Locked beyond 5 s, full or read-only: `storage_unavailable`. */
export interface Store {
  /** One read transaction: every read in it sees the same state. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A read of one query and no more, for a look that is taken often: what it reads is one state without a transaction. */
  readOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * One `BEGIN IMMEDIATE` transaction; commits when `work` resolves, rolls back when it throws. Await nothing but `tx` in it.
   * `outcome_unknown` when the connection was lost in the commit, so that nobody can say whether it happened.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  facts(): Promise<{
    readonly dialect: "sqlite" | "postgres"
    readonly schemaVersion: number
    readonly sizeBytes: number
  }>
  /** 32 random bytes, hex, made by the first migration; every HMAC of this installation derives from it. */
  instanceKey(): Promise<string>
  close(): Promise<void>
}
