import { isToolError, restate, type ToolError } from "../../kernel/error.ts"

/** A change of a batch that cannot be made. */
export interface ChangeFailure {
  readonly index: number
  readonly path: string
  readonly error: ToolError
}

const MAX_FAILURES = 16

/** The error of a batch: the first failing change's, with every failing change listed (files-and-git.md §4.1). */
export function batchError(failures: readonly ChangeFailure[]): ToolError | undefined {
  const [first] = failures
  if (first === undefined) return undefined
  const listed = failures.slice(0, MAX_FAILURES).map(({ index, path, error }) => ({
    change_index: index,
    kind: error.kind,
    message: error.message,
    path,
  }))
  const { error, index, path } = first
  return restate(error, { details: { ...error.details, change_index: index, path, failures: listed } })
}

/** Runs one step of one change; a ToolError is its failure, anything else is a fault and thrown on. */
export async function attempt<T>(step: () => Promise<T> | T): Promise<{ value: T } | { error: ToolError }> {
  try {
    return { value: await step() }
  } catch (error) {
    if (isToolError(error)) return { error }
    throw error
  }
}
