import { isToolError } from "../kernel/error.ts"

/**
 * The command ran, whatever the store says now: its true result is answered, and its supervisor commits the end later
 * (spec kernel.md §5).
 */
export async function evenWithoutStore<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isToolError(error) && (error.kind === "storage_unavailable" || error.kind === "interrupted")) return undefined
    throw error
  }
}
