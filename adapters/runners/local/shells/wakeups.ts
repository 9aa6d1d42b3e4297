import { Socket } from "node:net"
import { type PipeReader, readPipe } from "../host/pipe-reader.ts"

const LONGEST = 256
const BUFFER_BYTES = 4096

/** Reads the FIFO by which a shell says that it finished a frame. */
export interface Wakeups {
  /** Words that were not expected: somebody else wrote them (spec shells.md §5.2). */
  readonly violations: number
  /** Calls `wake` when this token comes. */
  expect(token: string, wake: () => void): void
  close(): void
}

/** The descriptor is ours from now on; it is open for writing too, so that it never ends. */
export function createWakeups(fd: number): Wakeups {
  let expected: { readonly token: string; readonly wake: () => void } | undefined
  let pending = ""
  let violations = 0

  function take(chunk: Uint8Array): void {
    const lines = (pending + Buffer.from(chunk).toString("latin1")).split("\n")
    pending = (lines.pop() ?? "").slice(-LONGEST)
    for (const line of lines) {
      if (line !== expected?.token) violations += 1
      else {
        const { wake } = expected
        expected = undefined
        wake()
      }
    }
  }

  const reader = watch(fd, take)
  return {
    get violations() {
      return violations
    },
    expect(token, wake) {
      expected = { token, wake }
    },
    close: () => reader.close(),
  }
}

/** Every wake-up into one buffer, where the runtime can do that: a stream takes a fresh large one for each. */
function watch(fd: number, take: (chunk: Uint8Array) => void): Pick<PipeReader, "close"> {
  const onread = {
    buffer: new Uint8Array(BUFFER_BYTES),
    callback(size: number, buffer: Uint8Array): boolean {
      take(buffer.subarray(0, size))
      return true
    },
  }
  try {
    const socket = new Socket({ fd, readable: true, writable: false, onread })
    socket.on("error", () => socket.destroy())
    return { close: () => void socket.destroy() }
  } catch {
    return readPipe(fd, { data: take, end: () => undefined })
  }
}
