import { createHash } from "node:crypto"
import { ToolError } from "../../kernel/error.ts"
import { bytesToUnits, type TextEncoding } from "../encodings.ts"
import type { ByteSink, FileRead, FileStamp, RootHandle } from "../fs.ts"
import { createLineCounter, type NewlineStyle } from "../lines.ts"
import { type ProjectPath, parsePath } from "../paths.ts"
import { utf8Bytes } from "../utf8.ts"
import type { BatchOperation } from "./batch.ts"
import { type Change, EDIT_LIMITS, type EditChange, type ReplaceChange } from "./changes.ts"
import { attempt, batchError, type ChangeFailure } from "./failure.ts"
import { encodeExactly, openFileText } from "./file-text.ts"
import { refuseMarkers } from "./marker.ts"
import { type EditFacts, planEdit } from "./plan-edit.ts"
import { locateTargets, type Target } from "./targets.ts"

/** One change, ready to be carried out. */
export interface PlannedChange {
  readonly index: number
  readonly kind: Change["kind"]
  readonly path: ProjectPath
  readonly resolvedPath: ProjectPath
  /** Whether the bytes on disk will differ. */
  readonly changed: boolean
  readonly oldSha256?: string
  readonly newSha256: string
  readonly oldContent?: Uint8Array
  readonly content: Uint8Array
  readonly encoding: TextEncoding
  readonly newline: NewlineStyle
  readonly hardLinks: number
  readonly edits?: readonly EditFacts[]
  readonly warning?: "case_twin"
  /** Absent for a change that alters nothing. */
  readonly operation?: BatchOperation
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Collects a whole file, which has the size of its stamp unless it changes meanwhile. */
export function wholeFileSink({ sizeBytes }: FileStamp): ByteSink<Uint8Array> {
  let bytes = new Uint8Array(sizeBytes)
  let length = 0
  return {
    push(chunk) {
      if (length + chunk.length > bytes.length) {
        const larger = new Uint8Array(2 * (length + chunk.length))
        larger.set(bytes.subarray(0, length))
        bytes = larger
      }
      bytes.set(chunk, length)
      length += chunk.length
    },
    end: () => bytes.subarray(0, length),
  }
}

function newlineOf(content: Uint8Array, encoding: TextEncoding): NewlineStyle {
  const counter = createLineCounter(encoding)
  counter.push(content, 0)
  return counter.end().newline
}

function checkHash(read: FileRead<Uint8Array>, expected: string | undefined): void {
  if (expected === undefined || read.sha256.startsWith(expected)) return
  throw new ToolError("sha256_mismatch", "The file is not the one that was read; read it again and send its hash.", {
    details: { actual_sha256: read.sha256 },
  })
}

interface PlannedContent {
  readonly content: Uint8Array
  readonly encoding: TextEncoding
  readonly edits?: readonly EditFacts[]
}

function planReplace(read: FileRead<Uint8Array>, change: ReplaceChange): PlannedContent {
  const encoding = change.encoding ?? "utf8"
  const content = encodeExactly(change.content, encoding)
  refuseMarkers([change.content], (marker) => bytesToUnits(read.content).includes(bytesToUnits(utf8Bytes(marker))))
  return { content, encoding }
}

function planTextEdit(read: FileRead<Uint8Array>, change: EditChange): PlannedContent {
  const file = openFileText(read.content, read.sha256, change.encoding)
  return { ...planEdit(file, change), encoding: file.form.encoding }
}

async function planExisting(
  root: RootHandle,
  target: Target,
  change: EditChange | ReplaceChange,
): Promise<PlannedChange> {
  const { index, path } = target
  const read = await root.read(path, { limitBytes: EDIT_LIMITS.file, forWrite: true, sink: wholeFileSink })
  checkHash(read, change.expected_sha256)
  const planned = change.kind === "edit" ? planTextEdit(read, change) : planReplace(read, change)
  const { content, encoding } = planned
  const newSha256 = sha256(content)
  const changed = newSha256 !== read.sha256
  const { stamp, resolved } = read
  const operation: BatchOperation = {
    kind: "replace",
    path,
    content,
    source: { stamp, sha256: read.sha256, content: read.content },
  }
  return {
    index,
    kind: change.kind,
    path,
    resolvedPath: resolved.resolvedPath,
    changed,
    oldSha256: read.sha256,
    newSha256,
    oldContent: read.content,
    content,
    encoding,
    newline: newlineOf(content, encoding),
    hardLinks: stamp.hardLinks,
    ...(planned.edits === undefined ? {} : { edits: planned.edits }),
    ...(changed ? { operation } : {}),
  }
}

function planCreate(target: Target, change: Extract<Change, { kind: "create" }>): PlannedChange {
  const { index, path } = target
  const encoding = change.encoding ?? "utf8"
  const content = encodeExactly(change.content, encoding)
  refuseMarkers([change.content], () => false)
  return {
    index,
    kind: "create",
    path,
    resolvedPath: target.resolvedPath,
    changed: true,
    newSha256: sha256(content),
    content,
    encoding,
    newline: newlineOf(content, encoding),
    hardLinks: 1,
    ...(target.caseTwin ? { warning: "case_twin" } : {}),
    operation: { kind: "create", path, content, executable: change.executable },
  }
}

function lexicalPaths(changes: readonly Change[], failures: ChangeFailure[]): (ProjectPath | undefined)[] {
  return changes.map(({ path }, index) => {
    try {
      return parsePath(path, "file")
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      failures.push({ index, path, error })
      return undefined
    }
  })
}

/**
 * Plans a whole batch against the open root without changing anything. Every failing change is found, not only the first.
 * @throws ToolError the first failing change's, with `details.failures`.
 */
export async function planChanges(root: RootHandle, changes: readonly Change[]): Promise<readonly PlannedChange[]> {
  const failures: ChangeFailure[] = []
  const paths = lexicalPaths(changes, failures)
  const targets = await locateTargets(root, changes, { paths, failures })
  const planned: PlannedChange[] = []
  for (const target of targets) {
    const change = changes[target.index]
    if (change === undefined) continue
    const result = await attempt(() =>
      change.kind === "create" ? planCreate(target, change) : planExisting(root, target, change),
    )
    if ("value" in result) planned.push(result.value)
    else failures.push({ index: target.index, path: target.path, error: result.error })
  }
  failures.sort((a, b) => a.index - b.index)
  const error = batchError(failures)
  if (error !== undefined) throw error
  return planned
}

/** The effects of a plan, in order. */
export const operationsOf = (planned: readonly PlannedChange[]): readonly BatchOperation[] =>
  planned.flatMap(({ operation }) => operation ?? [])
