import { ToolError } from "../kernel/error.ts"
import type { FilePolicy } from "../projects/record.ts"
import { GlobSyntaxError } from "./globs/component.ts"
import { compileGlob } from "./globs/glob.ts"
import type { ProjectPath } from "./paths.ts"
import { componentsOf, isWithin } from "./paths.ts"

/** What the tool surface does with a path: `protected` is neither read, written nor walked; of `sensitive` only the name is shown. */
export type PathClass = "plain" | "sensitive" | "protected"

/** Judges Project paths; both the requested and the resolved path of an access are asked (files-and-git.md §1.2). */
export interface PathPolicy {
  classify(path: ProjectPath): PathClass
}

const TRAILING = /[. ]+$/
const PLAIN_NAME = /^[a-z0-9_-][a-z0-9._-]*[a-z0-9_-]$/

/**
 * The form in which a component is compared with the lists: NFKC, default-ignorable code points removed, lower-case,
 * trailing dots and spaces stripped, cut at the first `:` (and stripped again: `.git :x` names `.git` too).
 */
export function fold(component: string): string {
  if (PLAIN_NAME.test(component)) return component
  const visible = component.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "")
  const stripped = visible.toLowerCase().replace(TRAILING, "")
  return (stripped.split(":")[0] ?? "").replace(TRAILING, "")
}

/** Whether one component is git's own directory under any spelling a file system may accept. */
export function isProtectedName(component: string): boolean {
  const name = fold(component)
  return name === ".git" || /^git~\d+$/.test(name)
}

/** Components of trees that walks and search skip unless `path` names them or something below (§1.2). */
export const BULK_NAMES: readonly string[] = [
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  ".next",
  ".turbo",
  ".cache",
]

/** Whether one component is the top of a bulk tree. */
export const isBulkName = (component: string): boolean => BULK_NAMES.includes(component)

const SENSITIVE_NAMES = new Set([".netrc", "_netrc", ".pgpass", ".git-credentials", ".htpasswd"])
const SENSITIVE_PATTERN = /^(?:\.env|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks|keystore))$/s
const ENV_VARIANT = /^\.env\.(?!(?:example|sample|template|dist|defaults)$)/
const SENSITIVE_PAIRS = new Set([".aws/credentials", ".docker/config.json", ".kube/config"])

const SENSITIVE_DIRECTORIES = new Set([".ssh", ".gnupg", ".aws", ".docker", ".kube"])

function isSensitiveName(name: string): boolean {
  return SENSITIVE_NAMES.has(name) || SENSITIVE_PATTERN.test(name) || ENV_VARIANT.test(name)
}

function isSensitiveBelow(parents: readonly string[], name: string): boolean {
  if (parents.includes(".gnupg")) return true
  if (parents.includes(".ssh")) return !(name.endsWith(".pub") || name === "known_hosts")
  const parent = parents.at(-1)
  return parent !== undefined && SENSITIVE_PAIRS.has(`${parent}/${name}`)
}

/** Whether the built-in list holds the content of this path back. */
export function isBuiltInSensitive(path: ProjectPath): boolean {
  const folded = componentsOf(path).map(fold)
  return folded.some((name, index) => isSensitiveName(name) || isSensitiveBelow(folded.slice(0, index), name))
}

/**
 * Whether a directory of this name, or what lies below it, is protected or sensitive in the Project that holds it: as a
 * root of its own it would lose that (§1.2).
 */
export function isGuardedName(component: string): boolean {
  const name = fold(component)
  return isProtectedName(component) || SENSITIVE_DIRECTORIES.has(name) || isSensitiveName(name)
}

/** An unreadable glob of the operator's must not open what it was to close. */
function policyGlob(glob: string): (path: string) => boolean {
  try {
    return compileGlob(glob)
  } catch (error) {
    if (!(error instanceof GlobSyntaxError)) throw error
    const sentence = `A glob of the Project's file policy cannot be read: ${error.message}; the operator has to correct it.`
    throw new ToolError("invalid_glob", sentence, { details: { reason: "file_policy" } })
  }
}

const prefixesOf = (path: ProjectPath): readonly string[] => {
  const components = componentsOf(path)
  return components.map((_, index) => components.slice(0, index + 1).join("/"))
}

/**
 * The policy of one Project. Of the operator's globs deny beats allow beats the built-in list (§1.2).
 * @param dataDirectory The Holdfast data directory, when it lies under the root.
 * @throws ToolError `invalid_glob` when one of the operator's globs cannot be read.
 */
export function createPathPolicy(lists?: FilePolicy, dataDirectory?: ProjectPath): PathPolicy {
  const denies = (lists?.sensitive_deny ?? []).map(policyGlob)
  const allows = (lists?.sensitive_allow ?? []).map(policyGlob)
  const isProtected = (path: ProjectPath): boolean =>
    componentsOf(path).some(isProtectedName) || (dataDirectory !== undefined && isWithin(path, dataDirectory))
  const isSensitive = (path: ProjectPath): boolean => {
    if (denies.length > 0 && prefixesOf(path).some((prefix) => denies.some((denied) => denied(prefix)))) return true
    return !allows.some((allowed) => allowed(path)) && isBuiltInSensitive(path)
  }
  return {
    classify: (path) => (isProtected(path) ? "protected" : isSensitive(path) ? "sensitive" : "plain"),
  }
}
