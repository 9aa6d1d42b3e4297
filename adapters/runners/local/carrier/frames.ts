/**
 * One message between a server and a Runner host: its kind, the call it belongs to, a JSON text, and bytes beside it.
 * This layout, and the calls `host.hello` and `host.release`, are the same in every protocol.
 */
export interface Frame {
  readonly kind: FrameKind
  /** Chosen by the side that calls; unique on its connection. `TOLD`: it is not answered. */
  readonly call: number
  readonly text: string
  /** What JSON could only carry enlarged; empty when there is nothing. */
  readonly bytes: Uint8Array
}

/** The number of calls that nobody waits for. */
export const TOLD = 0

/** `abort`: the caller's signal of that call was raised. `value` and `fault` end a call. */
export const FRAME_KINDS = ["call", "abort", "value", "fault"] as const
/** One of `FRAME_KINDS`. */
export type FrameKind = (typeof FRAME_KINDS)[number]

/** What a caller may send at once: a text of 1 MiB whose every byte JSON writes as six, and what stands around it. */
const MAX_FRAME_BYTES = 64 * 1_048_576
const LENGTH_BYTES = 4
const HEAD_BYTES = 9
const NOTHING = new Uint8Array(0)

/** The frame as it goes over the wire: length of the rest, kind, call, length of the text, text, bytes. */
export function encodeFrame({ kind, call, text, bytes }: Frame): Buffer {
  const textLength = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + HEAD_BYTES + textLength + bytes.length)
  frame.writeUInt32LE(frame.length - LENGTH_BYTES, 0)
  frame.writeUInt8(FRAME_KINDS.indexOf(kind), 4)
  frame.writeUInt32LE(call, 5)
  frame.writeUInt32LE(textLength, 9)
  frame.write(text, LENGTH_BYTES + HEAD_BYTES)
  frame.set(bytes, LENGTH_BYTES + HEAD_BYTES + textLength)
  return frame
}

/** Gives whole frames out of a stream that was cut anywhere. */
export class FrameReader {
  #chunks: Buffer[] = []
  #length = 0

  /** Takes the next chunk in; the frames that are whole by now. Throws on what is no frame of ours. */
  push(chunk: Buffer): readonly Frame[] {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    const frames: Frame[] = []
    for (;;) {
      const size = this.#nextSize()
      if (size === undefined || this.#length < size) return frames
      const whole = this.#joined()
      frames.push(decode(whole.subarray(LENGTH_BYTES, size)))
      this.#chunks = [whole.subarray(size)]
      this.#length -= size
    }
  }

  #nextSize(): number | undefined {
    if (this.#length < LENGTH_BYTES) return undefined
    const first = this.#chunks[0]
    const head = first !== undefined && first.length >= LENGTH_BYTES ? first : this.#joined()
    const rest = head.readUInt32LE(0)
    if (rest < HEAD_BYTES || rest > MAX_FRAME_BYTES) throw new Error("not a frame of the Runner host's protocol")
    return LENGTH_BYTES + rest
  }

  #joined(): Buffer {
    const [only] = this.#chunks
    const whole = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks)
    this.#chunks = [whole]
    return whole
  }
}

function decode(frame: Buffer): Frame {
  const kind = FRAME_KINDS[frame.readUInt8(0)]
  const textEnd = HEAD_BYTES + frame.readUInt32LE(5)
  if (kind === undefined || textEnd > frame.length) throw new Error("not a frame of the Runner host's protocol")
  const bytes = textEnd === frame.length ? NOTHING : frame.subarray(textEnd)
  return { kind, call: frame.readUInt32LE(1), text: frame.toString("utf8", HEAD_BYTES, textEnd), bytes }
}
