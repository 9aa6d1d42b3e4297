import type { CompiledQuery, DatabaseConnection, Kysely } from "kysely"
import type { Schema } from "./schema.ts"
import type { Plans, Statement } from "./statement.ts"

/** Runs the queries of one transaction; refuses to run any once that transaction has ended, or more than it may run. */
export class Queries {
  readonly #plans: Plans
  readonly #connection: DatabaseConnection
  #left: number

  constructor(plans: Plans, connection: DatabaseConnection, most = Number.POSITIVE_INFINITY) {
    this.#plans = plans
    this.#connection = connection
    this.#left = most
  }

  /** Builds queries whose shape depends on their input; compile them and hand them to `all`, `first` or `change`. */
  get builder(): Kysely<Schema> {
    return this.#plans.builder
  }

  /** A statement of fixed shape with these values. */
  bind<P extends object, O>(of: Statement<P, O>, values: P): CompiledQuery<O> {
    return this.#plans.bind(of, values)
  }

  /** Every row. */
  async all<O>(query: CompiledQuery<O>): Promise<readonly O[]> {
    return (await this.#run(query)).rows
  }

  /** The first row, `undefined` when there is none. */
  async first<O>(query: CompiledQuery<O>): Promise<O | undefined> {
    return (await this.#run(query)).rows[0]
  }

  /** Runs a change and returns how many rows it touched. */
  async change(query: CompiledQuery): Promise<number> {
    return Number((await this.#run(query)).numAffectedRows ?? 0)
  }

  /** Called by the store when the transaction is over. */
  end(): void {
    this.#left = 0
  }

  #run<O>(query: CompiledQuery<O>) {
    if (this.#left <= 0)
      throw new Error("This transaction has ended: use a tx only inside the callback that received it.")
    this.#left -= 1
    return this.#connection.executeQuery<O>(query)
  }
}
