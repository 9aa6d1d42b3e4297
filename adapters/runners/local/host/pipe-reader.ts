import { closeSync, readSync } from "node:fs"
import { Socket } from "node:net"

const CHUNK = 65_536
const POLL_MIN_MS = 1
const POLL_MAX_MS = 20

/** Reads one non-blocking pipe until its last writer is gone. */
export interface PipeReader {
  /** Takes what is in the pipe now; `true` when the last writer is gone. */
  drain(): boolean
  /** Stops reading and closes the descriptor. */
  close(): void
}

/** What a reader tells; a chunk is only valid during `data`. */
export interface PipeEvents {
  data(chunk: Uint8Array): void
  /** All writers are gone and everything was read; the descriptor is closed. */
  end(): void
}

/**
 * Event-driven where the runtime can watch a pipe (Node), by a short adaptive timer elsewhere (Deno opens no socket on a
 * foreign descriptor).
 */
export function readPipe(fd: number, events: PipeEvents): PipeReader {
  const socket = openSocket(fd)
  return socket === undefined ? pollPipe(fd, events) : watchPipe(fd, socket, events)
}

function openSocket(fd: number): Socket | undefined {
  try {
    return new Socket({ fd, readable: true, writable: false })
  } catch {
    return undefined
  }
}

function watchPipe(fd: number, socket: Socket, events: PipeEvents): PipeReader {
  let ended = false
  const end = (): void => {
    if (ended) return
    ended = true
    socket.destroy()
    events.end()
  }
  socket.on("data", (chunk: Uint8Array) => {
    if (!ended) events.data(chunk)
  })
  socket.on("end", end)
  socket.on("error", end)
  return {
    drain() {
      if (!ended && takeAll(fd, events)) end()
      return ended
    },
    close() {
      ended = true
      socket.destroy()
    },
  }
}

function pollPipe(fd: number, events: PipeEvents): PipeReader {
  let ended = false
  let pause = POLL_MIN_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  function finish(): void {
    ended = true
    clearTimeout(timer)
    closeSync(fd)
  }
  function turn(): void {
    let got = false
    const last = takeAll(fd, {
      data(chunk) {
        got = true
        events.data(chunk)
      },
    })
    if (last) {
      finish()
      events.end()
      return
    }
    pause = got ? POLL_MIN_MS : Math.min(POLL_MAX_MS, pause * 2)
    timer = setTimeout(turn, pause)
  }

  timer = setTimeout(turn, pause)
  return {
    drain() {
      if (!ended && takeAll(fd, events)) {
        finish()
        events.end()
      }
      return ended
    },
    close() {
      if (!ended) finish()
    },
  }
}

const MAX_CHUNKS_A_TURN = 64

/** Reads until the pipe is empty (`false`) or its writers are gone (`true`); a flood is left for the next turn. */
function takeAll(fd: number, events: Pick<PipeEvents, "data">): boolean {
  const buffer = new Uint8Array(CHUNK)
  for (let turn = 0; turn < MAX_CHUNKS_A_TURN; turn += 1) {
    const size = readSome(fd, buffer)
    if (size === "empty") return false
    if (size === 0) return true
    events.data(buffer.subarray(0, size))
  }
  return false
}

/** Bytes read now from a non-blocking pipe; 0: its last writer is gone. */
export function readSome(fd: number, buffer: Uint8Array): number | "empty" {
  try {
    return readSync(fd, buffer)
  } catch (error) {
    if (isEmptyPipe(error)) return "empty"
    throw error
  }
}

function isEmptyPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAGAIN" || error.code === "EWOULDBLOCK")
}
