import type { Store, Tx } from "../../core/store.ts"
import type { StoreDialect, Transactions } from "./dialect.ts"
import { readMeta } from "./migrate.ts"
import { Queries } from "./queries.ts"
import { Plans } from "./statement.ts"
import { createTx } from "./tx.ts"

/** The parts of an open, migrated database. */
export interface SqlStoreParts {
  readonly dialect: StoreDialect
  readonly transactions: Transactions
  readonly schemaVersion: number
}

/** The `Store` port over any dialect's transactions. */
export function createSqlStore({ dialect, transactions, schemaVersion }: SqlStoreParts): Store {
  const plans = new Plans(dialect.builder)
  /** Read once: it is made with the database and never changes. */
  let instanceKey: string | undefined

  const within = async <T>(queries: Queries, work: (tx: Tx) => Promise<T>): Promise<T> => {
    try {
      return await work(createTx(queries))
    } finally {
      queries.end()
    }
  }

  return {
    read: (work) => transactions.read((connection) => within(new Queries(plans, connection), work)),
    readOnce: (work) => transactions.readOnce((connection) => within(new Queries(plans, connection, 1), work)),
    write: (work) => transactions.write((connection) => within(new Queries(plans, connection), work)),
    facts: async () => ({ dialect: dialect.name, schemaVersion, sizeBytes: await transactions.sizeBytes() }),
    async instanceKey() {
      instanceKey ??= await transactions.read((connection) => readMeta(dialect, connection, "instance_key"))
      if (instanceKey === undefined) throw new Error("The database has no instance key.")
      return instanceKey
    },
    close: () => transactions.close(),
  }
}
