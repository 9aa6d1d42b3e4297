import { open } from "node:fs/promises"
import { ConfigError } from "../config/config-error.ts"

/** Largest `legal_file` in bytes (spec doors.md §3.5). */
export const LEGAL_FILE_LIMIT_BYTES = 64 * 1024

/** Reads the HTML that replaces the privacy page. Throws `ConfigError` when it cannot be read or is over 64 KiB. */
export async function readLegalFile(path: string): Promise<string> {
  try {
    await using file = await open(path)
    const buffer = Buffer.alloc(LEGAL_FILE_LIMIT_BYTES + 1)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    if (bytesRead <= LEGAL_FILE_LIMIT_BYTES) return buffer.toString("utf8", 0, bytesRead)
  } catch (cause) {
    throw new ConfigError(`legal_file: ${path} cannot be read; give a readable HTML file.`, { cause })
  }
  throw new ConfigError(`legal_file: ${path} is over ${LEGAL_FILE_LIMIT_BYTES} bytes; shorten it.`)
}
