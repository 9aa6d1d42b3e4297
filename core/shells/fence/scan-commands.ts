import type { ScanContext, ScanItem } from "./cursor.ts"
import type { SimpleCommand } from "./frames.ts"
import { scanText } from "./scanner.ts"

/**
 * Tells every simple command of a shell text, also those in groups, functions, substitutions and the bodies of
 * here-documents, without running anything (spec shells.md §8). Never throws; takes time linear in the text: what is
 * nested so that it would have to be read over and over, or more than 512 levels deep, is left out, and then
 * `complete` is `false`.
 */
export function scanCommands(text: string, visit: (command: SimpleCommand) => void): { readonly complete: boolean } {
  const queue: ScanItem[] = [{ text, as: "commands", within: undefined }]
  let unitsLeft = REPEATS * text.length
  let pipelines = 0
  let complete = true
  const mayRepeat = (units: number): boolean => {
    if (units > unitsLeft) {
      complete = false
      return false
    }
    unitsLeft -= units
    return true
  }
  const context: ScanContext = {
    command: visit,
    pipeline: () => {
      pipelines += 1
      return pipelines
    },
    later: (item) => {
      if (mayRepeat(item.text.length)) queue.push(item)
    },
    mayRepeat,
  }
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    if (!scanText(item, context)) complete = false
  }
  return { complete }
}

/** How often a text may be read again on average: bodies and backticks are texts inside the text. */
const REPEATS = 8
