import { DataDirError } from "../../adapters/data-dir/index.ts"
import { StoreOpenError } from "../../adapters/storage/index.ts"
import { isToolError } from "../../core/kernel/error.ts"
import { ConfigError } from "../config/config-error.ts"

/** 1: the command failed; 2: usage or configuration (spec kernel.md §14). */
export type FailureCode = 1 | 2

/** An error as the command line says it: one sentence and its exit code; `undefined` for a fault of ours. */
export function explainFailure(error: unknown): { readonly code: FailureCode; readonly sentence: string } | undefined {
  if (error instanceof ConfigError) return { code: 2, sentence: error.message }
  if (error instanceof DataDirError || error instanceof StoreOpenError) return { code: 1, sentence: error.message }
  if (isToolError(error)) return { code: error.kind === "invalid_arguments" ? 2 : 1, sentence: error.message }
  return undefined
}
