import { RE2JS } from "re2js"
import { ToolError } from "../../kernel/error.ts"

/** A pattern that finds the first match in one line. */
export interface LinePattern {
  /** Start of the first match in UTF-16 units, or -1. */
  find(line: string): number
  /** Text that every matching line holds, as it stands; absent when nothing is known. */
  readonly required?: string
}

/** Escapes that name a line feed: a search is by line, so none can match. */
const LINE_FEED = /(?:^|[^\\])(?:\\\\)*\\(?:n|x0[aA]|x\{0*[aA]\}|012)/

const invalid = (why: string, cause?: unknown): ToolError =>
  new ToolError("invalid_pattern", `${why}; correct it, or set literal to search for the text itself.`, {
    details: {},
    cause,
  })

function compile(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  } catch (error) {
    throw invalid("The pattern is no RE2 regular expression (look-around and back-references do not exist)", error)
  }
}

/** The literal beginning of every match, where the compiled program knows one. */
function prefixOf(compiled: RE2JS): string | undefined {
  const prefix: unknown = compiled.re2().prefix
  return typeof prefix === "string" && prefix.length > 0 ? prefix : undefined
}

/**
 * Compiles a pattern in linear time. Both backends check with it, so that one dialect is refused by both.
 * @throws ToolError `invalid_pattern`.
 */
export function compilePattern(options: {
  readonly pattern: string
  readonly literal: boolean
  readonly ignoreCase: boolean
}): LinePattern {
  const { pattern, literal, ignoreCase } = options
  if (/[\n\0]/.test(pattern) || (!literal && LINE_FEED.test(pattern))) {
    throw invalid("The pattern holds a line feed or NUL, and a search goes line by line")
  }
  if (literal && !ignoreCase) return { find: (line) => line.indexOf(pattern), required: pattern }
  const compiled = compile(literal ? RE2JS.quote(pattern) : pattern, ignoreCase)
  const required = ignoreCase ? undefined : prefixOf(compiled)
  return {
    find: (line) => {
      const matcher = compiled.matcher(line)
      return matcher.find() ? matcher.start() : -1
    },
    ...(required === undefined ? {} : { required }),
  }
}
