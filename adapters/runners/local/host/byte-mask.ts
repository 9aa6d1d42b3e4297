/** Masks secrets in a byte stream whatever its chunks are (spec shells.md §4.3, stage 1). */
export interface ByteMask {
  /** The bytes that are certain by now; a tail that could still become a match is held back. */
  push(chunk: Uint8Array): Uint8Array
  /** What was held back. */
  end(): Uint8Array
  /** Masks put in so far. */
  readonly masked: number
}

/** Makes the mask of one stream from the literals that travel with its command. */
export type ByteMaskFactory = (secrets: readonly { readonly name: string; readonly value: string }[]) => ByteMask

/** Masks one whole text of ours, such as the summary of a command. */
export function maskText(mask: ByteMask, text: string): string {
  const parts = [mask.push(new TextEncoder().encode(text)), mask.end()]
  return parts.map((part) => new TextDecoder().decode(part)).join("")
}
