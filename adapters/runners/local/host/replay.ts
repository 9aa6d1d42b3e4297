import type { StreamSpool } from "./stream-spool.ts"

/** A stream that is given once more from a place that is stored already, because whoever had stored it is gone. */
export interface Replay {
  /** What of the bytes that come next is not stored yet. */
  fresh(bytes: Uint8Array): Uint8Array
  /** The next bytes are those behind so many stored ones. */
  begin(stored: number): void
  /** More is stored than was given again by now. */
  readonly isBehind: boolean
  /** What was given again is not what is stored. */
  readonly differs: boolean
}

/** Of what is stored at this moment. */
export function createReplay(spool: Pick<StreamSpool, "length" | "read">): Replay {
  const end = spool.length()
  let at = 0
  let differs = false

  /** As far as it is retained. */
  function isStored(bytes: Uint8Array): boolean {
    for (let seen = 0; seen < bytes.length; ) {
      const page = spool.read({ from: at + seen, max: bytes.length - seen })
      seen = page.from - at
      if (page.bytes.length === 0) return true
      if (Buffer.compare(page.bytes, bytes.subarray(seen, seen + page.bytes.length)) !== 0) return false
      seen += page.bytes.length
    }
    return true
  }

  return {
    fresh(bytes) {
      const known = Math.min(bytes.length, Math.max(0, end - at))
      if (known > 0 && !isStored(bytes.subarray(0, known))) differs = true
      at += bytes.length
      return bytes.subarray(known)
    },
    begin(stored) {
      at = stored
    },
    get isBehind() {
      return at < end
    },
    get differs() {
      return differs
    },
  }
}
