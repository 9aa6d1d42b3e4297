import type { ProjectTree } from "../fs.ts"
import type { ProjectPath } from "../paths.ts"

/** What a search returns: matching lines, files that hold one, or files with their number of matching lines. */
export type ResultMode = "matches" | "files_with_matches" | "count"

/** Classes of files that a search leaves out by rule (files-and-git.md §3). */
export type NotSearched = "sensitive" | "ignored" | "bulk" | "guard"

/** One search (files-and-git.md §3). */
export interface SearchQuery {
  /** RE2-style regular expression without newline, or the literal text. */
  readonly pattern: string
  readonly literal: boolean
  readonly ignoreCase: boolean
  /** Directory or one file. */
  readonly path: ProjectPath
  readonly includeGlobs: readonly string[]
  readonly excludeGlobs: readonly string[]
  /** Also ignored files and bulk trees; never protected or sensitive ones. */
  readonly includeIgnored: boolean
  readonly resultMode: ResultMode
  /** Records: matching lines, or files. */
  readonly limit: number
  readonly offset: number
  readonly contextBefore: number
  readonly contextAfter: number
  readonly timeoutMs: number
  /** UTF-8 bytes of the serialised records, at most. */
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

/** One matching line. */
export interface SearchMatch {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** Of the first match in the line, from 1, in code points. */
  readonly column: number
  /** ≤ 300 code points around the first match. */
  readonly preview: string
  /** The line, or a context line, is longer than what is shown of it. */
  readonly preview_cut?: true
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

/** One file that holds a match. */
export interface SearchFile {
  readonly path: string
  /** Matching lines, in mode `count`. */
  readonly match_count?: number
}

/** Why the last returned record may not be the last that exists. */
export type TruncationReason = "limit" | "output_bytes" | "timeout"

/** One page of records, in order of path, then line. */
export interface SearchPage {
  readonly matches?: readonly SearchMatch[]
  readonly files?: readonly SearchFile[]
  readonly returned: number
  /** No record after the last returned one exists. */
  readonly complete: boolean
  readonly truncation_reason?: TruncationReason
  readonly next_offset?: number
  /** Mode `count`, only when complete. */
  readonly total_matches?: number
  readonly backend: "rg" | "native"
  readonly not_searched: readonly NotSearched[]
}

/** Searches the files of Projects on one Runner. Links are never followed below `path`. */
export interface ProjectSearch {
  /**
   * Searches until the page is full or time is up; a timeout is no error.
   * @throws ToolError `invalid_pattern`, `invalid_glob`, `not_found`, `search_failed` and those of path resolution.
   */
  search(tree: ProjectTree, query: SearchQuery): Promise<SearchPage>
}
