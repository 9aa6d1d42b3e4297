import { GlobSyntaxError } from "./component.ts"
import { compilePathPattern } from "./path-pattern.ts"

/** One line of ignore rules. */
export interface IgnoreRule {
  /** `!`: takes back what an earlier rule ignores. */
  readonly negated: boolean
  readonly onlyDirectories: boolean
  matches(path: string): boolean
}

/** A longer line is no rule: no honest pattern is as long, and matching must stay cheap. */
const MAX_RULE_CHARS = 4096

/** Without the spaces at its end that no backslash keeps. */
function trimmed(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end -= 1
  return line.slice(0, end)
}

/** The pattern that is matched with whole paths below the directory of the rule. */
function anchored(pattern: string): string {
  const body = pattern.startsWith("/") ? pattern.slice(1) : pattern.includes("/") ? pattern : `**/${pattern}`
  return /(?:^|\/)\*\*$/.test(body) ? `${body}/*` : body
}

/**
 * Reads one line of a `.gitignore` (gitignore(5)); undefined for a comment, an empty line, and one that git could not
 * match with anything either.
 */
export function parseIgnoreRule(line: string): IgnoreRule | undefined {
  if (line.length > MAX_RULE_CHARS || line.startsWith("#")) return undefined
  const text = trimmed(line)
  const negated = text.startsWith("!")
  const signed = negated ? text.slice(1) : text
  const onlyDirectories = signed.endsWith("/")
  const pattern = onlyDirectories ? signed.slice(0, -1) : signed
  if (pattern === "") return undefined
  try {
    return { negated, onlyDirectories, matches: compilePathPattern(anchored(pattern)) }
  } catch (error) {
    if (error instanceof GlobSyntaxError) return undefined
    throw error
  }
}

/** Whether the last rule that speaks of a path ignores it; undefined when none does. */
export function lastVerdict(rules: readonly IgnoreRule[], path: string, isDirectory: boolean): IgnoreRule | undefined {
  return rules.findLast((rule) => (isDirectory || !rule.onlyDirectories) && rule.matches(path))
}
