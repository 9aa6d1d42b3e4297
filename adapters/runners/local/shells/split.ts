/** Finds one word in a stream of chunks; the bytes before and after it go their own ways. */
export interface Splitter {
  isFound(): boolean
  push(chunk: Uint8Array): void
  /** The word will not come: what could have been its beginning is output. */
  giveUp(): void
}

/** Where the bytes go. */
export interface SplitTargets {
  before(bytes: Uint8Array): void
  after(bytes: Uint8Array): void
}

/** A splitter that holds back only what can still be the beginning of the word. */
export function createSplitter(word: Uint8Array, targets: SplitTargets): Splitter {
  let held = new Uint8Array(0)
  let found = false

  const give = (target: (bytes: Uint8Array) => void, bytes: Uint8Array): void => {
    if (bytes.length > 0) target(bytes)
  }

  return {
    isFound: () => found,
    push(chunk) {
      if (found) {
        give(targets.after, chunk)
        return
      }
      const all = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
      const at = all.indexOf(word)
      if (at !== -1) {
        found = true
        held = new Uint8Array(0)
        give(targets.before, all.subarray(0, at))
        give(targets.after, all.subarray(at + word.length))
        return
      }
      const certain = all.length - beginningOf(word, all)
      give(targets.before, all.subarray(0, certain))
      held = new Uint8Array(all.subarray(certain))
    },
    giveUp() {
      if (found) return
      found = true
      give(targets.before, held)
      held = new Uint8Array(0)
    },
  }
}

/** Length of the longest end of `bytes` with which the word could begin. */
function beginningOf(word: Uint8Array, bytes: Buffer): number {
  for (let size = Math.min(word.length - 1, bytes.length); size > 0; size -= 1) {
    if (bytes.subarray(bytes.length - size).equals(word.subarray(0, size))) return size
  }
  return 0
}
