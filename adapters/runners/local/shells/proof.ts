import type { StreamName } from "../../../../core/jobs/record.ts"
import type { OutputSink } from "./transport.ts"

const MAX_HELD_BYTES = 65_536

/**
 * Lets the output of a command through once its text was read. What comes before, such as from a function that stands in
 * for `.`, is no output of this text and goes when the text is never read (spec shells.md §5.2).
 */
export interface Proof {
  /** Whether the text was read; set before the frame is sent. */
  ask: () => boolean
  pass(stream: StreamName, chunk: Uint8Array): void
  /** The command is over: whether it had started. What comes from now on is let through if it had. */
  end(): boolean
}

/** A proof that nobody has given yet. */
export function createProof(sink: OutputSink): Proof {
  let held: { readonly stream: StreamName; readonly chunk: Uint8Array }[] = []
  let heldBytes = 0
  let isOver = false
  let isGiven = false

  function give(): boolean {
    if (isGiven || isOver) return isGiven
    isGiven = proof.ask()
    if (!isGiven) return false
    for (const { stream, chunk } of held) sink.accept(stream, chunk)
    held = []
    return true
  }

  const proof: Proof = {
    ask: () => false,
    pass(stream, chunk) {
      if (give()) sink.accept(stream, chunk)
      else if (!isOver && heldBytes < MAX_HELD_BYTES) {
        heldBytes += chunk.length
        held.push({ stream, chunk: Uint8Array.from(chunk) })
      }
    },
    end() {
      give()
      isOver = true
      held = []
      return isGiven
    },
  }
  return proof
}
