import { basename, join } from "node:path"
import { StreamCounter } from "../../../../core/jobs/output/totals.ts"
import type { StreamName, StreamTotals } from "../../../../core/jobs/record.ts"
import type { SpoolPage } from "../../../../core/jobs/runner.ts"
import type { ByteMask, ByteMaskFactory } from "./byte-mask.ts"
import { createReplay, type Replay } from "./replay.ts"
import { createSmallIndex, leaveSmallFile } from "./small-index.ts"
import type { SmallOutput, SmallOutputs } from "./small-outputs.ts"
import { storedStream } from "./stored-stream.ts"
import { createStreamSpool, type SmallRoom, type StreamSpool } from "./stream-spool.ts"

const HEAD_BYTES = 1_048_576

/** Everything one Job writes: counted, masked, stored within its cap (spec exec-and-jobs.md §7.1). */
export interface JobSpool {
  /** Takes bytes as the process wrote them. */
  accept(stream: StreamName, chunk: Uint8Array): void
  /** No more bytes of this stream will come: stores what the mask held back. */
  finish(stream: StreamName): void
  totals(): Readonly<Record<StreamName, StreamTotals>>
  /** Bytes may be missing because they could not be stored. */
  gap(): boolean
  stored(): number
  /** Of a replay: the next bytes of the stream are those behind so many that were written, of which so many are stored. */
  rebase(stream: StreamName, at: { readonly written: number; readonly bytes: number; readonly newlines: number }): void
  read(stream: StreamName, range: { readonly from: number; readonly max: number }): SpoolPage
  close(): void
}

interface Track {
  readonly mask: ByteMask
  readonly spool: StreamSpool
  readonly counter: StreamCounter
  /** What is given once more is counted once more; until all of it was, what is stored is the better number. */
  readonly replay?: Replay
  readonly before?: StreamCounter
}

/** Where a host keeps what its Jobs write. */
export function spoolFolder(hostDirectory: string): string {
  return join(hostDirectory, "spool")
}

/** Where a host keeps a Job's bytes. */
export function spoolDirectory(hostDirectory: string, jobId: string): string {
  return join(spoolFolder(hostDirectory), jobId)
}

/**
 * A spool of at most `capBytes` over both streams; beyond it the middle goes, in whole segments. `resumed`: it goes on where
 * the host that began it died, and what that one had read and not stored is missing; `replay`: nothing is, for the bytes come
 * once more from the first one on, and what is stored already is not stored again.
 */
export function createJobSpool(options: {
  readonly directory: string
  readonly capBytes: number
  readonly mask: ByteMaskFactory
  readonly secrets: readonly { readonly name: string; readonly value: string }[]
  readonly resumed?: boolean
  readonly replay?: boolean
  /** Where its bytes lie while they are few; absent: in files of its own from the first one on. */
  readonly small?: SmallOutputs
}): JobSpool {
  const { directory, resumed = false } = options
  const sizes = { head: Math.min(HEAD_BYTES, options.capBytes >> 2), other: options.capBytes >> 3 }
  const track = (stream: StreamName): Track => {
    const { segments, counter } = resumed
      ? storedStream(directory, stream)
      : { segments: [], counter: new StreamCounter() }
    const mask = options.mask(options.secrets)
    const spool = createStreamSpool({ directory, stream, small }, sizes, { segments, newlines: counter.newlines })
    if (options.replay !== true) return { mask, spool, counter }
    return { mask, spool, counter: new StreamCounter(), replay: createReplay(spool), before: counter }
  }
  let smallOutput: SmallOutput | undefined = options.small?.of(basename(directory), leaveSmall)
  function leaveSmall(): void {
    for (const { spool } of both) spool.moveOut()
    smallOutput?.leave()
    smallOutput = undefined
  }
  const small: SmallRoom = {
    append(stream, from, bytes) {
      if (smallOutput?.takes(bytes.length) === true) return smallOutput.append(stream, from, bytes)
      if (smallOutput !== undefined) leaveSmall()
      return undefined
    },
  }
  const tracks: Readonly<Record<StreamName, Track>> = { stdout: track("stdout"), stderr: track("stderr") }
  const both = [tracks.stdout, tracks.stderr]
  let isUncertain = false
  // The files of a host that is gone are not written on in.
  const left = resumed ? createSmallIndex().find(directory) : undefined
  if (left !== undefined) {
    for (const { spool } of both) spool.moveOut()
    leaveSmallFile(left, directory)
  }
  const stored = (): number => tracks.stdout.spool.stored() + tracks.stderr.spool.stored()

  function trim(): void {
    while (stored() > options.capBytes) {
      const [larger, smaller] =
        tracks.stdout.spool.stored() >= tracks.stderr.spool.stored()
          ? [tracks.stdout, tracks.stderr]
          : [tracks.stderr, tracks.stdout]
      if (!larger.spool.dropOldest() && !smaller.spool.dropOldest()) return
    }
  }

  function append({ spool, replay }: Track, masked: Uint8Array): void {
    spool.append(replay === undefined ? masked : replay.fresh(masked))
    trim()
  }

  return {
    accept(stream, chunk) {
      if (chunk.length === 0) return
      const state = tracks[stream]
      state.counter.push(chunk)
      append(state, state.mask.push(chunk))
    },
    finish(stream) {
      const state = tracks[stream]
      append(state, state.mask.end())
    },
    rebase(stream, { written, bytes, newlines }) {
      const { replay, counter } = tracks[stream]
      if (replay === undefined) return
      counter.skip(written, newlines)
      replay.begin(bytes)
      // What the mask held back at that time cannot be told from what it shortened.
      if (written !== bytes) isUncertain = true
    },
    totals: () => ({ stdout: totalsOf(tracks.stdout), stderr: totalsOf(tracks.stderr) }),
    gap: () =>
      (resumed && options.replay !== true) ||
      isUncertain ||
      both.some(({ spool, replay }) => spool.hasFailed() || replay?.differs === true),
    stored,
    read: (stream, range) => tracks[stream].spool.read(range),
    close() {
      smallOutput?.close()
      for (const state of both) state.spool.close()
    },
  }
}

function totalsOf(state: Track): StreamTotals {
  const counter = state.replay?.isBehind === true ? (state.before ?? state.counter) : state.counter
  return {
    bytes_total: counter.bytes,
    lines_total: counter.lines,
    dropped_bytes: state.spool.dropped(),
    masked: state.mask.masked,
  }
}
