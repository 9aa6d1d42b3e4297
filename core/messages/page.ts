import { serialisedLength } from "../kernel/budget/escaped-length.ts"
import type { Message } from "./record.ts"
import { firstCharacters } from "./texts.ts"
import { type MessageView, messageView, shortView } from "./view.ts"

const MAX_PAGE_CHARS = 40_000
const SHORT_TEXT = 240

/** Serialised characters that the messages of one reply may have together (spec messages.md §4). */
export function pageChars(budget: { readonly chars: number }): number {
  return Math.min(MAX_PAGE_CHARS, Math.floor(budget.chars / 2))
}

/** The first messages that fit together; the first is always there, its texts cut if they must be. */
export function fittingPage(messages: readonly Message[], maxChars: number): readonly MessageView[] {
  const page: MessageView[] = []
  let left = maxChars
  for (const message of messages) {
    const view = messageView(message)
    const length = serialisedLength(view)
    if (length > left) return page.length === 0 ? [fitting(view, maxChars)] : page
    page.push(view)
    left -= length + 1
  }
  return page
}

/** One message with texts short enough; what stands round them is not cut. */
function fitting(view: MessageView, maxChars: number): MessageView {
  let low = 0
  let high = Math.max(view.message.length, view.resolution?.length ?? 0)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (serialisedLength(shortView(view, middle)) <= maxChars) low = middle
    else high = middle - 1
  }
  return shortView(view, low)
}

/** A todo and its replies as they are shown: while they are too long, texts are cut, oldest reply first, the todo last. */
export function assignmentViews(
  assignment: { readonly todo: Message; readonly replies: readonly Message[] },
  maxChars: number,
): { readonly todo: MessageView; readonly direct_replies: MessageView[] } {
  const views = [...assignment.replies, assignment.todo].map(messageView)
  const lengths = views.map(serialisedLength)
  let total = lengths.reduce((sum, length) => sum + length, 0)
  const shown = views.map((view, index) => {
    if (total <= maxChars) return view
    const short = shortView(view, SHORT_TEXT)
    total -= (lengths[index] ?? 0) - serialisedLength(short)
    return short
  })
  return { todo: shown.at(-1) ?? messageView(assignment.todo), direct_replies: shown.slice(0, -1) }
}

/** The beginning of a text that stands for it in a list, and whether that is all of it. */
export function excerptOf(text: string): { readonly excerpt: string; readonly truncated: boolean } {
  const excerpt = firstCharacters(text, SHORT_TEXT)
  return { excerpt, truncated: excerpt !== text }
}
