import { expandBraces } from "./braces.ts"
import { GlobSyntaxError } from "./component.ts"
import { compilePathPattern } from "./path-pattern.ts"

const EXTENDED = /(?:^|[^\\])[@+?*!]\(/

function compileOne(pattern: string): (path: string) => boolean {
  return compilePathPattern(pattern.includes("/") ? pattern.replace(/^(?:\.\/)+/, "") : `**/${pattern}`)
}

/**
 * Compiles a glob as in files-and-git.md §3: relative to the root; `*` and `?` stay in a component, `**` between slashes
 * does not; `[…]`, `{a,b}`, `\` before a character that stands for itself. A glob without `/` matches the base name
 * at any depth. No glob takes more than time in proportion to the product of its length and the path's.
 * @throws GlobSyntaxError
 */
export function compileGlob(glob: string): (path: string) => boolean {
  if (EXTENDED.test(glob)) throw new GlobSyntaxError("groups such as `@(a|b)` do not exist; use `{a,b}`")
  const alternatives = expandBraces(glob).map(compileOne)
  const [only] = alternatives
  if (alternatives.length === 1 && only !== undefined) return only
  return (path) => alternatives.some((matches) => matches(path))
}
