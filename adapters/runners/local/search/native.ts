import type { DirectoryEntry, Resolved, RootHandle } from "../../../../core/files/fs.ts"
import { checkPath, type ProjectPath, parsePath } from "../../../../core/files/paths.ts"
import type { LinePattern } from "../../../../core/files/search/pattern.ts"
import type { CollectedPage } from "../../../../core/files/search/records.ts"
import { type FileRecords, SearchCollector } from "../../../../core/files/search/records.ts"
import type { SearchQuery } from "../../../../core/files/search/search.ts"
import { isToolError } from "../../../../core/kernel/error.ts"
import { cancelled, isShutdown } from "../git/child.ts"
import { IgnoreIndex } from "./ignore-index.ts"
import { LineScanner } from "./line-scanner.ts"
import type { Selection } from "./selection.ts"

/** One search by own code. */
export interface NativeSearch {
  readonly root: RootHandle
  readonly target: Resolved
  readonly query: SearchQuery
  readonly selection: Selection
  readonly pattern: LinePattern
}

interface Candidate {
  readonly path: ProjectPath
  readonly realPath: ProjectPath
}

const AT_ONCE = 16
const LARGEST_BYTES = Number.MAX_SAFE_INTEGER

/** Kinds after which a file is passed over, as ripgrep passes over what it cannot open. */
const PASSED_OVER = new Set([
  "not_found",
  "not_regular_file",
  "not_directory",
  "file_access_denied",
  "changed_during_read",
  "path_changed",
  "path_escapes_root",
  "symlink_loop",
  "sensitive_path",
  "protected_path",
  "invalid_path",
  "guard_denied",
])

const isPassedOver = (error: unknown): boolean => isToolError(error) && PASSED_OVER.has(error.kind)

class NativeWalk {
  readonly #search: NativeSearch
  readonly #ignored: IgnoreIndex | undefined

  constructor(search: NativeSearch) {
    this.#search = search
    this.#ignored = search.query.includeIgnored ? undefined : new IgnoreIndex(search.root.cwd)
  }

  /** Files to be searched, in the order of their paths. */
  async *files(): AsyncGenerator<Candidate> {
    const { path, resolvedPath, kind } = this.#search.target
    if (kind === "file") {
      if (this.#search.selection.wantsFile(path, resolvedPath)) yield { path, realPath: resolvedPath }
      return
    }
    yield* this.#below(path === "." ? "" : path, resolvedPath === "." ? "" : resolvedPath)
  }

  async *#below(directory: string, realDirectory: string): AsyncGenerator<Candidate> {
    for (const entry of await this.#entries(realDirectory)) {
      const path = joined(directory, entry.name)
      const realPath = joined(realDirectory, entry.name)
      if (entry.kind === "directory") {
        if (this.#search.selection.entersDirectory(path) && !this.#isIgnored(realDirectory, realPath, true)) {
          yield* this.#below(path, realPath)
        }
      } else if (entry.kind === "file" && this.#search.selection.wantsFile(path, realPath)) {
        if (!this.#isIgnored(realDirectory, realPath, false)) {
          yield { path: parsePath(path), realPath: parsePath(realPath) }
        }
      }
    }
  }

  #isIgnored(directory: string, path: string, isDirectory: boolean): boolean {
    return this.#ignored?.rulesIn(directory).ignores(path, isDirectory) === true
  }

  async #entries(realDirectory: string): Promise<readonly DirectoryEntry[]> {
    const { path } = checkPath(realDirectory === "" ? "." : realDirectory)
    if (path === undefined) return []
    try {
      return (await this.#search.root.list(path)).filter((entry) => entry.addressable)
    } catch (error) {
      if (isPassedOver(error)) return []
      throw error
    }
  }
}

const joined = (directory: string, name: string): string => (directory === "" ? name : `${directory}/${name}`)

async function scan(
  search: NativeSearch,
  candidate: Candidate,
  collector: SearchCollector,
): Promise<FileRecords | undefined> {
  const shape = collector.shapeFor(candidate.path)
  try {
    const { content } = await search.root.read(candidate.realPath, {
      limitBytes: LARGEST_BYTES,
      sink: () => new LineScanner(search.pattern, shape),
    })
    return content
  } catch (error) {
    if (isPassedOver(error)) return undefined
    throw error
  }
}

function isOver(search: NativeSearch, endsAt: number): boolean {
  const { signal } = search.query
  if (signal?.aborted === true && !isShutdown(signal)) throw cancelled()
  return signal?.aborted === true || performance.now() >= endsAt
}

/** Walks the tree and scans file by file, several at once; what was found is added in the order of the paths. */
export async function searchNatively(search: NativeSearch): Promise<CollectedPage> {
  const collector = new SearchCollector(search.query)
  const endsAt = performance.now() + search.query.timeoutMs
  let group: Candidate[] = []
  const settle = async (): Promise<void> => {
    const scanned = await Promise.all(group.map((candidate) => scan(search, candidate, collector)))
    group = []
    for (const records of scanned) if (records !== undefined) collector.add(records, 0)
  }
  for await (const candidate of new NativeWalk(search).files()) {
    if (isOver(search, endsAt)) return collector.finish(true)
    group.push(candidate)
    if (group.length < AT_ONCE) continue
    await settle()
    if (collector.enough) return collector.finish(false)
  }
  await settle()
  return collector.finish(isOver(search, endsAt) && !collector.enough)
}
