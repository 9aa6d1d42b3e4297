import { closeSync, constants, openSync } from "node:fs"
import type { StreamName } from "../../../../core/jobs/record.ts"
import { readSome } from "../host/pipe-reader.ts"
import type { Layout } from "./layout.ts"

/** What an action at the end of a shell may write and still be told whole. */
export const MAX_KEPT_BYTES = 1_048_576
const BUFFER_BYTES = 65_536
/** A shell that writes without end is left for the next turn. */
const MAX_READS = 64

/**
 * What a shell writes into its own descriptors 1 and 2, beside the output of its commands: traces and echoes of our frames,
 * prompts, what traps print between commands. All of it is noise, and has to be read lest the shell wait for ever, but for
 * one thing: a shell that ends gives its command's pipes up before an EXIT trap writes, after `set -e` as everywhere in sh
 * (spec shells.md §5.1, §5.6).
 */
export interface OwnOutput {
  /** The shell has answered: what it said until now is what every shell says. */
  ready(): void
  /** A frame is about to be sent: what came before is nobody's. */
  begin(): void
  /** Takes what is there. */
  drain(): void
  /** What a shell that is gone wrote since `begin`, behind what shows our frame; `cut`: some of it is missing. */
  last(): { readonly stdout: Uint8Array; readonly stderr: Uint8Array; readonly cut: boolean }
  close(): void
}

/** Opens both pipes of a generation; one that is not there, since an older host started the shell, has nothing to say. */
export function openOwnOutput(layout: Layout): OwnOutput {
  const streams = { stdout: openStream(layout.own), stderr: openStream(layout.diag) }
  const names: readonly StreamName[] = ["stdout", "stderr"]
  /** Reading an empty pipe costs more than a frame may: only a shell that has made noise is asked before each one. */
  let noisy = false

  function drain(): void {
    for (const name of names) if (streams[name].drain()) noisy = true
  }

  return {
    ready() {
      drain()
      noisy = false
    },
    begin() {
      if (noisy) drain()
      for (const name of names) streams[name].forget()
    },
    drain,
    last() {
      drain()
      const { stdout, stderr } = streams
      return {
        stdout: stdout.kept(),
        stderr: behindFrame(stderr.kept(), layout.command),
        cut: stdout.cut || stderr.cut,
      }
    },
    close() {
      for (const name of names) streams[name].close()
    },
  }
}

interface OwnStream {
  /** More could not be kept. */
  readonly cut: boolean
  /** `true`: there was something. */
  drain(): boolean
  kept(): Buffer
  forget(): void
  close(): void
}

function openStream(path: string): OwnStream {
  let fd = openNow(path)
  let chunks: Uint8Array[] = []
  let size = 0
  let cut = false

  function keep(chunk: Uint8Array): void {
    const room = MAX_KEPT_BYTES - size
    if (chunk.length > room) cut = true
    if (room <= 0) return
    chunks.push(chunk.slice(0, room))
    size += Math.min(room, chunk.length)
  }

  return {
    get cut() {
      return cut
    },
    drain() {
      if (fd === undefined) return false
      const buffer = new Uint8Array(BUFFER_BYTES)
      for (let reads = 0; reads < MAX_READS; reads += 1) {
        const got = readSome(fd, buffer)
        // Nothing yet, or the shell is gone.
        if (got === "empty" || got === 0) return reads > 0
        keep(buffer.subarray(0, got))
      }
      return true
    },
    kept: () => Buffer.concat(chunks),
    forget() {
      chunks = []
      size = 0
      cut = false
    },
    close() {
      if (fd !== undefined) closeSync(fd)
      fd = undefined
    },
  }
}

function openNow(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
}

/** `set -v` echoes the line that reads the text, and `set -x` traces it: both show the name of the file; what follows. */
export function behindFrame(bytes: Buffer, command: string): Buffer {
  const shown = Math.max(bytes.lastIndexOf(`. ${command}`), bytes.lastIndexOf(`. '${command}'`))
  if (shown === -1) return bytes
  const lineEnd = bytes.indexOf("\n", shown)
  return lineEnd === -1 ? Buffer.alloc(0) : bytes.subarray(lineEnd + 1)
}
