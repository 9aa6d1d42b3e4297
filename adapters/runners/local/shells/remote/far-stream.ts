import { createSplitter, type Splitter } from "../split.ts"
import type { Tokens } from "../tokens.ts"
import type { StoredSoFar } from "../transport.ts"
import type { FarCut, FarStream, Relay } from "./relay/relay.ts"

/** More in one read than a command writes that somebody wants to see as it comes. */
const FLOOD_BYTES = 524_288
/** A file on the target gets no longer than this and what one flood adds. */
const LONG_BYTES = 8_388_608

/** Reads one output stream of one command from its far file, from an offset. */
export interface FarOutput {
  /** Takes what is there; resolves with the number of bytes. `ended`: as the target said before this read. */
  take(ended: boolean): Promise<number>
  /** Everything that was in the pipe at the time of the call will be told apart from what comes later. */
  mark(): Promise<void>
  /** All that was written before the mark, or before the last writer went, has been delivered. */
  readonly isDrained: boolean
  /** Nothing can come any more. */
  readonly isOver: boolean
  /** The mark did not come: what was held for it is output. */
  giveUp(): void
  /** Its file was begun anew so often by somebody who is gone. */
  resume(cut: FarCut & { readonly number: number }): void
}

/** Where a stream is found, and who gets its bytes. */
export interface FarOutputOptions {
  readonly token: string
  readonly file: FarStream
  accept(chunk: Uint8Array): void
  /** What of it is stored by now; absent: nobody will ever go on with it. */
  stored?(): StoredSoFar | undefined
}

/** A reader at the first byte, until it is told where the file begins. */
export function createFarOutput(options: FarOutputOptions, ports: { relay: Relay; tokens: Tokens }): FarOutput {
  const { token, file, accept } = options
  const pipe = file === "od" ? "o" : "e"
  let from = 0
  let splitter: Splitter | undefined
  let over = false
  let braked = false
  let shortened = 0
  /** Bytes before the first one of the file. */
  let before = 0
  let isUnbraked = false

  /** A flood waits until what it wrote has arrived; then its file begins anew, so that no target's disk is filled. */
  async function keepShort(size: number): Promise<void> {
    if (!braked && (size >= FLOOD_BYTES || (from >= LONG_BYTES && !isUnbraked))) {
      braked = await ports.relay.brake(`${token}/${file}`)
      isUnbraked = !braked
    } else if (size === 0 && braked) {
      braked = false
      shortened += 1
      const written = before + from
      const stored = options.stored?.() ?? { bytes: written, newlines: 0 }
      const cut = { written, stored: stored.bytes, newlines: stored.newlines }
      if (!(await ports.relay.shorten(`${token}/${file}`, shortened, cut))) return
      before = written
      from = 0
    }
  }

  return {
    async take(ended) {
      if (over) return 0
      const size = await ports.relay.read(`${token}/${file}`, from, (chunk) => {
        if (splitter === undefined) accept(chunk)
        else splitter.push(chunk)
      })
      from += size
      await keepShort(size)
      if (ended && size === 0) {
        over = true
        splitter?.giveUp()
      }
      return size
    },
    async mark() {
      if (splitter !== undefined || over) return
      const word = ports.tokens.next()
      splitter = createSplitter(Buffer.from(word), { before: accept, after: accept })
      await ports.relay.mark(`${token}/${pipe}`, word)
    },
    get isDrained() {
      return over || splitter?.isFound() === true
    },
    get isOver() {
      return over
    },
    giveUp: () => splitter?.giveUp(),
    resume(cut) {
      shortened = cut.number
      before = cut.written
    },
  }
}
