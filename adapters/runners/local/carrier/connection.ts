import { connect, type Socket } from "node:net"
import { encodeFrame, type Frame, FrameReader, TOLD } from "./frames.ts"
import { unwireFault, unwireValue, wireCall } from "./wire.ts"

/** The far end is gone; whether it carried the call out is not known. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost"
}

/** One connection of a server to a Runner host. */
export interface Connection {
  /** Rejects with what the far end threw, or with `ConnectionLost`. */
  call<T>(method: string, args: readonly unknown[]): Promise<T>
  /** A call that nobody waits for and that may be lost with the far end: it goes with the next one, at the latest in moments. */
  tell(method: string, args: readonly unknown[]): void
  readonly isOpen: boolean
  /** Resolves when it is closed, by whichever end. */
  readonly closed: Promise<void>
  /** Calls under way reject with `ConnectionLost`. */
  close(): void
}

interface Waiting {
  settle(frame: Frame): void
  fail(error: Error): void
}

const NOTHING = new Uint8Array(0)
const FOLLOWING = ".events"
/** Waking the far end costs more than what it is told: what can wait goes with what cannot. */
const TELL_WITHIN_MS = 20
const HIGHEST_CALL = 0xffff_fffe

/**
 * Connects to a socket; rejects with the system's error when nobody listens there. It keeps this process alive while a call is
 * awaited, but for those of a follower, who waits for ever.
 */
export function openConnection(path: string): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once("error", reject)
    socket.once("connect", () => {
      socket.off("error", reject)
      resolve(connectionOver(socket))
    })
  })
}

function connectionOver(socket: Socket): Connection {
  const waiting = new Map<number, Waiting>()
  const reader = new FrameReader()
  let last = 0
  let isOpen = true
  let awaited = 0
  let untold: Buffer[] = []
  let telling: ReturnType<typeof setTimeout> | undefined
  socket.unref()

  function holdProcess(change: 1 | -1): void {
    awaited += change
    if (awaited === 0) socket.unref()
    else socket.ref()
  }

  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      isOpen = false
      for (const one of [...waiting.values()]) one.fail(new ConnectionLost("the Runner host is gone"))
      resolve()
    })
  })
  // "close" follows every error.
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    try {
      for (const frame of reader.push(chunk)) waiting.get(frame.call)?.settle(frame)
    } catch {
      socket.destroy()
    }
  })

  function send(frame: Frame): void {
    write([...untold, encodeFrame(frame)])
  }

  function write(frames: readonly Buffer[]): void {
    clearTimeout(telling)
    telling = undefined
    untold = []
    const [only] = frames
    if (only === undefined || !isOpen) return
    socket.write(frames.length === 1 ? only : Buffer.concat(frames))
  }

  return {
    closed,
    get isOpen() {
      return isOpen
    },
    call<T>(method: string, args: readonly unknown[]): Promise<T> {
      const { text, signal } = wireCall(method, args)
      last = (last % HIGHEST_CALL) + 1
      const call = last
      const abort = (): void => send({ kind: "abort", call, text: "", bytes: NOTHING })
      return new Promise<T>((resolve, reject) => {
        if (!isOpen) {
          reject(new ConnectionLost("the Runner host is gone"))
          return
        }
        const isFollower = method.endsWith(FOLLOWING)
        const done = (): void => {
          waiting.delete(call)
          signal?.removeEventListener("abort", abort)
          if (!isFollower) holdProcess(-1)
        }
        if (!isFollower) holdProcess(1)
        waiting.set(call, {
          settle(frame) {
            done()
            if (frame.kind === "value") resolve(unwireValue(frame))
            else reject(unwireFault(frame.text))
          },
          fail(error) {
            done()
            reject(error)
          },
        })
        send({ kind: "call", call, text, bytes: NOTHING })
        if (signal?.aborted === true) abort()
        else signal?.addEventListener("abort", abort)
      })
    },
    tell(method, args) {
      const { text } = wireCall(method, args)
      untold.push(encodeFrame({ kind: "call", call: TOLD, text, bytes: NOTHING }))
      telling ??= setTimeout(() => write(untold), TELL_WITHIN_MS).unref()
    },
    close() {
      write(untold)
      socket.destroy()
    },
  }
}
