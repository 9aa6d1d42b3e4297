import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

const RETRY_MS = 2

/** Our end of the FIFO a shell reads its frames from. */
export interface Input {
  /** Which file it is, whatever its name. */
  readonly dev: number
  readonly ino: number
  /** Writes all of it, or gives up once `isOver`: a shell that reads no more is wedged or dead. */
  write(text: string | Uint8Array, isOver: () => boolean): Promise<void> | undefined
  close(): void
}

/** Never blocks: a FIFO somebody filled is waited for in steps. */
export function openInput(path: string): Input {
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const { dev, ino } = fstatSync(fd)
  let open = true

  function some(bytes: Uint8Array): number {
    try {
      return writeSync(fd, bytes)
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EAGAIN") return 0
      throw error
    }
  }

  async function rest(bytes: Uint8Array, isOver: () => boolean): Promise<void> {
    let left = bytes
    while (left.length > 0 && open && !isOver()) {
      await sleep(RETRY_MS)
      if (open) left = left.subarray(some(left))
    }
  }

  return {
    dev,
    ino,
    write(text, isOver) {
      const bytes = typeof text === "string" ? Buffer.from(text) : text
      const written = some(bytes)
      return written === bytes.length ? undefined : rest(bytes.subarray(written), isOver)
    },
    close() {
      if (open) closeSync(fd)
      open = false
    },
  }
}
