import type { Window } from "./window.ts"

/**
 * What a recogniser says after reading: it needs more, it is no secret, mask `[from, to)`, leave `[from, to)` out as
 * part of what was masked before, or (a PEM header alone) the body decides.
 */
export type Verdict = "more" | "fail" | "mask" | "drop" | "body"

/** Longest stretch that is held back for one possible match; a longer one is masked as it stands (half of §12's 16 KiB). */
export const HOLD_BYTES = 8192

/**
 * Follows one possible secret from its trigger on. One object serves a whole stream, one match after another; it
 * keeps what it has seen, so that no byte is read twice however the stream is cut.
 */
export interface Recogniser {
  /** NAME of the mask. */
  readonly name: string
  /** First position that must not be given out while the match is open. */
  readonly holdFrom: number
  /** Where reading stands; after a verdict, the position of the byte that brought it. */
  readonly cursor: number
  /** What to mask or leave out after `mask` or `drop`; the scan goes on at `to`. */
  readonly from: number
  readonly to: number
  /** Whether the match ends with that; else the recogniser reads on at `cursor`. */
  readonly ended: boolean
  /** What happens when more than `HOLD_BYTES` are held: masked as it stands, dismissed, or (PEM) counted as part so far. */
  readonly overflow: "mask" | "fail" | "release"
  /** Reads `[cursor, stop)`. */
  advance(window: Window, stop: number): Verdict
  /** Meets a literal or an existing mask at `cursor`; it ends at `to`. */
  opaque(to: number): Verdict
  /** Meets the end of the stream at `cursor`. */
  finish(): Verdict
}
