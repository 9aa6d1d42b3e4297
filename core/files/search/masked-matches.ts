import { isToolError } from "../../kernel/error.ts"
import { maskOf } from "../../kernel/redaction/mask.ts"
import type { Redactor } from "../../kernel/redaction/redactor.ts"
import type { TextSpan } from "../../kernel/redaction/text-spans.ts"
import type { ByteSink, ProjectFs, ProjectTree, RootHandle } from "../fs.ts"
import { maskPage } from "../mask-page.ts"
import { parsePath } from "../paths.ts"
import { contextOf, previewOf, withoutNewline } from "./preview.ts"
import type { SearchMatch } from "./search.ts"

/** Where the files of the matches are, and what masks their text. */
export interface MaskingFiles {
  readonly fs: ProjectFs
  readonly tree: ProjectTree
  readonly redactor: Redactor
}

/** Of a larger file each line is masked by itself. */
const LARGEST_BYTES = 8 * 1024 * 1024
const BOM = "\uFEFF"

function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  const text = bytes.toString("utf8")
  return text.startsWith(BOM) ? text.slice(1) : text
}

function textSink(): ByteSink<string> {
  const chunks: Buffer[] = []
  return {
    push: (chunk) => {
      chunks.push(Buffer.from(chunk))
    },
    end: () => textOf(Buffer.concat(chunks)),
  }
}

const withoutDoubt = (text: string): string => text.replace(/[\uFEFF\uFFFD]/g, "")

/** UTF-16 index of a code point of a line, from 1. */
const indexOfColumn = (line: string, column: number): number => [...line].slice(0, column - 1).join("").length

/** The lines of one file, as they stand and as they are shown. */
class MaskedLines {
  readonly #lines: readonly string[]
  readonly #starts: readonly number[]
  readonly #spans: readonly TextSpan[]

  constructor(text: string, redactor: Redactor) {
    this.#spans = redactor.spansOf(text)
    this.#lines = text.split("\n")
    let at = 0
    this.#starts = this.#lines.map((line) => {
      const start = at
      at += line.length + 1
      return start
    })
  }

  get hasSecrets(): boolean {
    return this.#spans.length > 0
  }

  raw(line: number): string {
    return withoutNewline(`${this.#lines[line - 1] ?? ""}\n`)
  }

  /** The first `units` of a line masked; what lies in a secret that began above shows its mask too. */
  masked(line: number, units = Number.POSITIVE_INFINITY): string {
    const start = this.#starts[line - 1] ?? 0
    const text = this.raw(line).slice(0, units)
    const above = this.#spans.findLast(
      (span) => span.to > start && (span.from < start || (span.from === start && span.name === undefined)),
    )
    const name = this.#spans.findLast((span) => span.from <= start && span.name !== undefined)?.name
    const lead = above === undefined ? "" : maskOf(above.name ?? name ?? "secret")
    const from = this.#spans.findIndex((span) => span.to > start)
    const spans = from < 0 ? [] : this.#spans.slice(from)
    return lead + maskPage({ lines: [text], startLine: line, numbered: false }, start, spans).text
  }
}

/** The match as it may be shown; undefined when the file no longer holds it. */
function shown(match: SearchMatch, lines: MaskedLines): SearchMatch | undefined {
  const raw = lines.raw(match.line)
  const at = indexOfColumn(raw, match.column)
  if (withoutDoubt(previewOf(raw, at).text) !== withoutDoubt(match.preview)) return undefined
  if (!lines.hasSecrets) return match
  const line = lines.masked(match.line)
  const preview =
    line === raw ? match.preview : previewOf(line, Math.min(lines.masked(match.line, at).length, line.length)).text
  const context = (first: number, texts: readonly string[]): readonly string[] =>
    texts.map((_, index) => contextOf(lines.masked(first + index)).text)
  const { before, after } = match
  return {
    ...match,
    preview,
    ...(before === undefined ? {} : { before: context(match.line - before.length, before) }),
    ...(after === undefined ? {} : { after: context(match.line + 1, after) }),
  }
}

async function linesOf(root: RootHandle, path: string, redactor: Redactor): Promise<MaskedLines | "large" | "gone"> {
  try {
    const { content } = await root.read(parsePath(path, "file"), { limitBytes: LARGEST_BYTES, sink: textSink })
    return new MaskedLines(content, redactor)
  } catch (error) {
    if (!isToolError(error)) throw error
    return error.kind === "file_too_large" ? "large" : "gone"
  }
}

/**
 * Masks matches by the whole text of their files, which are read from the Project's own handle: a line is shown only if
 * the file that is there holds it, and a part of a secret never.
 */
export function maskMatches(matches: readonly SearchMatch[], by: MaskingFiles): Promise<readonly SearchMatch[]> {
  if (matches.length === 0) return Promise.resolve(matches)
  return by.fs.withRoot(by.tree, async (root) => {
    const files = new Map<string, MaskedLines | "large" | "gone">()
    const kept: SearchMatch[] = []
    for (const match of matches) {
      const lines = files.get(match.path) ?? (await linesOf(root, match.path, by.redactor))
      if (!files.has(match.path)) {
        files.clear()
        files.set(match.path, lines)
      }
      const now = lines === "large" ? match : lines === "gone" ? undefined : shown(match, lines)
      if (now !== undefined) kept.push(now)
    }
    return kept
  })
}
