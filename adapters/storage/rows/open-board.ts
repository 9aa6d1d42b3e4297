import type { OpenBoard } from "../../../core/messages/record.ts"

/** Sums over the open messages of a board; null for none. */
export interface OpenSums {
  readonly guidance: number | null
  readonly question: number | null
  readonly todo: number | null
  readonly risk: number | null
  readonly ack_required: number | null
}

/** What is open on a board. */
export function openBoardOf(sums: OpenSums | undefined): OpenBoard {
  return {
    counts: {
      guidance: Number(sums?.guidance ?? 0),
      question: Number(sums?.question ?? 0),
      todo: Number(sums?.todo ?? 0),
      risk: Number(sums?.risk ?? 0),
    },
    ackRequired: Number(sums?.ack_required ?? 0),
  }
}
