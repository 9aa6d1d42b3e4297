import { ToolError } from "../../../../core/kernel/error.ts"

/** The system's error code of a thrown value, if it is a file system error. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
}

/** Whether a thrown value is a file system error with one of these codes. */
export function hasErrno(error: unknown, codes: readonly string[]): boolean {
  const code = errnoOf(error)
  return code !== undefined && codes.includes(code)
}

const SWAPPED = ["ENOENT", "ENOTDIR", "ELOOP", "ESTALE"]

/** A component of the path was exchanged while the call looked at it. */
export const pathChanged = (): ToolError =>
  new ToolError("path_changed", "A component of the path changed during the call; send the same call again.")

/**
 * Translates a file system error on a path that was just seen to exist. Anything that is none is thrown on unchanged.
 */
export function accessError(error: unknown): unknown {
  const errno = errnoOf(error)
  if (errno === undefined) return error
  if (SWAPPED.includes(errno)) return pathChanged()
  return new ToolError(
    "file_access_denied",
    `The system refused access to the file (${errno}); a person must change that.`,
    {
      details: { errno },
      cause: error,
    },
  )
}

/** Runs one system call and translates its error as `accessError` does. */
export function guarded<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw accessError(error)
  }
}
