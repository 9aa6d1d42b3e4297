/** Why a store could not be opened; the command line answers each with exit code 1 (spec kernel.md §14). */
export type StoreOpenCode = "schema_newer" | "not_writable" | "not_a_database" | "runtime_too_old"

/** The database of a data directory cannot be opened; `message` names the cause and the next step. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError"
  readonly code: StoreOpenCode

  constructor(code: StoreOpenCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}
