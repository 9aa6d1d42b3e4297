import { randomBytes } from "node:crypto"
import type { Channel, ChannelEnd } from "./channel.ts"

/** The channel ended before the far end had answered; what was asked may or may not have happened. */
export class LinkLost extends Error {
  override readonly name = "LinkLost"
  readonly end: ChannelEnd

  constructor(end: ChannelEnd) {
    super("The link to the target is lost.")
    this.end = end
  }
}

/** What one request wrote, and the status of its last command. */
export interface LinkAnswer {
  readonly bytes: Buffer
  readonly status: number
}

/**
 * A far `sh` that reads requests from its stdin. Requests run one after the other; several may be on their way at once.
 * Each answer ends at a 128-bit token made for it, so the bytes in it may be any.
 */
export interface Link {
  /** Rejects with `LinkLost`. */
  request(text: string | Uint8Array): Promise<LinkAnswer>
  /** Hands the bytes on as they arrive; resolves with their number. */
  stream(text: string, take: (chunk: Uint8Array) => void): Promise<number>
  readonly lost: Promise<ChannelEnd>
  readonly isLost: boolean
  close(): void
}

interface Pending {
  readonly marker: Buffer
  take(chunk: Uint8Array): void
  done(status: number): void
  fail(error: LinkLost): void
}

const STATUS_CHARS = 4

/** Speaks over a channel whose far end is an `sh` without arguments. */
export function createLink(channel: Channel): Link {
  const pending: Pending[] = []
  let held: Buffer = Buffer.alloc(0)
  let end: ChannelEnd | undefined

  channel.onBytes((chunk) => {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
    while (held.length > 0 && takeSome()) {
      // One turn of the loop serves one answer.
    }
  })
  const lost = channel.ended.then((reason) => {
    end = reason
    for (const one of pending.splice(0)) one.fail(new LinkLost(reason))
    return reason
  })

  /** `true` when an answer was complete and more may follow in what is held. */
  function takeSome(): boolean {
    const first = pending[0]
    if (first === undefined) {
      held = Buffer.alloc(0)
      return false
    }
    const at = held.indexOf(first.marker)
    const status = at < 0 ? undefined : readStatus(held, at + first.marker.length)
    if (status === undefined) {
      const safe = at < 0 ? held.length - first.marker.length + 1 : at
      if (safe > 0) {
        first.take(held.subarray(0, safe))
        held = held.subarray(safe)
      }
      return false
    }
    if (at > 0) first.take(held.subarray(0, at))
    held = held.subarray(status.after)
    pending.shift()
    first.done(status.value)
    return true
  }

  function send(text: string | Uint8Array, take: (chunk: Uint8Array) => void): Promise<number> {
    const token = randomBytes(16).toString("hex")
    return new Promise((resolve, reject) => {
      if (end !== undefined) {
        reject(new LinkLost(end))
        return
      }
      pending.push({ marker: Buffer.from(`\n${token} `), take, done: resolve, fail: reject })
      channel.write("{ ")
      channel.write(text)
      channel.write(`\n} </dev/null\nprintf '\\n%s %s\\n' ${token} "$?"\n`)
    })
  }

  return {
    async request(text) {
      const chunks: Buffer[] = []
      const status = await send(text, (chunk) => chunks.push(Buffer.from(chunk)))
      return { bytes: Buffer.concat(chunks), status }
    },
    async stream(text, take) {
      let count = 0
      await send(text, (chunk) => {
        count += chunk.length
        take(chunk)
      })
      return count
    },
    lost,
    get isLost() {
      return end !== undefined
    },
    close: () => channel.close(),
  }
}

/** The status after a marker; `undefined` while its line is not whole. */
function readStatus(bytes: Buffer, from: number): { readonly value: number; readonly after: number } | undefined {
  const newline = bytes.subarray(from, from + STATUS_CHARS).indexOf(0x0a)
  if (newline < 0) return undefined
  return { value: Number(bytes.subarray(from, from + newline).toString("latin1")), after: from + newline + 1 }
}
