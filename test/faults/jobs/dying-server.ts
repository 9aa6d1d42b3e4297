// A server that runs one command through the kernel and dies by SIGKILL at a chosen moment; started by recovery.test.ts.

import { TERMINAL_STATUSES } from "../../../core/jobs/record.ts"
import type { Store, Tx } from "../../../core/store.ts"
import { createHarness } from "../../support/harness.ts"
import { txWith } from "../../support/tx-with.ts"

const [home = "", dataDir = "", session = "", moment = "", command = ""] = process.argv.slice(2)

const die = (): never => {
  process.kill(process.pid, "SIGKILL")
  throw new Error("still alive")
}

/** Dies right after the transaction that inserted the Job's row. */
function dieAfterRow(store: Store): Store {
  return watching(store, {
    insert: (inserted) => inserted.then(() => "die-after-commit" as const),
    update: (job, write) => write(job),
  })
}

/** Dies inside the transaction that would commit the Job's end. */
function dieBeforeEnd(store: Store): Store {
  return watching(store, {
    insert: async (inserted) => inserted.then(() => undefined),
    update: (job, write) => (TERMINAL_STATUSES.some((status) => status === job.status) ? die() : write(job)),
  })
}

type Job = Parameters<Tx["jobs"]["insert"]>[0]

function watching(
  store: Store,
  on: {
    insert(inserted: Promise<void>): Promise<"die-after-commit" | undefined>
    update(job: Job, write: (job: Job) => Promise<boolean>): Promise<boolean>
  },
): Store {
  return {
    ...store,
    read: (work) => store.read(work),
    facts: () => store.facts(),
    instanceKey: () => store.instanceKey(),
    close: () => store.close(),
    async write(work) {
      let fate: "die-after-commit" | undefined
      const result = await store.write((tx) => {
        const jobs: Tx["jobs"] = Object.create(tx.jobs, {
          insert: {
            value: async (job: Job) => {
              fate = await on.insert(tx.jobs.insert(job))
            },
          },
          update: {
            value: (job: Job, before: Job) => on.update(job, (next) => tx.jobs.update(next, before)),
          },
        })
        return work(txWith(tx, { jobs }))
      })
      if (fate !== undefined) die()
      return result
    },
  }
}

const wrapStore =
  moment === "after-row" ? dieAfterRow : moment === "before-end" ? dieBeforeEnd : (store: Store) => store
const harness = await createHarness({ beside: { home, dataDir }, wrapStore })
await harness.startUpkeep()
await harness.call("run_shell", {
  project: "demo",
  session_id: session,
  command,
  ...(moment === "handed-over" ? { sync_wait_secs: 0 } : {}),
})
// Handed over: stays until it is killed.
setInterval(() => undefined, 1000)
