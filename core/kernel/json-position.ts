import { type JSONVisitor, visit } from "jsonc-parser"

/** A place in a text: 1-based line, 1-based column in code points. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** What to look for. */
export interface JsonPositionQuery {
  readonly reason: "syntax" | "root" | "depth" | "encoding" | "duplicate_key"
  /** Nesting above this is the fault of reason `depth`. */
  readonly maxDepth: number
}

/**
 * Where the first fault of a kind stands in a text that is already known to have it: the offending character, the root
 * value, the bracket that goes too deep, the string with half a surrogate pair, the second of two equal members. `undefined` if it cannot be said; `too_deep`
 * if the text nests too deeply to be walked.
 */
export function jsonPosition(text: string, query: JsonPositionQuery): TextPosition | "too_deep" | undefined {
  try {
    const offset = faultOffset(text, query)
    return offset === undefined ? undefined : positionAt(text, offset)
  } catch (error) {
    if (error instanceof RangeError) return "too_deep"
    throw error
  }
}

/** Line and column of an offset in UTF-16 units. `\n`, `\r\n` and `\r` end a line. */
export function positionAt(text: string, offset: number): TextPosition {
  let line = 1
  let start = 0
  for (let at = 0; at < offset; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) {
      line++
      start = at + 1
    }
  }
  let column = 1
  for (let at = start; at < offset; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) column++
  return { line, column }
}

function faultOffset(text: string, query: JsonPositionQuery): number | undefined {
  if (query.reason === "root") return text.search(/[^ \t\r\n]/)
  let found: number | undefined
  const report = (offset: number): void => {
    found ??= offset
  }
  visit(text, visitorFor(query, report), { disallowComments: true })
  return found
}

function visitorFor(query: JsonPositionQuery, report: (offset: number) => void): JSONVisitor {
  if (query.reason === "syntax") return { onError: (_code, offset) => report(offset) }
  if (query.reason === "encoding") return encodingVisitor(report)
  if (query.reason === "duplicate_key") return duplicateVisitor(report)
  let depth = 0
  const open = (offset: number): void => {
    depth++
    if (depth > query.maxDepth) report(offset)
  }
  const close = (): void => {
    depth--
  }
  return { onObjectBegin: open, onArrayBegin: open, onObjectEnd: close, onArrayEnd: close }
}

function encodingVisitor(report: (offset: number) => void): JSONVisitor {
  const look = (value: unknown, offset: number): void => {
    if (typeof value === "string" && !value.isWellFormed()) report(offset)
  }
  return { onObjectProperty: look, onLiteralValue: look }
}

function duplicateVisitor(report: (offset: number) => void): JSONVisitor {
  const seen: Set<string>[] = []
  return {
    onObjectBegin: () => {
      seen.push(new Set())
    },
    onObjectEnd: () => {
      seen.pop()
    },
    onObjectProperty: (name, offset) => {
      const names = seen.at(-1)
      if (names?.has(name)) report(offset)
      names?.add(name)
    },
  }
}
