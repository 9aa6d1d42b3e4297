import { comparePaths } from "../paths.ts"
import type { Scan, ScannedEntry } from "./scan.ts"
import { ENTRY_FILE, FIRST_READS, KEY_FILES, MANIFESTS, type RootRole, roleOf, SIGNS } from "./tables.ts"

const MAX_LIST = 50
const MAX_KEY_FILES = 20
const MAX_NEXT_READS = 8

/** What the names of a tree say about it (files-and-git.md §2.6). */
export interface TreeSummary {
  readonly project_types: readonly { readonly type: string; readonly evidence_path: string }[]
  readonly manifests: readonly string[]
  readonly key_files: readonly string[]
  readonly roots: readonly { readonly path: string; readonly role: RootRole }[]
  readonly top_level: readonly {
    readonly name: string
    readonly kind: ScannedEntry["kind"]
    readonly sensitive?: true
    readonly addressable?: false
  }[]
  readonly suggested_next_reads: readonly string[]
}

const depthFirst = (a: ScannedEntry, b: ScannedEntry): number => a.depth - b.depth || comparePaths(a.path, b.path)

/** Kinds of project, each with its shallowest evidence. */
function typesOf(files: readonly ScannedEntry[]): TreeSummary["project_types"] {
  const found = [...MANIFESTS, ...SIGNS].flatMap(({ type, name }) => {
    const evidence = files.find((file) => name.test(file.name))
    return evidence === undefined ? [] : [{ type, evidence }]
  })
  const unique = found.filter(({ type }, index) => found.findIndex((other) => other.type === type) === index)
  return unique
    .sort((a, b) => depthFirst(a.evidence, b.evidence) || (a.type < b.type ? -1 : 1))
    .map(({ type, evidence }) => ({ type, evidence_path: evidence.path }))
}

/** Files by the order of `KEY_FILES`, shallow ones first. */
function keyFiles(files: readonly ScannedEntry[], rules: readonly RegExp[]): readonly string[] {
  const ranked = files.flatMap((file) => {
    const rank = rules.findIndex((rule) => rule.test(file.name))
    return rank < 0 ? [] : [{ file, rank }]
  })
  return ranked
    .sort((a, b) => a.file.depth - b.file.depth || a.rank - b.rank || comparePaths(a.file.path, b.file.path))
    .map(({ file }) => file.path)
}

/** Directories with a purpose; what lies in a test or docs directory is part of it. */
function rootsOf(directories: readonly ScannedEntry[]): TreeSummary["roots"] {
  const roots = directories.flatMap(({ path, name }) => {
    const role = roleOf(name)
    return role === undefined ? [] : [{ path, role }]
  })
  const closed = roots.filter(({ role }) => role !== "source").map(({ path }) => `${path}/`)
  return roots.filter(({ path }) => !closed.some((prefix) => path.startsWith(prefix)))
}

function nextReads(files: readonly ScannedEntry[], manifests: readonly string[]): readonly string[] {
  const entries = files.filter(({ name }) => ENTRY_FILE.test(name)).map(({ path }) => path)
  const ordered = [...keyFiles(files, KEY_FILES.slice(0, FIRST_READS)), ...manifests.slice(0, 2), ...entries]
  return [...new Set(ordered)].slice(0, MAX_NEXT_READS)
}

/** Reads a scan; the same names give the same summary. */
export function summariseScan({ entries }: Scan): TreeSummary {
  const files = entries.filter((entry) => entry.kind === "file" && entry.addressable && !entry.sensitive)
  const byDepth = [...files].sort(depthFirst)
  const manifests = byDepth.filter(({ name }) => MANIFESTS.some((rule) => rule.name.test(name))).map(({ path }) => path)
  return {
    project_types: typesOf(byDepth).slice(0, MAX_LIST),
    manifests: manifests.slice(0, MAX_LIST),
    key_files: keyFiles(files, KEY_FILES).slice(0, MAX_KEY_FILES),
    roots: rootsOf(entries.filter((entry) => entry.kind === "directory" && entry.addressable)).slice(0, MAX_LIST),
    top_level: entries
      .filter((entry) => entry.depth === 1)
      .slice(0, MAX_LIST)
      .map(({ name, kind, sensitive, addressable }) => ({
        name,
        kind,
        ...(sensitive ? { sensitive: true } : {}),
        ...(addressable ? {} : { addressable: false }),
      })),
    suggested_next_reads: nextReads(byDepth, manifests),
  }
}
