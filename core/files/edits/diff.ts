import { createTwoFilesPatch } from "diff"
import { decodeText } from "../encodings.ts"
import { utf8Length } from "../utf8.ts"
import type { PlannedChange } from "./plan.ts"

const MAX_DIFF_BYTES = 32 * 1024
const MAX_FILE_BYTES = 1024 * 1024
const MAX_FILE_MS = 500

/** A unified diff of a plan, and whether something is missing in it. */
export interface PlanDiff {
  readonly diff: string
  readonly truncated: boolean
}

function fileDiff({ path, oldContent, content, encoding }: PlannedChange): string | undefined {
  if (Math.max(content.length, oldContent?.length ?? 0) > MAX_FILE_BYTES) return undefined
  const before = oldContent === undefined ? "" : decodeText(oldContent, encoding)
  const from = oldContent === undefined ? "/dev/null" : `a/${path}`
  return createTwoFilesPatch(from, `b/${path}`, before, decodeText(content, encoding), undefined, undefined, {
    context: 3,
    timeout: MAX_FILE_MS,
  })?.replace(/^=+\n/, "")
}

/** The diff of every altered file, ≤ 32 KiB cut between lines; files over 1 MiB are left out (files-and-git.md §4.1). */
export function planDiff(planned: readonly PlannedChange[]): PlanDiff {
  let diff = ""
  let bytes = 0
  let truncated = false
  for (const change of planned.filter(({ changed }) => changed)) {
    const part = fileDiff(change)
    if (part === undefined) {
      truncated = true
      continue
    }
    for (const line of part.split(/(?<=\n)/)) {
      bytes += utf8Length(line)
      if (bytes > MAX_DIFF_BYTES) return { diff, truncated: true }
      diff += line
    }
  }
  return { diff, truncated }
}
