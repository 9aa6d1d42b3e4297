import type { MessageFacts, MessagePriority } from "./record.ts"

const URGENCY: Readonly<Record<MessagePriority, number>> = { high: 0, normal: 1, low: 2 }

/** Urgent messages first, then the oldest by position; for `sort`. */
export function urgentFirst(
  one: Pick<MessageFacts, "priority" | "pos">,
  other: Pick<MessageFacts, "priority" | "pos">,
): number {
  return URGENCY[one.priority] - URGENCY[other.priority] || one.pos - other.pos
}
