import { asText } from "./quoting.ts"
import type { RestoreOptions } from "./types.ts"

/** What a new process said about its restore. */
export interface RestoreReport {
  /** Takes bytes from the FIFO; the names of what failed (in the words of `lost`) once the whole report is there. */
  push(chunk: Uint8Array): readonly string[] | undefined
}

/** Word behind the token of the line that ends a report. */
export const REPORT_END = "restored"

/** Reads the report that a restore text writes. */
export function createRestoreReport({ token }: RestoreOptions["report"]): RestoreReport {
  let text = ""
  return {
    push(chunk) {
      text += Buffer.from(chunk).toString("latin1")
      const end = text.indexOf(`${token} ${REPORT_END}\n`)
      if (end === -1) return undefined
      const lines = text.slice(0, end).split("\n")
      return lines.flatMap((line) => (line.startsWith(`${token} `) ? [asText(line.slice(token.length + 1))] : []))
    },
  }
}
