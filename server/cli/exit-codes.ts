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
  const listening = listenFault(error)
  return listening === undefined ? undefined : { code: 1, sentence: listening }
}

/** Node's error of an address that cannot be listened on (spec doors.md §2.7). */
function listenFault(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined
  const port = "port" in error ? `port ${String(error.port)}` : "the port"
  if (error.syscall === "listen") {
    if (error.code === "EADDRINUSE") return `${port} is taken; stop the other server or choose another one with --port.`
    if (error.code === "EACCES") return `${port} may not be used by you; choose one above 1023 with --port.`
    if (error.code === "EADDRNOTAVAIL") return "the address of --host is not one of this machine; choose another one."
  }
  return error.syscall === "getaddrinfo"
    ? "the name of --host is not known; give an address of this machine."
    : undefined
}
