import { ToolError } from "../kernel/error.ts"

declare const projectPath: unique symbol

/** A normalised, lexically safe path inside a Project: `/`-separated, no `.`, `..` or empty component; `.` is the root (files-and-git.md §1.1). */
export type ProjectPath = string & { readonly [projectPath]: true }

/** Why a text is no Project path (files-and-git.md §1.1). */
export type PathFault =
  | "empty"
  | "absolute"
  | "parent"
  | "uri"
  | "too_long"
  | "component_too_long"
  | "control_char"
  | "not_unicode"

/** A parsed path, or the first rule it breaks. */
export type PathCheck =
  | { readonly path: ProjectPath; readonly fault?: never }
  | { readonly fault: PathFault; readonly path?: never }

const MAX_PATH_BYTES = 512
const MAX_COMPONENT_BYTES = 255
const utf8 = new TextEncoder()

const bytesOf = (text: string): number => utf8.encode(text).length

const PREFIX_FAULTS: readonly (readonly [PathFault, RegExp])[] = [
  ["not_unicode", /[\uD800-\uDFFF]/u],
  ["control_char", /[\p{Cc}]/u],
  ["uri", /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/|file:)/i],
  ["absolute", /^(?:[/\\]|[A-Za-z]:|~(?:\/|$))/],
]

function faultOf(text: string): PathFault | undefined {
  if (text === "") return "empty"
  const prefix = PREFIX_FAULTS.find(([, pattern]) => pattern.test(text))
  if (prefix !== undefined) return prefix[0]
  const components = text.split("/")
  if (components.includes("..")) return "parent"
  if (bytesOf(text) > MAX_PATH_BYTES) return "too_long"
  if (components.some((component) => bytesOf(component) > MAX_COMPONENT_BYTES)) return "component_too_long"
  return undefined
}

const normalise = (text: string): string => {
  const kept = text.split("/").filter((component) => component !== "" && component !== ".")
  return kept.length === 0 ? "." : kept.join("/")
}

/** Whether a text is already in the normal form of a Project path. */
export function isProjectPath(text: string): text is ProjectPath {
  return faultOf(text) === undefined && normalise(text) === text
}

/**
 * Applies the lexical rules before any file system access. Nothing is trimmed, case-folded or Unicode-normalised.
 * With `want: "file"` the root itself is `empty`.
 */
export function checkPath(text: string, want: "file" | "any" = "any"): PathCheck {
  const fault = faultOf(text)
  if (fault !== undefined) return { fault }
  const path = normalise(text)
  if (!isProjectPath(path)) return { fault: faultOf(path) ?? "empty" }
  return want === "file" && path === "." ? { fault: "empty" } : { path }
}

const FAULT_SENTENCES: Readonly<Record<PathFault, string>> = {
  empty: "The path names no file; send a path relative to the Project root, such as src/main.ts.",
  absolute: "The path is absolute; send it relative to the Project root, such as src/main.ts.",
  parent: "The path holds a `..` component; send it relative to the Project root without `..`.",
  uri: "The path is a URI; send a path relative to the Project root.",
  too_long: "The path is longer than 512 bytes; such a file can be reached from a shell only.",
  component_too_long: "A component of the path is longer than 255 bytes; no file can have that name.",
  control_char: "The path holds a control character; such a file can be reached from a shell only.",
  not_unicode: "The path holds an unpaired surrogate; send well-formed Unicode.",
}

/**
 * Parses a path that a caller sent.
 * @throws ToolError `invalid_path` with `details.reason`.
 */
export function parsePath(text: string, want: "file" | "any" = "any"): ProjectPath {
  const check = checkPath(text, want)
  if (check.path !== undefined) return check.path
  throw new ToolError("invalid_path", FAULT_SENTENCES[check.fault], { details: { reason: check.fault } })
}

/** The Project root. */
export const ROOT_PATH: ProjectPath = parsePath(".")

/** Components of a path; the root has none. */
export function componentsOf(path: ProjectPath): readonly string[] {
  return path === "." ? [] : path.split("/")
}

/**
 * The path of the given components, which come from the file system rather than from a caller.
 * @throws ToolError `invalid_path` when a real name breaks the lexical rules, so that no tool can address it.
 */
export function pathOf(components: readonly string[]): ProjectPath {
  return components.length === 0 ? ROOT_PATH : parsePath(components.join("/"))
}

/** Whether `path` is `ancestor` or lies below it, by components. */
export function isWithin(path: ProjectPath, ancestor: ProjectPath): boolean {
  return ancestor === "." || path === ancestor || path.startsWith(`${ancestor}/`)
}

/** Order of two names by their UTF-8 bytes. */
export function compareNames(a: string, b: string): number {
  const left = [...a]
  const right = [...b]
  for (let index = 0; index < left.length && index < right.length; index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** The order of lists and searches: component by component, each by bytes, so that `a/x` comes before `a-b` (§3). */
export function comparePaths(a: string, b: string): number {
  const left = a.split("/")
  const right = b.split("/")
  for (let index = 0; index < left.length && index < right.length; index += 1) {
    const difference = compareNames(left[index] ?? "", right[index] ?? "")
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const PRINTABLE_ASCII = /^[ -~]*$/

/** The form in which two names are compared for twins: NFC, then case folded (§1.3). */
export function twinForm(name: string): string {
  if (PRINTABLE_ASCII.test(name)) return name.toLowerCase()
  return name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC")
}
