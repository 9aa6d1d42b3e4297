import type { Literal, Redactor } from "./redaction/redactor.ts"
import { createRedactor } from "./redaction/redactor.ts"

/** Knows the secrets of this process and the redactor that masks them (spec kernel.md §12). */
export interface Secrets {
  /** From now on `value` is masked under `name` everywhere; registering it again changes nothing. */
  register(name: string, value: string): void
  /** The redactor of what is registered now; it never changes, later registrations show in the next one. */
  redactor(): Redactor
  /** What is registered now, oldest first; only a Runner host of this user is given it, to mask with (spec shells.md §4.3). */
  literals(): readonly Literal[]
}

/** An empty registry, with these literals at the start. Values stay in memory only. */
export function createSecretRegistry(initial: readonly Literal[] = []): Secrets {
  const literals = new Map(initial.map(({ name, value }) => [value, name]))
  let current: Redactor | undefined
  return {
    register(name, value) {
      if (literals.has(value)) return
      literals.set(value, name)
      current = undefined
    },
    redactor() {
      current ??= createRedactor(Array.from(literals, ([value, name]) => ({ name, value })))
      return current
    },
    literals: () => Array.from(literals, ([value, name]) => ({ name, value })),
  }
}
