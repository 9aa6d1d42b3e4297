import { constants, existsSync, openSync, writeFileSync } from "node:fs"
import { type PipeReader, readPipe } from "../host/pipe-reader.ts"
import type { Layout } from "./layout.ts"
import { recordScript } from "./snapshot/record-script.ts"
import { createRestoreReport } from "./snapshot/restore-report.ts"
import { storeSnapshot } from "./snapshot/snapshot-file.ts"
import { createSnapshotReader } from "./snapshot/snapshot-reader.ts"
import type { ShellNotes, Snapshot, SnapshotPlace, Written } from "./snapshot/types.ts"

/** The newest state of a shell that is known, carried from generation to generation. */
export interface KnownState {
  readonly snapshot: Snapshot
  /** Commands that ran, wholly or in part, after it. */
  readonly behind: number
}

/** What the host knows of one generation beside its process (spec shells.md §5.6). */
export interface SnapshotKeeper {
  readonly place: SnapshotPlace
  readonly known: KnownState | undefined
  /** Commands that ran in this generation, wholly or in part. */
  readonly commands: number
  /** Of the newest idle record. */
  readonly notes: ShellNotes | undefined
  /**
   * The abort trap is not known to be of no use (spec shells.md §5.5). An idle record that was asked for and did not come
   * before the command that followed it says that it is: `builtin` is not what it was.
   */
  canAbort(): boolean
  /** What the EXIT action wrote, if it ran. */
  readonly exitWritten: Extract<Written, { readonly kind: "exit" }> | undefined
  /** A command is sent. */
  noteCommand(): void
  /** An idle line with this token is sent. */
  expect(token: string): void
  /** Reads the report of a restore; resolves with what it named. */
  report(token: string): Promise<readonly string[]>
  /** Takes what was written up to now. */
  drain(): void
  close(): void
}

/** What a keeper is made for. */
export interface KeeperOptions {
  readonly layout: Layout
  readonly place: SnapshotPlace
  /** What the last generation knew. */
  readonly inherited: KnownState | undefined
  secrets(): readonly string[]
  /** An idle record came. */
  noted(notes: ShellNotes): void
}

/** Reads the FIFO `snap` of one generation and keeps what came whole. */
export function createSnapshotKeeper(options: KeeperOptions): SnapshotKeeper {
  const { layout, place } = options
  const reader = createSnapshotReader({ place, secrets: options.secrets })
  let known = options.inherited
  let notes: ShellNotes | undefined
  let exitWritten: SnapshotKeeper["exitWritten"]
  let report: ((chunk: Uint8Array) => void) | undefined
  let sinceAsked = 0
  let isOwed = false
  let commands = 0

  writeFileSync(place.script, recordScript(place), { mode: 0o600 })
  // Until this generation writes one of its own; where it is adopted, it has.
  if (known !== undefined && !existsSync(layout.snapshot)) storeSnapshot(layout.snapshot, known.snapshot)

  function take(written: Written): void {
    known = { snapshot: written.snapshot, behind: written.kind === "idle" ? sinceAsked : 0 }
    storeSnapshot(layout.snapshot, written.snapshot)
    if (written.kind === "exit") exitWritten = written
    else {
      isOwed = false
      notes = written.notes
      options.noted(written.notes)
    }
  }

  const pipe: PipeReader = readPipe(openSync(layout.snap, constants.O_RDWR | constants.O_NONBLOCK), {
    data(chunk) {
      if (report !== undefined) report(chunk)
      else for (const written of reader.push(chunk)) take(written)
    },
    end: () => undefined,
  })

  return {
    place,
    get known() {
      return known
    },
    get commands() {
      return commands
    },
    get notes() {
      return notes
    },
    canAbort() {
      pipe.drain()
      return !isOwed && (notes?.canAbort ?? true)
    },
    get exitWritten() {
      return exitWritten
    },
    noteCommand() {
      commands += 1
      sinceAsked += 1
      if (known !== undefined) known = { ...known, behind: known.behind + 1 }
    },
    expect(token) {
      sinceAsked = 0
      isOwed = true
      reader.expect(token)
    },
    report(token) {
      const told = createRestoreReport({ fifo: layout.snap, token })
      return new Promise((resolve) => {
        report = (chunk) => {
          const names = told.push(chunk)
          if (names === undefined) return
          report = undefined
          resolve(names)
        }
      })
    },
    drain: () => void pipe.drain(),
    close: () => pipe.close(),
  }
}
