import type { Compilable, CompiledQuery, Kysely, RawBuilder } from "kysely"
import { sql } from "kysely"
import type { Schema } from "./schema.ts"

/** The place of a named value in a statement that is compiled once. */
export class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Makes the place of a value of `P`, for use wherever the query builder takes an expression. */
export type Param<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>

/** A query of fixed shape: built and compiled once per store, then run with new values (spec doors.md §7.2). */
export interface Statement<P, O> {
  readonly build: (db: Kysely<Schema>, param: Param<P>) => Compilable<O>
}

/** Defines a statement with the named, typed values `P`. */
export function statement<P>(): <O>(build: Statement<P, O>["build"]) => Statement<P, O> {
  return (build) => ({ build })
}

interface Plan {
  readonly compiled: CompiledQuery
  readonly slots: readonly unknown[]
}

/** The compiled statements of one store. */
export class Plans {
  readonly builder: Kysely<Schema>
  readonly #plans = new Map<object, Plan>()

  constructor(builder: Kysely<Schema>) {
    this.builder = builder
  }

  /** The statement's compiled query with these values in their places. */
  bind<P extends object, O>(of: Statement<P, O>, values: P): CompiledQuery<O> {
    const plan = this.#plans.get(of) ?? this.#compile(of)
    const parameters = plan.slots.map((slot): unknown => (slot instanceof Slot ? Reflect.get(values, slot.name) : slot))
    return { ...plan.compiled, parameters }
  }

  #compile<P, O>(of: Statement<P, O>): Plan {
    const compiled = of.build(this.builder, (name) => sql`${new Slot(name)}`).compile()
    const plan: Plan = { compiled, slots: compiled.parameters }
    this.#plans.set(of, plan)
    return plan
  }
}
