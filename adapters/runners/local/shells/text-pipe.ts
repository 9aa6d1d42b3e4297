import { closeSync, constants, openSync, writeSync } from "node:fs"
import type { CommandFiles } from "./command-file.ts"

const RETRY_MS = 1

/**
 * Gives texts through a FIFO instead of a file, where access times never move: that its other end was opened is the proof
 * of start (spec shells.md §5.2). Slower, since the opening is waited for in steps.
 */
export function createTextPipe(path: string): CommandFiles {
  let stop = (): void => undefined

  return {
    write(text) {
      stop()
      const bytes = typeof text === "string" ? Buffer.from(text) : text
      const delivery = deliver(path, bytes)
      stop = delivery.stop
      return { wasRead: delivery.wasOpened }
    },
    // What another host was about to give is gone with it.
    resume: () => ({ wasRead: () => true }),
    close: () => stop(),
  }
}

function deliver(path: string, bytes: Uint8Array): { readonly wasOpened: () => boolean; readonly stop: () => void } {
  let fd: number | undefined
  let opened = false
  let done = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function finish(): void {
    clearTimeout(timer)
    if (fd !== undefined) closeSync(fd)
    fd = undefined
    done = bytes.length
  }

  function turn(): void {
    fd ??= openNow(path)
    if (fd !== undefined) {
      opened = true
      done += writeNow(fd, bytes.subarray(done))
    }
    if (opened && done >= bytes.length) finish()
    else timer = setTimeout(turn, RETRY_MS)
  }

  timer = setTimeout(turn, RETRY_MS)
  return { wasOpened: () => opened, stop: finish }
}

/** `undefined` while nobody reads. */
function openNow(path: string): number | undefined {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
}

function writeNow(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return 0
    // The reader is gone: nobody wants the rest.
    return bytes.length
  }
}
