import { closeSync, readSync } from "node:fs"
import { type OnReadOpts, Socket } from "node:net"

const CHUNK = 65_536
/** Taken from one pipe in one turn of the event loop: a flood keeps nobody waiting (spec exec-and-jobs.md §7.1). */
const MAX_TURN_BYTES = 131_072
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

/** A reader that nothing wakes before it is told to watch: what is over in no time is read once, at its end. */
export interface LatePipeReader extends PipeReader {
  watch(): void
}

/** Reads at each `drain`, and as it comes once it watches. */
export function readPipeLate(fd: number, events: PipeEvents): LatePipeReader {
  let reader: PipeReader | undefined
  let ended = false

  function letGo(): void {
    if (!ended) closeSync(fd)
    ended = true
  }

  return {
    watch() {
      if (!ended) reader ??= readPipe(fd, events)
    },
    drain() {
      if (reader !== undefined) return reader.drain()
      if (!ended && takeAll(fd, events)) {
        letGo()
        events.end()
      }
      return ended
    },
    close() {
      if (reader === undefined) letGo()
      else reader.close()
    },
  }
}

/**
 * Event-driven where the runtime can watch a pipe (Node), by a short adaptive timer elsewhere (Deno opens no socket on a
 * foreign descriptor).
 */
export function readPipe(fd: number, events: PipeEvents): PipeReader {
  return watchPipe(fd, events) ?? pollPipe(fd, events)
}

/** Every chunk comes in one buffer: a stream would take a fresh large one for each. */
function openSocket(fd: number, take: (chunk: Uint8Array) => void): Socket | undefined {
  let taken = 0
  const goOn = (): void => {
    taken = 0
    if (socket?.destroyed === false) socket.resume()
  }
  const onread = {
    buffer: new Uint8Array(CHUNK),
    callback(size: number, buffer: Uint8Array): boolean {
      take(buffer.subarray(0, size))
      // A short chunk has emptied the pipe, which ends the turn by itself.
      taken = size < CHUNK ? 0 : taken + size
      if (taken < MAX_TURN_BYTES) return true
      setImmediate(goOn)
      return false
    },
  }
  const socket = socketOn(fd, onread)
  return socket
}

function socketOn(fd: number, onread: OnReadOpts): Socket | undefined {
  try {
    return new Socket({ fd, readable: true, writable: false, onread })
  } catch {
    return undefined
  }
}

function watchPipe(fd: number, events: PipeEvents): PipeReader | undefined {
  let ended = false
  const socket = openSocket(fd, (chunk) => {
    if (!ended) events.data(chunk)
  })
  if (socket === undefined) return undefined
  const end = (): void => {
    if (ended) return
    ended = true
    socket.destroy()
    events.end()
  }
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
/** Most commands write less: a larger buffer is made for those that write more. */
const FIRST_CHUNK = 2048

/** Reads until the pipe is empty (`false`) or its writers are gone (`true`); a flood is left for the next turn. */
function takeAll(fd: number, events: Pick<PipeEvents, "data">): boolean {
  let buffer = Buffer.allocUnsafe(FIRST_CHUNK)
  for (let turn = 0; turn < MAX_CHUNKS_A_TURN; turn += 1) {
    const size = readSome(fd, buffer)
    if (size === "empty") return false
    if (size === 0) return true
    events.data(buffer.subarray(0, size))
    if (size === FIRST_CHUNK) buffer = Buffer.allocUnsafeSlow(CHUNK)
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
