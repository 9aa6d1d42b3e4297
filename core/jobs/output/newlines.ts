const LINE_FEED = 0x0a

/** Newlines in `bytes[from..to)`; one plain loop, which a short line costs nothing extra. */
export function countNewlines(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let count = 0
  for (let at = from; at < to; at++) if (bytes[at] === LINE_FEED) count++
  return count
}
