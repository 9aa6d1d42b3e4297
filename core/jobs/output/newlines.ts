const LINE_FEED = 0x0a

/** Newlines in `bytes[from..to)`. Plain loop: a short line costs nothing extra; bytes without any are passed at once. */
export function countNewlines(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let count = 0
  const first = bytes.indexOf(LINE_FEED, from)
  for (let at = first < 0 ? to : first; at < to; at++) if (bytes[at] === LINE_FEED) count++
  return count
}
