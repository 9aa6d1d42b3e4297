import { lstatSync, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { isAbsolute, join, relative, resolve } from "node:path"
import { ToolError } from "../../../../../../core/kernel/error.ts"

/**
 * The private key a caller named, as a real path. It must be a regular file inside the key directory; what is missing, outside
 * or a link gets one answer, so that no caller learns what exists elsewhere. Throws `key_unavailable`.
 */
export function usableKey(keyPath: string, keyDirectory: string): string {
  try {
    const directory = realpathSync(keyDirectory)
    const named = keyPath.startsWith("~/") ? join(homedir(), keyPath.slice(2)) : resolve(directory, keyPath)
    const real = realpathSync(named)
    const below = relative(directory, real)
    const isInside = below !== "" && !below.startsWith("..") && !isAbsolute(below)
    if (isInside && !lstatSync(named).isSymbolicLink() && statSync(real).isFile()) return real
  } catch {
    // Missing and unreadable are one answer with outside.
  }
  throw new ToolError(
    "key_unavailable",
    "That key cannot be used: key_path must name a regular file inside the configured key directory.",
    { executionState: "not_started" },
  )
}
