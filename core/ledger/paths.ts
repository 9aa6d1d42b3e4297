import { hasControlCharacter } from "../kernel/text-schema.ts"

const MAX_PATHS = 200
const MAX_PATH_BYTES = 512
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/|^file:/i
const DRIVE = /^[A-Za-z]:/

/** The paths an event keeps of what a call named, and how many there were before the bound (spec sessions.md §5.4). */
export interface BoundPaths {
  readonly paths: readonly string[]
  readonly total: number
}

/** Whether a path starts from somewhere else than the Project's root. */
function isAnchored(path: string): boolean {
  return path.startsWith("/") || path.startsWith("~") || DRIVE.test(path) || SCHEME.test(path)
}

/**
 * The form in which the ledger keeps a project-relative path, or `undefined` when it may not be kept: over 512 bytes,
 * control character, `\`, URI scheme, leading `/` or `~`, drive letter, `..` (spec sessions.md §5.4). Never looked up on disk.
 */
export function acceptedPath(path: string): string | undefined {
  if (Buffer.byteLength(path, "utf8") > MAX_PATH_BYTES || hasControlCharacter(path) || path.includes("\\"))
    return undefined
  if (isAnchored(path)) return undefined
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".")
  const normal = segments.join("/")
  return normal === "" || segments.includes("..") || isAnchored(normal) ? undefined : normal
}

/**
 * Unique accepted paths in first-seen order, ≤ 200. `total` is what the call counted, less what is not accepted or was
 * named twice, so that a caller may hand over a list that is cut already.
 */
export function boundPaths(named: readonly string[], total: number): BoundPaths {
  const unique = new Set<string>()
  for (const path of named) {
    const accepted = acceptedPath(path)
    if (accepted !== undefined) unique.add(accepted)
  }
  const dropped = named.length - unique.size
  return { paths: [...unique].slice(0, MAX_PATHS), total: Math.max(unique.size, total - dropped) }
}
