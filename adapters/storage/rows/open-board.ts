import type { OpenBoard } from "../../../core/messages/record.ts"

/** How many open messages there are of one kind, with or without a required acknowledgement. */
export interface OpenGroup {
  readonly kind: string
  readonly requires_ack: number
  readonly total: number
}

/** What is open on a board, of its groups. */
export function openBoardOf(groups: readonly OpenGroup[]): OpenBoard {
  const sum = (of: (group: OpenGroup) => boolean): number =>
    groups.filter(of).reduce((total, group) => total + Number(group.total), 0)
  const ofKind = (kind: string): number => sum((group) => group.kind === kind)
  return {
    counts: {
      guidance: ofKind("guidance"),
      question: ofKind("question"),
      todo: ofKind("todo"),
      risk: ofKind("risk"),
    },
    ackRequired: sum((group) => group.requires_ack === 1),
  }
}
