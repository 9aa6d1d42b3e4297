import type { OpenPlace, RootHandle } from "../../../../core/files/fs.ts"
import { BULK_NAMES } from "../../../../core/files/policy.ts"
import type { CollectedPage } from "../../../../core/files/search/records.ts"
import { FileRecords, SearchCollector } from "../../../../core/files/search/records.ts"
import type { SearchQuery } from "../../../../core/files/search/search.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import { runChild } from "../git/child.ts"
import { IgnoreIndex } from "./ignore-index.ts"
import { LineSplitter, parseRgEvent } from "./rg-events.ts"
import type { Selection } from "./selection.ts"

/** One search by ripgrep. */
export interface RgSearch {
  readonly binary: string
  readonly env: Readonly<Record<string, string>>
  readonly root: RootHandle
  /** Where ripgrep runs and what it is given: never a path that leads there by name. */
  readonly place: OpenPlace
  readonly query: SearchQuery
  readonly selection: Selection
}

const MAX_EVENT_BYTES = 64 * 1024 * 1024

/** Sensitive names that no exception of the built-in list touches; the policy is asked again for every hit. */
const SENSITIVE_GLOBS: readonly string[] = [
  ".env",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
  ".gnupg/",
]

/** Only directories are trees. */
const BULK_TREES = BULK_NAMES.map((name) => `${name}/`)

/** Globs that ripgrep and the glob library read alike. */
const PLAIN_GLOB = /^(?!.*\*\*)[\w.*-]+(?:\/[\w.*-]+)*$/

const without = (option: string, globs: readonly string[]): readonly string[] =>
  globs.flatMap((glob) => [option, `!${glob}`])

function globArguments({ query, selection, place }: RgSearch): readonly string[] {
  return [
    ...without("--iglob", [".git"]),
    ...(selection.holdsBackBuiltIn ? without("--iglob", SENSITIVE_GLOBS) : []),
    ...(selection.skipsBulk ? without("-g", BULK_TREES) : []),
    ...without(
      "-g",
      // With a slash they are relative to the root, and ripgrep would take them as relative to where it runs.
      query.excludeGlobs.filter(
        (glob) => PLAIN_GLOB.test(glob) && (place.resolved.path === "." || !glob.includes("/")),
      ),
    ),
  ]
}

function argumentsOf(search: RgSearch): readonly string[] {
  const { query, place } = search
  const context = query.resultMode === "matches" ? [`-B${query.contextBefore}`, `-A${query.contextAfter}`] : []
  return [
    "--no-config",
    "--json",
    "--sort=path",
    "--hidden",
    "--no-messages",
    ...(query.includeIgnored
      ? ["--no-ignore"]
      : ["--no-require-git", "--no-ignore-parent", "--no-ignore-dot", "--no-ignore-global"]),
    "--no-mmap",
    "--no-follow",
    "--no-pre",
    "--no-search-zip",
    query.ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...(query.literal ? ["--fixed-strings"] : []),
    ...context,
    ...globArguments(search),
    "--",
    query.pattern,
    place.argument === "." ? "./" : place.argument,
  ]
}

/** Turns ripgrep's name of a file into the path below the place, and that into the real path below the root. */
function realName({ resolved, argument }: OpenPlace, name: string): string {
  if (argument !== ".") return resolved.resolvedPath
  const below = name.replace(/^\.\//, "")
  return resolved.resolvedPath === "." ? below : `${resolved.resolvedPath}/${below}`
}

/** Files of one search in the order of ripgrep's events, with the ones that no rule wants left out. */
class RgReader {
  readonly #search: RgSearch
  readonly #collector: SearchCollector
  readonly #ignored: IgnoreIndex | undefined
  #file: { readonly records: FileRecords; readonly keptFrom: number } | undefined
  finished = false

  constructor(search: RgSearch, collector: SearchCollector) {
    this.#search = search
    this.#collector = collector
    const { query } = search
    const target = search.place.resolved
    const hasAncestors = target.kind === "directory" && target.resolvedPath !== "." && !query.includeIgnored
    this.#ignored = hasAncestors ? new IgnoreIndex(search.root.cwd) : undefined
  }

  /** False once the page is full. */
  line(line: string): boolean {
    const event = parseRgEvent(line)
    if (event === undefined) return true
    if (event.type === "begin") this.#begin(event.path)
    else if (event.type === "line") this.#file?.records.add(event.line, event.text, event.matchAt)
    else if (event.type === "end") this.#end(event.binary)
    else this.finished = true
    return !this.#collector.enough
  }

  #begin(name: string | undefined): void {
    this.#file = undefined
    if (name === undefined) return
    const { place, selection } = this.#search
    const target = place.resolved
    const realPath = realName(place, name)
    const path =
      target.resolvedPath === target.path ? realPath : `${target.path}${realPath.slice(target.resolvedPath.length)}`
    if (!selection.wantsFile(path, realPath)) return
    if (this.#ignored?.ignoresFile(realPath, target.resolvedPath) === true) return
    const shape = this.#collector.exactShapeFor(path)
    this.#file = { records: new FileRecords(shape), keptFrom: shape.keepFrom }
  }

  #end(binary: boolean): void {
    const file = this.#file
    this.#file = undefined
    if (file !== undefined && !binary) this.#collector.add(file.records, file.keptFrom)
  }
}

const tooLong = (cause: unknown): ToolError =>
  new ToolError("search_failed", "A matching line is longer than 64 MiB; exclude its file with exclude_globs.", {
    details: { reason: "line_too_long" },
    cause,
  })

/**
 * Runs ripgrep at its place and reads its events as they come; it is killed when the page is full.
 * @throws ToolError `invalid_pattern` when ripgrep refuses the pattern, `search_failed`, `cancelled`.
 */
export async function searchWithRipgrep(search: RgSearch): Promise<CollectedPage> {
  const collector = new SearchCollector(search.query)
  const reader = new RgReader(search, collector)
  const splitter = new LineSplitter(MAX_EVENT_BYTES)
  const onOutput = (chunk: Uint8Array): boolean => {
    try {
      return splitter.push(chunk, (line) => reader.line(line))
    } catch (error) {
      throw error instanceof RangeError ? tooLong(error) : error
    }
  }
  const { binary, env, place, query } = search
  const run = { binary, args: argumentsOf(search), cwd: place.cwd, env, timeoutMs: query.timeoutMs, onOutput }
  const end = await runChild({ ...run, signal: query.signal })
  if (end.stopped === "no" && !reader.finished) throw refused(end.exitCode)
  return collector.finish(end.stopped === "timeout")
}

/** Without its closing summary ripgrep never began to search: it exits with 2 when it cannot compile the pattern. */
function refused(exitCode: number | null): ToolError {
  if (exitCode === 2) {
    return new ToolError("invalid_pattern", "The search engine refuses the pattern; simplify it, or set literal.", {
      details: {},
    })
  }
  return new ToolError("search_failed", "The search program ended early; try again, or narrow the path.", {
    details: { reason: "program_ended" },
  })
}
