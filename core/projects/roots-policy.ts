import { isGuardedName } from "../files/policy.ts"
import { ToolError } from "../kernel/error.ts"

const SYSTEM = new Set(["bin", "boot", "dev", "etc", "proc", "run", "sbin", "sys", "usr", "var"])
/** Below these a Project may lie if the configuration lists a directory there. */
const LISTED_ONLY = ["/var/tmp", "/var/lib"]

/** Places of this machine that bound where a Project may be, as real paths (spec kernel.md §9). */
export interface RootRules {
  readonly home: string
  readonly dataDir: string
  /** Real paths of `allowed_roots`. */
  readonly allowedRoots: readonly string[]
  /** The operator (CLI, configuration file) may register outside `allowedRoots`, never in a forbidden place. */
  readonly operator: boolean
}

/** Whether `path` is `ancestor` or lies below it, by components. Both `/`-separated and normalised. */
export function isWithin(path: string, ancestor: string): boolean {
  return ancestor === "/" || path === ancestor || path.startsWith(`${ancestor}/`)
}

function isBelowListed(path: string, allowedRoots: readonly string[]): boolean {
  return LISTED_ONLY.some(
    (place) =>
      path !== place &&
      isWithin(path, place) &&
      allowedRoots.some((allowed) => isWithin(allowed, place) && isWithin(path, allowed)),
  )
}

/** System directories; `/private` is where macOS really keeps some of them. */
function isSystem(path: string, allowedRoots: readonly string[]): boolean {
  const plain = isWithin(path, "/private") ? path.slice("/private".length) : path
  const top = plain.split("/")[1] ?? ""
  return (SYSTEM.has(top) || /^lib/.test(top)) && !isBelowListed(plain, allowedRoots)
}

/**
 * Places that are never a Project, whoever asks (spec kernel.md §9). `path` is a real path. At or below git's own directory
 * or one of secrets the policy of a Project, which judges paths relative to its root, would protect nothing any more.
 */
export function isForbiddenRoot(path: string, rules: RootRules): boolean {
  const { home, dataDir, allowedRoots } = rules
  return (
    path === "/" ||
    path === home ||
    isWithin(path, dataDir) ||
    isWithin(dataDir, path) ||
    isSystem(path, allowedRoots) ||
    path.split("/").some(isGuardedName)
  )
}

/**
 * Refuses a root that may not be a Project, before it is known whether it exists. `path` is the real path of the deepest
 * existing ancestor plus the rest.
 * @throws ToolError `path_not_allowed`
 */
export function requireAllowedRoot(path: string, rules: RootRules): void {
  const { allowedRoots, operator } = rules
  const listed = operator || allowedRoots.some((allowed) => isWithin(path, allowed))
  if (listed && !isForbiddenRoot(path, rules)) return
  throw new ToolError(
    "path_not_allowed",
    "No Project can be registered there. Choose a directory below an allowed root that is no system, home or data directory and in none such as .git or .ssh.",
    { details: { allowed_roots: [...allowedRoots] } },
  )
}
