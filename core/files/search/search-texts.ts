import type { z } from "zod"
import { isToolError, ToolError } from "../../kernel/error.ts"
import type { ErrorKind } from "../../kernel/error-kinds.ts"
import { BATCH_OVERHEAD, BatchRoom, batchOutput } from "../batch-reply.ts"
import type { ProjectFs, ProjectTree } from "../fs.ts"
import { itemErrorOf } from "../item-error.ts"
import { parsePath } from "../paths.ts"
import { type FileCall, projectTree } from "../project-tree.ts"
import { maskMatches } from "./masked-matches.ts"
import type { ProjectSearch, SearchMatch, SearchPage } from "./search.ts"
import type { SearchInput, searchItemSchema, searchOutputSchema } from "./search-schema.ts"

/** What the search tool uses of a call. */
export interface SearchCall extends Omit<FileCall, "runner"> {
  runner(): { readonly search: ProjectSearch; readonly fs: ProjectFs }
}

type SearchItem = z.output<typeof searchItemSchema>
type SearchOutput = z.output<typeof searchOutputSchema>
type QueryInput = SearchInput["queries"][number]

const QUERY_BYTES = 64 * 1024
/** The members of an item beside its records, as JSON. */
const ITEM_OVERHEAD = 500
const AT_A_TIME = 2
const LEAD_MS = 2000

/** Failures of the whole call rather than of one query. */
const WHOLE_CALL: ReadonlySet<ErrorKind> = new Set(["workspace_missing", "runner_unavailable", "cancelled"])

interface Searching {
  readonly search: ProjectSearch
  readonly tree: ProjectTree
  readonly call: SearchCall
}

const queryTime = (query: QueryInput, call: SearchCall): number =>
  Math.floor(Math.max(0, Math.min(query.timeout_secs * 1000, call.deadline.remaining() - LEAD_MS)))

async function searchOne(query: QueryInput, on: Searching): Promise<SearchPage & { effective_timeout_secs: number }> {
  const timeoutMs = queryTime(query, on.call)
  const page = await on.search.search(on.tree, {
    pattern: query.pattern,
    literal: query.literal,
    ignoreCase: query.ignore_case,
    path: parsePath(query.path ?? "."),
    includeGlobs: query.include_globs,
    excludeGlobs: query.exclude_globs,
    includeIgnored: query.include_ignored,
    resultMode: query.result_mode,
    limit: query.limit,
    offset: query.offset,
    contextBefore: query.context_before,
    contextAfter: query.context_after,
    timeoutMs,
    maxBytes: Math.max(1, Math.min(QUERY_BYTES, on.call.budget.chars - BATCH_OVERHEAD) - ITEM_OVERHEAD),
    signal: on.call.signal,
  })
  const effective = { effective_timeout_secs: timeoutMs / 1000 }
  if (page.matches === undefined) return { ...page, ...effective }
  const masking = { fs: on.call.runner().fs, tree: on.tree, redactor: on.call.ports.secrets.redactor() }
  const matches = await maskMatches(page.matches, masking)
  return { ...page, matches, returned: matches.length, ...effective }
}

/** The wire form of a match. */
const matchItem = ({ before, after, ...match }: SearchMatch) => ({
  ...match,
  ...(before === undefined ? {} : { before: [...before] }),
  ...(after === undefined ? {} : { after: [...after] }),
})

/** The wire form of a page: plain arrays instead of read-only ones. */
function pageItem(page: SearchPage & { effective_timeout_secs: number }, index: number): SearchItem {
  const { matches, files, not_searched, ...facts } = page
  return {
    index,
    success: true,
    ...(matches === undefined ? {} : { matches: matches.map(matchItem) }),
    ...(files === undefined ? {} : { files: [...files] }),
    ...facts,
    not_searched: [...not_searched],
  }
}

async function itemOf(query: QueryInput, index: number, on: Searching): Promise<SearchItem> {
  try {
    return pageItem(await searchOne(query, on), index)
  } catch (error) {
    if (!isToolError(error) || WHOLE_CALL.has(error.kind)) throw error
    return { index, success: false, error: itemErrorOf(error) }
  }
}

/** Adds items while there is room, the first one in any case; whether all are in. */
function addFitting(items: SearchItem[], next: readonly SearchItem[], room: BatchRoom): boolean {
  for (const item of next) {
    const fits = room.take(item)
    if (fits || items.length === 0) items.push(item)
    if (!fits) return false
  }
  return true
}

/**
 * Carries out up to eight searches, two at a time (files-and-git.md §3); those that the reply has no room for are left
 * to the next call.
 * @throws ToolError `all_items_failed` with the items as output, `workspace_missing`, `cancelled`.
 */
export async function searchTexts(input: SearchInput, call: SearchCall): Promise<SearchOutput> {
  const on: Searching = { search: call.runner().search, tree: await projectTree(call), call }
  const items: SearchItem[] = []
  const room = new BatchRoom(call.budget.chars)
  for (let from = 0; from < input.queries.length; from += AT_A_TIME) {
    const slice = input.queries.slice(from, from + AT_A_TIME)
    const next = await Promise.all(slice.map((query, offset) => itemOf(query, from + offset, on)))
    if (!addFitting(items, next, room)) break
  }
  const output = batchOutput(items, input.queries.length)
  if (output.succeeded_count > 0 || output.output_truncated) return output
  throw new ToolError("all_items_failed", "No search could be carried out; each item's error says why.", { output })
}
