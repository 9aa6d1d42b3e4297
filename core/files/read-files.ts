import type { z } from "zod"
import { ToolError } from "../kernel/error.ts"
import type { Redactor } from "../kernel/redaction/redactor.ts"
import { BatchRoom, batchOutput } from "./batch-reply.ts"
import { attempt } from "./edits/failure.ts"
import type { RootHandle } from "./fs.ts"
import { itemErrorOf } from "./item-error.ts"
import { checkPath, parsePath } from "./paths.ts"
import { type FileCall, projectTree } from "./project-tree.ts"
import type { ReadInput, readItemSchema, readOutputSchema } from "./read-schema.ts"
import { createPageSink } from "./text.ts"

type ReadItem = z.output<typeof readItemSchema>
type ReadOutput = z.output<typeof readOutputSchema>
type ItemInput = ReadInput["items"][number]

const FILE_LIMIT_BYTES = 128 * 1024 * 1024
const ITEM_TEXT_BYTES = 64 * 1024
const AT_A_TIME = 4
const WHOLE_MS = 30_000
const LEAD_MS = 2000
const SHOWN_PATH = 128

interface Reading {
  readonly root: RootHandle
  readonly numbered: boolean
  readonly signal: AbortSignal
  readonly redactor: Redactor
}

async function readText(item: ItemInput, index: number, reading: Reading & { readonly maxBytes: number }) {
  const path = parsePath(item.path, "file")
  const read = await reading.root.read(path, {
    limitBytes: FILE_LIMIT_BYTES,
    signal: reading.signal,
    sink: () =>
      createPageSink({
        startLine: item.start_line,
        limit: item.limit,
        startChar: item.start_char,
        numbered: reading.numbered,
        maxBytes: reading.maxBytes,
        spansOf: (text) => reading.redactor.spansOf(text),
        ...(item.encoding === undefined ? {} : { encoding: item.encoding }),
      }),
  })
  const { resolved, stamp, sha256, content } = read
  if (content.binary) {
    throw new ToolError("binary_file", "The file is binary; send an encoding to read it as text, or use a shell.", {
      details: { size_bytes: stamp.sizeBytes, sha256 },
    })
  }
  const { page } = content
  // The reply masks once more: what control sequences hide is found there, and only there.
  const redactions = content.masks + reading.redactor.redactText(page.text).count
  return {
    index,
    path,
    success: true,
    text: page.text,
    format: reading.numbered ? "numbered" : "plain",
    encoding: content.encoding,
    bom: content.bom,
    newline: content.newline,
    ...(page.lossy ? { lossy: true } : {}),
    ...(page.invalidBytes > 0 ? { invalid_bytes: page.invalidBytes } : {}),
    sha256,
    size_bytes: stamp.sizeBytes,
    total_lines: content.totalLines,
    start_line: page.startLine,
    end_line: page.endLine,
    has_more: page.next !== undefined,
    ...(page.next === undefined ? {} : { next: page.next }),
    ...(page.lineCut ? { line_cut: true } : {}),
    ...(resolved.resolvedPath === path ? {} : { resolved_path: resolved.resolvedPath }),
    ...(resolved.executable ? { executable: true } : {}),
    ...(redactions > 0 ? { redactions } : {}),
  } satisfies ReadItem
}

/** The path an item names, in normal form; one that breaks the lexical rules is shown as sent, cut short. */
const shownPath = (path: string): string => checkPath(path).path ?? [...path].slice(0, SHOWN_PATH).join("")

async function readItem(
  item: ItemInput,
  index: number,
  reading: Reading & { readonly maxBytes: number },
): Promise<ReadItem> {
  const result = await attempt(() => readText(item, index, reading))
  if ("value" in result) return result.value
  return { index, path: shownPath(item.path), success: false, error: itemErrorOf(result.error) }
}

/** Reads the first item again with ever less text until it fits, so that every call advances. */
async function cutToFit(item: ItemInput, reading: Reading, room: BatchRoom): Promise<ReadItem | undefined> {
  for (let maxBytes = ITEM_TEXT_BYTES / 2; maxBytes >= 16; maxBytes = Math.floor(maxBytes / 2)) {
    const read = await readItem(item, 0, { ...reading, maxBytes })
    if (room.take(read)) return read
  }
  return undefined
}

/** Reads items four at a time, in order, until one no longer fits or time is up. */
async function readAll(items: readonly ItemInput[], reading: Reading, room: BatchRoom): Promise<readonly ReadItem[]> {
  const done: ReadItem[] = []
  for (let from = 0; from < items.length; from += AT_A_TIME) {
    const slice = items.slice(from, from + AT_A_TIME)
    const results = await Promise.allSettled(
      slice.map((item, offset) => readItem(item, from + offset, { ...reading, maxBytes: ITEM_TEXT_BYTES })),
    )
    for (const [offset, result] of results.entries()) {
      if (result.status === "rejected") {
        if (reading.signal.aborted) return done
        throw result.reason
      }
      if (room.take(result.value)) {
        done.push(result.value)
        continue
      }
      const first = slice[offset]
      const cut = done.length === 0 && first !== undefined ? await cutToFit(first, reading, room) : undefined
      return cut === undefined ? done : [...done, cut]
    }
  }
  return done
}

/** A signal that aborts with the call's, or when the batch's own time is up; `stop` ends the timer. */
function timeLimit(call: FileCall): { readonly signal: AbortSignal; stop(): void } {
  const ended = new AbortController()
  const late = new AbortController()
  const ms = Math.max(0, Math.min(WHOLE_MS, call.deadline.remaining() - LEAD_MS))
  call.ports.clock.sleep(ms, ended.signal).then(
    () => late.abort(),
    () => undefined,
  )
  return { signal: AbortSignal.any([call.signal, late.signal]), stop: () => ended.abort() }
}

function refuseEmpty(call: FileCall, items: readonly ReadItem[]): void {
  const reason: unknown = call.signal.aborted ? call.signal.reason : undefined
  if (reason === "client_cancelled" || reason === "client_gone") {
    throw new ToolError("cancelled", "The caller cancelled the call; nothing was changed.", {})
  }
  if (items.length > 0) return
  throw new ToolError("deadline_exceeded", "No file could be read in time; send the same call again.", {
    recovery: "retry_same",
  })
}

/**
 * Reads pages of up to eight files (files-and-git.md §2.2).
 * @throws ToolError `all_items_failed` with the items as output, `workspace_missing`, `deadline_exceeded`, `cancelled`.
 */
export async function readFiles(input: ReadInput, call: FileCall): Promise<ReadOutput> {
  const tree = await projectTree(call)
  const redactor = call.ports.secrets.redactor()
  const limit = timeLimit(call)
  try {
    const items = await call.runner().fs.withRoot(tree, (root) => {
      const reading: Reading = {
        root,
        numbered: input.with_line_numbers,
        signal: limit.signal,
        redactor,
      }
      return readAll(input.items, reading, new BatchRoom(call.budget.chars))
    })
    refuseEmpty(call, items)
    const output = batchOutput(items, input.items.length)
    if (output.succeeded_count > 0 || output.output_truncated) return output
    throw new ToolError("all_items_failed", "No item could be read; each item's error says why.", { output })
  } finally {
    limit.stop()
  }
}
