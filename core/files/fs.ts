import type { FilePolicy } from "../projects/record.ts"
import type { BatchPlan, BatchResult } from "./edits/batch.ts"
import type { ProjectPath } from "./paths.ts"

/** The tree of files that a call works in. */
export interface ProjectTree {
  /** Slug, only for messages. */
  readonly project: string
  /** Real path of the root, as recorded at registration. */
  readonly root: string
  /** Internal key of the outermost registered root that contains this one; it names the write lock (§4.4). */
  readonly treePk: string
  readonly filePolicy?: FilePolicy
  /** The Chat Session's folder guard, asked with requested and resolved paths; absent where none is bound (§1.3 step 4). */
  readonly guard?: (path: ProjectPath, access: "read" | "write") => boolean
}

/** Regular files, directories and everything else that is never opened. */
export type EntryKind = "file" | "directory" | "symlink" | "other"

/** Where a path leads, all links followed inside the root. */
export interface Resolved {
  /** The normalised path that was asked for. */
  readonly path: ProjectPath
  /** The real path below the root; equal to `path` when no link was followed. */
  readonly resolvedPath: ProjectPath
  readonly kind: Exclude<EntryKind, "symlink">
  /** Device and inode, as text. */
  readonly identity: string
  readonly sizeBytes: number
  readonly executable: boolean
}

/** One name in a directory. Links are not followed. */
export interface DirectoryEntry {
  readonly name: string
  readonly kind: EntryKind
  /** False when the real name breaks the lexical rules; `name` is then lossy and no tool reaches it. */
  readonly addressable: boolean
}

/**
 * Takes a file's bytes chunk by chunk, in order; a chunk is only valid during `push`. The first chunk holds 8,000 bytes
 * or the whole file; an empty file has none.
 */
export interface ByteSink<T> {
  push(chunk: Uint8Array): void
  end(): T
}

/** Enough of a file's identity and state to notice that it is no longer the same. */
export interface FileStamp {
  /** Device and inode, as decimal text. */
  readonly identity: string
  readonly sizeBytes: number
  /** Modification and change time with inode, as text; equal text is necessary, not sufficient, for equal content. */
  readonly version: string
  /** Permission bits 07777. */
  readonly mode: number
  readonly hardLinks: number
}

/** A file read in one pass over one descriptor: hash and `content` are of the same bytes. */
export interface FileRead<T> {
  readonly resolved: Resolved
  readonly stamp: FileStamp
  /** Lower-case hex SHA-256 of all bytes on disk. */
  readonly sha256: string
  readonly content: T
}

/** A name where a file can be created. */
export interface FreeName {
  readonly path: ProjectPath
  /** Real path the file would have. */
  readonly resolvedPath: ProjectPath
  /** A sibling whose name differs only in case, on a case-sensitive file system. */
  readonly caseTwin?: string
}

/** An open directory or file of a Project, as a child process can be given it. Valid until `within` settles. */
export interface OpenPlace {
  readonly resolved: Resolved
  /** The directory itself, or that of the file. */
  readonly cwd: string
  /** Names the place for a process that runs in `cwd`: `.`, or the very file that was opened. */
  readonly argument: string
}

/** An open Project root: every operation resolves from its handle, so nothing outside it is reached (§1.3). */
export interface RootHandle {
  /** Directory for child processes that stays this root whatever happens to its name. Valid until `withRoot` settles. */
  readonly cwd: string
  /** @throws ToolError `not_found`, `path_escapes_root`, `symlink_loop`, `protected_path`, `sensitive_path`, `guard_denied`. */
  resolve(path: ProjectPath, access?: "read" | "write"): Promise<Resolved>
  /** Names of a directory in order of bytes, protected ones left out. @throws as `resolve`, and `not_directory`. */
  list(path: ProjectPath): Promise<readonly DirectoryEntry[]>
  /** @throws as `resolve`, and `not_regular_file`, `file_too_large`, `file_access_denied`, `changed_during_read`. */
  read<T>(path: ProjectPath, options: ReadOptions<T>): Promise<FileRead<T>>
  /**
   * Holds a directory or regular file open, reached component by component, while `use` runs: what it is given stays
   * that object whatever happens to its names. @throws as `resolve`, and `not_regular_file`, `path_changed`.
   */
  within<T>(path: ProjectPath, use: (place: OpenPlace) => Promise<T>): Promise<T>
  /** Checks that a file may be created. @throws as `resolve`, and `path_exists`, `path_twin`, `not_directory`. */
  freeName(path: ProjectPath): Promise<FreeName>
}

/** How a file is read. */
export interface ReadOptions<T> {
  readonly limitBytes: number
  /** Called again for each retry after a change during the pass. */
  sink(stamp: FileStamp): ByteSink<T>
  /** The file is going to be replaced: asks the guard for `write`, refuses a mode without write bit. */
  readonly forWrite?: boolean
  readonly signal?: AbortSignal
}

/** How the edits of a call ended, by its journal (§4.4); `unsettled` while the root that it names cannot be opened. */
export type JournalOutcome = "applied" | "rolled_back" | "conflict" | "unsettled"

/** A batch of edits that a crash left half done and that could not be undone, since someone changed its files since (§4.4). */
export interface EditConflict {
  /** Every file of the batch, those included that are whole. */
  readonly paths: readonly ProjectPath[]
}

/** One journalled batch of file changes. */
export interface BatchRequest {
  readonly callId: string
  /** Shared by the recorded roles of the call; recovery asks by it. */
  readonly invocationId: string
  readonly plan: BatchPlan
  /** Plans again under the write lock, when a source changed since `plan` (≤ 3 times). */
  replan(root: RootHandle): Promise<BatchPlan>
  /** Milliseconds to wait for the write lock, at most. */
  readonly lockWaitMs: number
  readonly signal?: AbortSignal
}

/** The files of Projects on one Runner (files-and-git.md). */
export interface ProjectFs {
  /** `anchored`: every access is relative to an open handle; `checked`: checked before and after, with a race left. */
  readonly confinement: "anchored" | "checked"
  /** Opens the root afresh and closes it afterwards. @throws ToolError `workspace_missing`. */
  withRoot<T>(tree: ProjectTree, use: (root: RootHandle) => Promise<T>): Promise<T>
  /** Applies all or nothing, journalled. @throws ToolError `workspace_busy`, `edit_failed`, `storage_full`, and those of `replan`. */
  applyBatch(tree: ProjectTree, batch: BatchRequest): Promise<BatchResult>
  /** Settles what dead processes left in every tree. Idempotent. */
  recover(): Promise<void>
  /** How the edits of a call ended; undefined when no journal names it. */
  outcomeOf(invocationId: string): Promise<JournalOutcome | undefined>
  /** What a person still has to look at in this root; told until that person has removed the journal. */
  conflicts(tree: ProjectTree): Promise<readonly EditConflict[]>
}
