import type { FileStamp } from "../fs.ts"
import type { ProjectPath } from "../paths.ts"

/** A file that comes into being. */
export interface CreateOperation {
  readonly kind: "create"
  readonly path: ProjectPath
  readonly content: Uint8Array
  readonly executable: boolean
}

/** An existing file whose whole content is exchanged. */
export interface ReplaceOperation {
  readonly kind: "replace"
  readonly path: ProjectPath
  readonly content: Uint8Array
  /** What the plan was made from; anything else under the lock means planning again. */
  readonly source: { readonly stamp: FileStamp; readonly sha256: string; readonly content: Uint8Array }
}

/** One change of a batch on disk. */
export type BatchOperation = CreateOperation | ReplaceOperation

/** Operations in order; no two touch the same file. */
export interface BatchPlan {
  readonly operations: readonly BatchOperation[]
}

/** What an operation did beside its content. */
export interface OperationResult {
  /** The new inode could not be given the old owner or group. */
  readonly ownerChanged: boolean
}

/** An applied batch: the plan that was carried out (it may be newer than the requested one) and its effects, in order. */
export interface BatchResult {
  readonly plan: BatchPlan
  readonly results: readonly OperationResult[]
}
