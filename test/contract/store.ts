import { afterEach, beforeEach, describe } from "vitest"
import type { Store } from "../../core/store.ts"
import { accessContract } from "./store-access.ts"
import { callContract } from "./store-calls.ts"
import { concurrencyContract } from "./store-concurrency.ts"
import { jobContract } from "./store-jobs.ts"
import { ledgerContract } from "./store-ledger.ts"
import { messageContract } from "./store-messages.ts"
import { projectContract } from "./store-projects.ts"
import { sessionContract } from "./store-sessions.ts"
import { shellContract } from "./store-shells.ts"
import { transactionContract } from "./store-transactions.ts"

/** An empty, migrated store, and what a test needs to meet it from elsewhere. */
export interface StoreUnderTest {
  readonly store: Store
  /** Another store over the same database, with connections of its own; closed with the first. */
  second(): Promise<Store>
  /** Command line of a process that appends events: the Session id and a count follow. */
  readonly writerProcess: readonly string[]
  close(): Promise<void>
}

/** The store of the running test. */
export type Current = () => StoreUnderTest

/** What every adapter of the `Store` port must do (design §6, §9); `open` makes an empty one. */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`Store: ${name}`, () => {
    let under: StoreUnderTest | undefined
    beforeEach(async () => {
      under = await open()
    })
    afterEach(async () => {
      await under?.close()
      under = undefined
    })
    const current: Current = () => {
      if (under === undefined) throw new Error("no store is open")
      return under
    }
    transactionContract(current)
    concurrencyContract(current)
    accessContract(current)
    projectContract(current)
    sessionContract(current)
    ledgerContract(current)
    messageContract(current)
    callContract(current)
    jobContract(current)
    shellContract(current)
  })
}
