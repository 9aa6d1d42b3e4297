/** How a measured value is to stand to its floor. */
export type Target =
  | { readonly kind: "at_most"; readonly ratio: number }
  | { readonly kind: "at_least"; readonly ratio: number }
  /** No more than this much above the floor, in the row's unit. */
  | { readonly kind: "above_floor"; readonly by: number }
  /** No more than this, in the row's unit, whatever the floor. */
  | { readonly kind: "limit"; readonly value: number }
  /** Printed and not judged. */
  | { readonly kind: "shown" }

/** One line of the table. */
export interface Row {
  readonly name: string
  readonly unit: "ms" | "calls/s" | "bytes"
  readonly subject: number
  readonly floor?: number
  readonly target: Target
}

/** What became of a row's target. */
export type Verdict = "ok" | "MISSED" | "-"

export const atMost = (ratio: number): Target => ({ kind: "at_most", ratio })
export const atLeast = (ratio: number): Target => ({ kind: "at_least", ratio })
export const aboveFloor = (by: number): Target => ({ kind: "above_floor", by })
export const limit = (value: number): Target => ({ kind: "limit", value })
export const shown: Target = { kind: "shown" }

/** Judges a row by its target. */
export function verdictOf({ subject, floor, target }: Row): Verdict {
  switch (target.kind) {
    case "shown":
      return "-"
    case "limit":
      return subject <= target.value ? "ok" : "MISSED"
    case "at_most":
      return subject <= needed(floor) * target.ratio ? "ok" : "MISSED"
    case "at_least":
      return subject >= needed(floor) * target.ratio ? "ok" : "MISSED"
    case "above_floor":
      return subject <= needed(floor) + target.by ? "ok" : "MISSED"
  }
}

function needed(floor: number | undefined): number {
  if (floor === undefined) throw new Error("A target that compares needs a floor.")
  return floor
}
