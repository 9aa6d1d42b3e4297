/** Why a data directory is refused; the command line answers each with exit code 1 (spec kernel.md §14). */
export type DataDirCode = "default_under_test" | "open_to_others" | "not_a_directory" | "not_writable"

/** A data directory cannot be used; `message` names the cause and the next step. */
export class DataDirError extends Error {
  override readonly name = "DataDirError"
  readonly code: DataDirCode

  constructor(code: DataDirCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}
