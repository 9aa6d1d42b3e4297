import type { MaskText } from "./naming.ts"

const SUMMARY_CHARS = 200

/** The beginning of a command, masked; only the host keeps it (spec exec-and-jobs.md §3). */
export function summaryOf(command: string, mask: MaskText): string {
  return mask(command.slice(0, 2 * SUMMARY_CHARS))
    .slice(0, SUMMARY_CHARS)
    .toWellFormed()
}
