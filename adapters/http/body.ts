import { BODY_LIMIT_BYTES, payloadTooLarge } from "./body-limit.ts"

/** The part of a request stream that reading needs; Node's `IncomingMessage` is one. */
export interface ByteStream {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown
  on(event: "end" | "close" | "error", listener: () => void): unknown
  off(event: "data", listener: (chunk: Uint8Array) => void): unknown
  off(event: "end" | "close" | "error", listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  /** Whether the connection is gone, or its end was read. */
  readonly destroyed: boolean
}

/** What reading a stream up to a limit ended with. */
type Ending = "end" | "limit" | "lost"

/** Why no body came: the caller went away in the middle of it. No reply can reach it. */
export class BodyLost extends Error {
  override readonly name = "BodyLost"
}

/**
 * Unread bytes that are taken in after an early refusal. Common clients send the whole body before they look for an answer,
 * and a connection that ends under them takes the answer away: twice what is ever accepted is let pass.
 */
const DRAIN_LIMIT_BYTES = 2 * BODY_LIMIT_BYTES
/** Nobody is waited for longer, ms. */
const DRAIN_MS = 2_000
/** A sender that sends nothing is not waited for longer, ms. */
const DRAIN_IDLE_MS = 500

/**
 * Reads a request's body, at most 4 MiB (spec doors.md §2.2 step 10). Throws `payload_too_large` as soon as a byte is
 * over it, `BodyLost` when the connection ends first.
 */
export async function readBody(stream: ByteStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const ending = await consume(stream, BODY_LIMIT_BYTES, (chunk) => chunks.push(chunk)).ended
  if (ending === "limit") throw payloadTooLarge()
  if (ending === "lost") throw new BodyLost("the connection ended within the body")
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

/**
 * Takes in and forgets what a refused request still sends: until it ends, 8 MiB have come, two seconds have passed, or half a
 * second without a byte.
 */
export async function drain(stream: ByteStream): Promise<void> {
  let idle: NodeJS.Timeout | undefined
  const reading = consume(stream, DRAIN_LIMIT_BYTES, () => idle?.refresh())
  idle = setTimeout(reading.stop, DRAIN_IDLE_MS)
  const timer = setTimeout(reading.stop, DRAIN_MS)
  await reading.ended
  clearTimeout(timer)
  clearTimeout(idle)
}

function consume(
  stream: ByteStream,
  limitBytes: number,
  take: (chunk: Uint8Array) => void,
): { readonly ended: Promise<Ending>; readonly stop: () => void } {
  let stop = (): void => undefined
  const ended = new Promise<Ending>((resolve) => {
    let bytes = 0
    const data = (chunk: Uint8Array): void => {
      bytes += chunk.byteLength
      if (bytes > limitBytes) finish("limit")
      else take(chunk)
    }
    const end = (): void => finish("end")
    const lost = (): void => finish("lost")
    const finish = (ending: Ending): void => {
      stream.off("data", data)
      stream.off("end", end)
      stream.off("close", lost)
      if (ending !== "end") stream.pause()
      resolve(ending)
    }
    stop = lost
    if (stream.destroyed) return lost()
    stream.on("data", data)
    stream.on("end", end)
    stream.on("close", lost)
    // Left in place: an aborted connection reports its error after `close`, and nobody else listens.
    stream.on("error", lost)
    // A stream that was paused at a limit does not start again by itself.
    stream.resume()
  })
  return { ended, stop }
}
