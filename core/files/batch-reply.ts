import { z } from "zod"
import { utf8Length } from "./utf8.ts"

const BATCH_BYTES = 256 * 1024

/** UTF-16 units of JSON that a batch's own members need beside its items, at most. */
export const BATCH_OVERHEAD = 400

/** What is left of a batch's two bounds (files-and-git.md §2.2): bytes of JSON, and UTF-16 units of the door's reply. */
export class BatchRoom {
  private bytes: number
  private units: number

  constructor(replyUnits: number) {
    this.bytes = BATCH_BYTES - BATCH_OVERHEAD
    this.units = replyUnits - BATCH_OVERHEAD
  }

  /** Takes an item in, if it fits. */
  take(item: object): boolean {
    const json = JSON.stringify(item)
    const bytes = utf8Length(json) + 1
    if (bytes > this.bytes || json.length + 1 > this.units) return false
    this.bytes -= bytes
    this.units -= json.length + 1
    return true
  }
}

const count = z.number().int().min(0)

/** What the answer of a batch says beside its items. */
export const batchFields = {
  requested_count: count.describe("Items asked for."),
  returned_count: count.describe("Items returned."),
  succeeded_count: count.describe("Items without error."),
  failed_count: count.describe("Items with an error."),
  output_truncated: z.boolean().describe("Items are missing at the end."),
  next_index: count.describe("First item that is missing.").optional(),
}

/** A batch's answer: the first items of those that were asked for, each with its own success. */
export function batchOutput<Item extends { readonly success: boolean }>(items: readonly Item[], requested: number) {
  const succeeded = items.filter(({ success }) => success).length
  return {
    items: [...items],
    requested_count: requested,
    returned_count: items.length,
    succeeded_count: succeeded,
    failed_count: items.length - succeeded,
    output_truncated: items.length < requested,
    ...(items.length < requested ? { next_index: items.length } : {}),
  }
}
