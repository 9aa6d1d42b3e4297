import { isToolError, ToolError } from "../../kernel/error.ts"

/** The same error with more members in its details; the kind's row in the error table says which of them may be sent. */
export function withDetails(error: ToolError, extra: object): ToolError {
  const copy = new ToolError(error.kind, error.message, {
    recovery: error.recovery,
    ...(error.executionState === undefined ? {} : { executionState: error.executionState }),
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    ...(error.output === undefined ? {} : { output: error.output }),
    cause: error.cause,
  })
  const known: object = error.details ?? {}
  Object.defineProperty(copy, "details", { value: { ...known, ...extra }, enumerable: true })
  return copy
}

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
  return withDetails(first.error, { change_index: first.index, path: first.path, failures: listed })
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
