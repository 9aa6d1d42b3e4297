import type { Tx } from "../../core/store.ts"

/** The same transaction with some repositories replaced; the others stay those of the real one, whatever it is made of. */
export function txWith(tx: Tx, changes: Partial<Tx>): Tx {
  return new Proxy(tx, {
    get: (target, name): unknown => Reflect.get(Object.hasOwn(changes, name) ? changes : target, name),
  })
}
